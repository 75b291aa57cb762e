"""A bidirectional LSTM over words and their endings: the BiLSTM of MASK without GloVe vectors.

MASK reads words by vectors that were learnt from the web; here they are learnt with the model, from
the training notes alone, beside a vector of the shape and one of the last three letters.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import torch
from torch import Tensor, nn

from deidstream.study.rivals.crf import TaggedTokens, shape_of
from deidstream.study.rivals.tokens import OUTSIDE

_WORD, _FORM, _HIDDEN = 64, 24, 96
_BATCH: Final = 32
_UNKNOWN: Final = 0
_IGNORED: Final = -100
_DROPPED_WORDS: Final = 0.1
"""Share of the training words that are read as unknown, so that unknown words are learnt too."""


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Numbers of words, shapes and endings; 0 is for those that are not known."""

    words: dict[str, int] = field(repr=False)
    shapes: dict[str, int] = field(repr=False)
    endings: dict[str, int] = field(repr=False)

    @classmethod
    def read(cls, sentences: Sequence[TaggedTokens]) -> "_Numbers":
        words = [word for sentence in sentences for word in sentence.words]
        return cls(
            _number(word.lower() for word in words),
            _number(map(shape_of, words)),
            _number(word.lower()[-3:] for word in words),
        )

    def describe(self, words: Sequence[str]) -> Tensor:
        """Return three numbers for each word; shape ``(len(words), 3)``."""
        rows = [
            (
                self.words.get(word.lower(), _UNKNOWN),
                self.shapes.get(shape_of(word), _UNKNOWN),
                self.endings.get(word.lower()[-3:], _UNKNOWN),
            )
            for word in words
        ]
        return torch.tensor(rows, dtype=torch.long).reshape(len(words), 3)


def _number(texts: Iterable[str]) -> dict[str, int]:
    """Number what occurs at least twice, from 1 on."""
    counted = Counter(texts)
    return {text: place for place, text in enumerate((t for t in counted if counted[t] > 1), 1)}


class _Network(nn.Module):
    def __init__(self, numbers: _Numbers, tags: int) -> None:
        super().__init__()
        self.word = nn.Embedding(len(numbers.words) + 1, _WORD)
        self.shape = nn.Embedding(len(numbers.shapes) + 1, _FORM)
        self.ending = nn.Embedding(len(numbers.endings) + 1, _FORM)
        width = _WORD + 2 * _FORM
        self.lstm = nn.LSTM(width, _HIDDEN, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(2 * _HIDDEN, tags)

    def forward(self, rows: Tensor) -> Tensor:
        """Return scores of tags; shape ``(batch, words, tags)`` for ``(batch, words, 3)``."""
        parts = (self.word(rows[..., 0]), self.shape(rows[..., 1]), self.ending(rows[..., 2]))
        read, _ = self.lstm(self.drop(torch.cat(parts, -1)))
        scores: Tensor = self.out(self.drop(read))
        return scores


@dataclass(frozen=True, slots=True)
class BiLstm:
    """A trained model; it tags one sentence at a time."""

    numbers: _Numbers = field(repr=False)
    tags: tuple[str, ...]
    network: nn.Module = field(repr=False)

    @classmethod
    def train(
        cls, sentences: Sequence[TaggedTokens], *, epochs: int = 12, seed: int = 0
    ) -> "BiLstm":
        """Train by Adam; the same sentences and seed give the same model on one machine."""
        torch.manual_seed(seed)
        numbers = _Numbers.read(sentences)
        tags = tuple(sorted({tag for one in sentences for tag in one.tags} | {OUTSIDE}))
        network = _Network(numbers, len(tags))
        rows = [numbers.describe(one.words) for one in sentences]
        wanted = [torch.tensor([tags.index(tag) for tag in one.tags]) for one in sentences]
        optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
        network.train()
        for _ in range(epochs):
            order = torch.randperm(len(rows)).tolist()
            for begin in range(0, len(order), _BATCH):
                chosen = order[begin : begin + _BATCH]
                batch = nn.utils.rnn.pad_sequence([rows[n] for n in chosen], batch_first=True)
                batch[..., 0] *= torch.rand(batch.shape[:2]) > _DROPPED_WORDS
                truth = nn.utils.rnn.pad_sequence(
                    [wanted[n] for n in chosen], batch_first=True, padding_value=_IGNORED
                )
                scores = network(batch).flatten(0, 1)
                loss = nn.functional.cross_entropy(scores, truth.flatten(), ignore_index=_IGNORED)
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
        network.eval()
        return cls(numbers, tags, network)

    def tag(self, words: Sequence[str]) -> list[str]:
        """Return the tag of each word."""
        if not words:
            return []
        with torch.inference_mode():
            scores = self.network(self.numbers.describe(words)[None])[0]
        return [self.tags[place] for place in scores.argmax(-1).tolist()]
