"""Embed texts by Doc2Vec (PV-DBOW), without the library that trained it.

Source: Le and Mikolov, "Distributed Representations of Sentences and Documents" (2014), section
2.3: the vector of a text is the one from which its words are predicted, found by gradient steps
with the weights of the words held fixed. Negative examples are drawn from the text's own hash, so a
text has one vector, whatever is embedded beside it. Where gensim leaves out frequent words at
random, they weigh less here.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.documents.document_vectors import DocumentVectors
from deidstream.models.kneo.words.words_and_numbers import cut_words, normal_word
from deidstream.models.time_budget import check_time
from deidstream.schemas.ports import TokenCounter

_CHUNK: Final = 16
"""Words of one gradient step; more at once would overshoot."""
_POWER: Final = 0.75
"""Exponent of the counts from which negative examples are drawn."""
_BYTES: Final = 4
_WHOLE: Final = 2**32


@dataclass(frozen=True, slots=True)
class DocumentEmbedder:
    """Doc2Vec with ``dm = 0``."""

    vectors: DocumentVectors
    pieces: TokenCounter
    """Counts the word pieces of notes, for the budget of a batch; Doc2Vec itself has none."""
    places: dict[str, int] = field(init=False, repr=False)
    weights: NDArray[np.float32] = field(init=False, repr=False)
    """Weight of each word: how likely gensim keeps it."""
    shares: NDArray[np.float64] = field(init=False, repr=False)
    """Cumulated shares by which negative examples are drawn."""

    def __post_init__(self) -> None:
        """Prepare what every text needs."""
        known = self.vectors
        powers = known.counts.astype(np.float64) ** _POWER
        share = known.counts / known.counts.sum() / (known.facts.sample or 1)
        kept = np.minimum(1, (np.sqrt(share) + 1) / share) if known.facts.sample else share**0
        for name, value in (
            ("places", {word: place for place, word in enumerate(known.words)}),
            ("weights", kept.astype(np.float32)),
            ("shares", np.cumsum(powers) / powers.sum()),
        ):
            object.__setattr__(self, name, value)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self.vectors.facts.dimension

    @property
    def digest(self) -> str:
        """Digest of the folder's manifest."""
        return self.vectors.digest

    @property
    def precision(self) -> str:
        """In what the products are computed."""
        return "fp32"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed each text by itself.

        Returns:
            Shape ``(len(texts), dimension)``, rows of unit length in the order of ``texts``; the
            first axis for a text without a known word.
        """
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            check_time()
            row[:] = self._embed_text(text)
        return rows

    def _embed_text(self, text: str) -> NDArray[np.float32]:
        words = read_document(text)
        known = np.array([self.places[word] for word in words if word in self.places], np.int64)
        facts = self.vectors.facts
        vector = np.zeros(facts.dimension, np.float32)
        if len(known):
            negatives = self._draw_negatives(" ".join(words), len(known))
            for epoch, drawn in enumerate(negatives):
                fallen = (facts.alpha - facts.least_alpha) * epoch / max(1, facts.epochs - 1)
                for begin in range(0, len(known), _CHUNK):
                    part = slice(begin, begin + _CHUNK)
                    vector += self._step(vector, known[part], drawn[part]) * np.float32(
                        facts.alpha - fallen
                    )
        length = float(np.linalg.norm(vector))
        if not length:
            vector[0] = 1.0
            return vector
        return vector / np.float32(length)

    def _draw_negatives(self, text: str, words: int) -> NDArray[np.int64]:
        """Draw negative examples; shape ``(epochs, words, negative)``."""
        facts = self.vectors.facts
        shape = (facts.epochs, words, facts.negative)
        seed = f"{self.digest} {text}".encode()
        raw = hashlib.shake_256(seed).digest(_BYTES * int(np.prod(shape)))
        uniform = np.frombuffer(raw, "<u4").reshape(shape) / _WHOLE
        return np.searchsorted(self.shares, uniform, side="right")

    def _step(
        self, vector: NDArray[np.float32], words: NDArray[np.int64], drawn: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the gradient of some words and their negative examples."""
        outputs, weights = self.vectors.outputs, self.weights[words]
        own, others = outputs[words], outputs[drawn]
        up = weights * (1 - _sigmoid(own @ vector))
        down = -weights[:, None] * _sigmoid(others @ vector) * (drawn != words[:, None])
        gradient: NDArray[np.float32] = up @ own + down.ravel() @ others.reshape(-1, len(vector))
        return gradient


def read_document(text: str) -> list[str]:
    """Return the words and numbers of a text in small letters, without punctuation.

    Source: "Words vs Sentences", section 4.2.
    """
    return [word for token in cut_words(text) if (word := normal_word(token.text))]


def _sigmoid(values: NDArray[np.float32]) -> NDArray[np.float32]:
    one = np.float32(1)
    squashed: NDArray[np.float32] = one / (one + np.exp(-np.clip(values, -30, 30)))
    return squashed
