"""The reference notes of an index, laid out for the measures of risk."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np

from deidstream.models.references.number_lists import Numbers
from deidstream.models.references.own_attack import ComparedNotes
from deidstream.models.references.reference_notes import ReferenceNotes

_SEVERAL: Final = 2
"""Notes that hold a word which is not rare: one may have it from its own patient."""


@dataclass(frozen=True, slots=True)
class ReferenceSet:
    """Reference notes for being compared with, and the words that several of them hold."""

    compared: ComparedNotes = field(repr=False)
    held: Numbers = field(repr=False)
    """Digests of the words that several notes hold, ascending."""
    places: Mapping[str, tuple[int, ...]] = field(repr=False)
    """Numbers of the notes of each donor."""

    @classmethod
    def of_notes(cls, notes: ReferenceNotes) -> Self:
        """Lay out the reference notes of an index."""
        compared = ComparedNotes.choose(notes)
        words, counts = np.unique(compared.words, return_counts=True)
        places: defaultdict[str, list[int]] = defaultdict(list)
        for number, donor in enumerate(notes.donors):
            places[donor].append(number)
        return cls(
            compared,
            words[counts >= _SEVERAL],
            {donor: tuple(numbers) for donor, numbers in places.items() if donor},
        )

    def __len__(self) -> int:
        """Return how many notes there are."""
        return len(self.compared.notes)

    def is_held(self, word: str) -> bool:
        """Return whether several notes hold a word."""
        digests = self.compared.notes.sketch(word)
        return len(digests) > 0 and all(map(self._is_digest_held, digests))

    def _is_digest_held(self, digest: np.uint32) -> bool:
        place = self.held.searchsorted(digest)
        return bool(place < len(self.held) and self.held[place] == digest)

    def find_notes_of(self, donors: Iterable[str]) -> Collection[int]:
        """Return the numbers of the notes of some donors."""
        return [number for donor in donors for number in self.places.get(donor, ())]
