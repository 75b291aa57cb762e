"""The vectors of words: a vocabulary, its rows, and n-grams for words outside it; held in memory.

The folder is read without the library that trained it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.checked_folder import (
    FolderKind,
    check_presence,
    read_array,
    read_checked_folder,
    refuse_manifest,
    write_array,
    write_checked_folder,
)
from deidstream.models.kneo.words.subwords import ngram_rows
from deidstream.models.risk.contexts import snap_to_grid
from deidstream.schemas.errors import MissingArtefact

WORDS, VECTORS, NGRAMS = "words.txt", "vectors.npy", "ngrams.npy"
_KIND: Final = FolderKind("word vectors", 1, frozenset({WORDS, VECTORS, NGRAMS}))


class WordModel(StrEnum):
    """How vectors of words were learnt."""

    WORD2VEC = "word2vec"
    FASTTEXT = "fasttext"
    """With n-grams, so that words that were not learnt have vectors too."""


@dataclass(frozen=True, slots=True)
class WordFacts:
    """The facts about a folder of word vectors that its manifest records."""

    model: WordModel
    dimension: int
    words: int
    ngrams: int
    """Rows of n-grams; 0 for Word2Vec."""
    shortest: int
    longest: int
    """Characters of n-grams."""
    training: Mapping[str, Any]
    """Settings of the training, for people."""


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Words and their vectors. Build or load it; never make it by hand."""

    facts: WordFacts
    digest: str
    """Identity: the manifest's digest; empty before it is saved."""
    words: tuple[str, ...] = field(repr=False)
    """In their normal form, each once; the order breaks ties."""
    places: Mapping[str, int] = field(repr=False)
    rows: NDArray[np.float32] = field(repr=False)
    """Shape ``(words, dimension)``, of unit length, on the grid of ``contexts.GRID``: products of
    such rows are exact, so that machines agree on what is nearest."""
    ngrams: NDArray[np.float16] = field(repr=False)
    """Shape ``(ngrams, dimension)``."""

    def vector_of(self, word: str) -> NDArray[np.float32] | None:
        """Return the vector of a word, of unit length on the grid; ``None`` for a word without one.

        Args:
            word: In its normal form. Outside the vocabulary its vector is the mean of its n-grams.
        """
        place = self.places.get(word)
        if place is not None:
            row: NDArray[np.float32] = self.rows[place]
            return row
        facts = self.facts
        found = (
            ngram_rows(word, facts.shortest, facts.longest, facts.ngrams) if facts.ngrams else []
        )
        if not found:
            return None
        mean: NDArray[np.float32] = self.ngrams[found].astype(np.float32).mean(axis=0)
        length = float(np.linalg.norm(mean))
        return snap_to_grid(mean / np.float32(length)) if length else None


def build_word_vectors(
    facts: WordFacts,
    words: tuple[str, ...],
    rows: NDArray[np.float32],
    ngrams: NDArray[np.float32],
) -> WordVectors:
    """Build vectors in memory, as they will be after saving and loading.

    Raises:
        MissingArtefact: The parts do not fit together.
    """
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / np.where(lengths > 0, lengths, 1).astype(np.float32)
    return _make_vectors(facts, "", words, unit.astype(np.float16), ngrams.astype(np.float16))


def save_word_vectors(vectors: WordVectors, folder: Path) -> str:
    """Write vectors as a folder; return the digest that identifies it."""
    content = {
        WORDS: "\n".join(vectors.words).encode(),
        VECTORS: write_array(vectors.rows.astype(np.float16)),
        NGRAMS: write_array(vectors.ngrams),
    }
    return write_checked_folder(folder, _KIND.format, asdict(vectors.facts), content)


def load_word_vectors(folder: Path) -> WordVectors:
    """Load vectors after checking every file against the manifest.

    Raises:
        MissingArtefact: A file is absent or altered, or does not fit the manifest.
    """
    checked = read_checked_folder(folder, _KIND)
    try:
        record: dict[str, Any] = {**checked.record, "model": WordModel(checked.record["model"])}
        facts = WordFacts(**record)
    except (KeyError, TypeError, ValueError):
        raise refuse_manifest(_KIND) from None
    words = tuple(checked.files[WORDS].decode().split("\n"))
    rows, ngrams = (read_array(checked.files[n]).astype(np.float16) for n in (VECTORS, NGRAMS))
    return _make_vectors(facts, checked.digest, words, rows, ngrams)


def check_vector_files(folder: Path) -> None:
    """Check that the files of word vectors are there; whether they are whole, loading says.

    Raises:
        MissingArtefact: One of them is not there.
    """
    check_presence(folder, _KIND)


def shipped_vectors() -> Path:
    """Return the folder of the vectors that come with deidstream."""
    return Path(str(files("deidstream.models").joinpath("data", "vectors")))


def _make_vectors(
    facts: WordFacts,
    digest: str,
    words: tuple[str, ...],
    rows: NDArray[np.float16],
    ngrams: NDArray[np.float16],
) -> WordVectors:
    places = {word: place for place, word in enumerate(words)}
    fits = (
        rows.shape == (facts.words, facts.dimension)
        and ngrams.shape == (facts.ngrams, facts.dimension)
        and len(words) == len(places) == facts.words > 0
    )
    if not fits:
        msg = "the files of the word vectors do not fit their manifest"
        raise MissingArtefact(msg)
    return WordVectors(facts, digest, words, places, snap_to_grid(rows.astype(np.float32)), ngrams)
