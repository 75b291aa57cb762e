"""Attack one output as one who holds its original would: its rank among reference notes.

Two attacks, those of ``deidstream attack jaccard`` and ``dense`` (Larbi et al., section 4.4), with
reference notes for the other candidates. What is compared of a note is its trace: words and vector.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.references.number_lists import Numbers
from deidstream.models.references.reference_notes import ReferenceNotes, Vectors

Similarities = NDArray[np.float64]

_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class NoteTrace:
    """What an attacker compares of one text."""

    words: Numbers = field(repr=False)
    """Its word sketch, under the salt of the reference notes."""
    vector: Vectors = field(repr=False)
    """Shape ``(dimension,)``: ``mean_vector`` of its pieces."""


@dataclass(frozen=True, slots=True)
class OwnRank:
    """What one attack finds."""

    rank: int
    """1 where no reference note is nearer to the output than its own original is. Notes that are
    as near come after it; but where the output is as near to all, nothing is learnt and the own
    original comes last."""
    of: int
    """How many reference notes it was compared with."""
    own: float
    """Similarity of the output to its own original."""
    best: float
    """Similarity of the output to the nearest reference note; 0 without reference notes."""

    @property
    def margin(self) -> float:
        """By how much the own original is nearer than the nearest reference note."""
        return self.own - self.best


@dataclass(frozen=True, slots=True)
class OwnAttack:
    """The outcome of both attacks on one output."""

    jaccard: OwnRank
    dense: OwnRank

    @property
    def rank(self) -> int:
        """The better of the attacker's two ranks."""
        return min(self.jaccard.rank, self.dense.rank)


@dataclass(frozen=True, slots=True)
class ComparedNotes:
    """Reference notes laid out for being compared with one text after another."""

    notes: ReferenceNotes
    chosen: NDArray[np.int64] = field(repr=False)
    """Numbers of those that are compared, ascending."""
    vectors: Vectors = field(repr=False)
    """Shape ``(len(chosen), dimension)``."""
    sizes: NDArray[np.int64] = field(repr=False)
    """How many words each has."""
    words: Numbers = field(repr=False)
    """The words of all, ascending."""
    holders: NDArray[np.int64] = field(repr=False)
    """For each of ``words`` its note, as a place of ``chosen``."""

    @classmethod
    def choose(cls, notes: ReferenceNotes, most: int | None = None) -> "ComparedNotes":
        """Lay out reference notes, or ``most`` of them at equal steps."""
        count = len(notes) if most is None else min(most, len(notes))
        chosen = np.arange(count) * len(notes) // max(count, 1)
        lists = [notes.words.of(number) for number in chosen.tolist()]
        sizes = np.array([len(one) for one in lists], np.int64)
        words = np.concatenate([np.zeros(0, np.uint32), *lists])
        order = np.argsort(words, kind="stable")
        holders = np.repeat(np.arange(count), sizes)[order]
        return cls(notes, chosen, notes.vectors[chosen], sizes, words[order], holders)

    def find_holders(self, words: Numbers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Find the notes that hold words.

        Returns:
            The places of the notes that hold the first word, then of the second and so on; and how
            many hold each.
        """
        starts = np.searchsorted(self.words, words, "left")
        ends = np.searchsorted(self.words, words, "right")
        runs = [self.holders[start:end] for start, end in zip(starts, ends, strict=True)]
        return np.concatenate([np.zeros(0, np.int64), *runs]), ends - starts

    def compare_words(self, words: Numbers) -> Similarities:
        """Return the word Jaccard of a text with each note; 0 where neither has a word."""
        holders, _ = self.find_holders(words)
        shared = np.bincount(holders, minlength=len(self.chosen))
        return np.asarray(shared / np.maximum(self.sizes + len(words) - shared, 1))

    def compare_vector(self, vector: Vectors) -> Similarities:
        """Return the cosine of a text with each note, rounded to six digits."""
        cosines: Similarities = (self.vectors @ vector).astype(np.float64)
        return np.round(cosines, _DIGITS)

    def keep_but(self, left_out: Collection[int]) -> NDArray[np.bool_]:
        """Return which notes remain without those of some numbers."""
        return ~np.isin(self.chosen, list(left_out))


def attack_output(
    original: NoteTrace, output: NoteTrace, compared: ComparedNotes, left_out: Collection[int] = ()
) -> OwnAttack:
    """Rank an output's own original among reference notes.

    Args:
        original: Of the note as it was, with labels in place of PHI.
        output: Of the text that is to leave.
        compared: The reference notes.
        left_out: Numbers of reference notes that do not count: donors, and notes of the patient.
    """
    kept = compared.keep_but(left_out)
    words = compared.compare_words(output.words)[kept]
    cosines = compared.compare_vector(output.vector)[kept]
    own_cosine = round(float(original.vector @ output.vector), _DIGITS)
    return OwnAttack(
        rank_own(word_jaccard(original.words, output.words), words), rank_own(own_cosine, cosines)
    )


def word_jaccard(one: Numbers, other: Numbers) -> float:
    """Return the Jaccard similarity of two sketches; 0 where neither has a word."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / max(len(one) + len(other) - shared, 1)


def rank_own(own: float, others: Similarities) -> OwnRank:
    """Rank a similarity among those of the reference notes."""
    rank = int(np.count_nonzero(others > own)) + 1
    if len(others) and bool((others == own).all()):
        rank = len(others) + 1
    return OwnRank(rank, len(others), own, float(others.max(initial=0.0)))
