"""Notes as sparse rows of word ids, and the notes of each word.

A word is a folded run of letters and digits. Ids follow the order of the words themselves, so that
a sum over the words of a note does not depend on the notes beside it, and equal notes have equal
sums.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.models.text.folding import fold_text

Ids = NDArray[np.int64]
Similarities = NDArray[np.float64]
"""The similarity of one output to each candidate, in the order of the candidates."""


@dataclass(frozen=True, slots=True)
class WordRow:
    """The words of one note, each once."""

    ids: Ids = field(repr=False)
    """Ascending."""
    counts: Ids = field(repr=False)
    """How often each occurs."""


@dataclass(frozen=True, slots=True)
class Postings:
    """For each word, the candidates that hold it."""

    ends: Ids = field(repr=False)
    """``ends[i]`` to ``ends[i + 1]`` are the places of word ``i``."""
    candidates: Ids = field(repr=False)
    """Number of the candidate at each place."""
    counts: Ids = field(repr=False)
    """How often the candidate holds the word."""

    @property
    def held_by(self) -> Ids:
        """Number of candidates that hold each word."""
        held: Ids = np.diff(self.ends)
        return held

    def gather(self, ids: Ids) -> Ids:
        """Return the places of some words: those of the first, then of the second, and so on."""
        starts, ends = self.ends[ids], self.ends[ids + 1]
        runs = [np.arange(*run) for run in zip(starts, ends, strict=True)]
        return np.concatenate(runs) if runs else np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of candidates and outputs, under common ids."""

    candidates: Sequence[WordRow] = field(repr=False)
    outputs: Sequence[WordRow] = field(repr=False)
    words: int
    """How many different words there are."""

    def index_candidates(self) -> Postings:
        """Return for each word the candidates that hold it, in their order."""
        rows = self.candidates
        ids = np.concatenate([row.ids for row in rows])
        owners = np.repeat(np.arange(len(rows)), [len(row.ids) for row in rows])
        order = np.argsort(ids, kind="stable")
        ends = np.concatenate([[0], np.cumsum(np.bincount(ids, minlength=self.words))])
        counts = np.concatenate([row.counts for row in rows])
        return Postings(ends.astype(np.int64), owners[order], counts[order])


def read_words(candidates: Iterable[str], outputs: Iterable[str]) -> WordTable:
    """Cut candidates and outputs into words."""
    ids: dict[str, int] = {}
    read = [[_read_row(text, ids) for text in texts] for texts in (candidates, outputs)]
    final = np.zeros(len(ids), np.int64)
    final[[ids[word] for word in sorted(ids)]] = np.arange(len(ids))
    first, second = ([_renumber(row, final) for row in rows] for rows in read)
    return WordTable(first, second, len(ids))


def split_words(text: str) -> list[str]:
    """Return the folded runs of letters and digits of a text."""
    return "".join(c if c.isalnum() else " " for c in fold_text(text)).split()


def _read_row(text: str, ids: dict[str, int]) -> WordRow:
    """Read the words of a note; a new word gets the next id."""
    bag = Counter(split_words(text))
    numbers = [ids.setdefault(word, len(ids)) for word in bag]
    return WordRow(np.array(numbers, np.int64), np.array(list(bag.values()), np.int64))


def _renumber(row: WordRow, final: Ids) -> WordRow:
    """Give the words of a note their final ids, and sort them by these."""
    ids = final[row.ids]
    order = np.argsort(ids)
    return WordRow(ids[order], row.counts[order])
