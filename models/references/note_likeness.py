"""How like a note each reference note is: by meaning and by rare words, each for a half.

Meaning is the cosine of mean sentence vectors; rare words are the cosine of word sets, each word
weighted by how few reference notes hold it, as ``attacks.tfidf`` weights it.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.references.number_lists import Numbers
from deidstream.models.references.own_attack import ComparedNotes, NoteTrace, Similarities

_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class NoteLikeness:
    """All reference notes, for finding those most like a note."""

    compared: ComparedNotes
    lengths: NDArray[np.float64] = field(repr=False)
    """Length of the weighted word set of each note."""

    @classmethod
    def measure(cls, compared: ComparedNotes) -> "NoteLikeness":
        """Weigh the words of reference notes."""
        count = len(compared.chosen)
        _, place, held_by = np.unique(compared.words, return_inverse=True, return_counts=True)
        squares = _weigh(held_by, count)[place] ** 2
        sums = np.bincount(compared.holders, weights=squares, minlength=count)
        return cls(compared, np.sqrt(sums))

    def compare(self, trace: NoteTrace) -> Similarities:
        """Return how like a note each reference note is, from 0 to 1, to six digits."""
        words = self._compare_words(trace.words)
        cosines = np.clip(self.compared.compare_vector(trace.vector), 0.0, 1.0)
        return np.round((words + cosines) / 2, _DIGITS)

    def _compare_words(self, words: Numbers) -> Similarities:
        holders, held_by = self.compared.find_holders(words)
        weights = _weigh(held_by, len(self.lengths))
        shared = np.bincount(
            holders, weights=np.repeat(weights**2, held_by), minlength=len(self.lengths)
        )
        scale = self.lengths * float(np.linalg.norm(weights))
        return np.divide(shared, scale, out=np.zeros(len(scale)), where=scale > 0)


def _weigh(held_by: NDArray[np.int64], notes: int) -> NDArray[np.float64]:
    weights: NDArray[np.float64] = np.log((1 + notes) / (1 + held_by)) + 1
    return weights
