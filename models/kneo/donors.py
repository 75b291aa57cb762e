"""Choose the donors of a note: reference notes that resemble it, from which its neighbours come.

The choice does not depend on any sentence. So an output tells which notes it was written from, and
its original is hidden among all notes for which these could have been drawn (docs/privacy.md).
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.kneo_query import KneoQuery
from deidstream.models.references.note_likeness import NoteLikeness
from deidstream.models.references.own_attack import ComparedNotes, NoteTrace, Similarities
from deidstream.models.references.reference_notes import ReferenceNotes
from deidstream.schemas.kneo_policy import KneoPolicy

_LEAST_ROWS: Final = 8
"""A note with fewer pool sentences is no donor."""
_LEAST_OF_KIND: Final = 20
"""A type of which the index has fewer notes does not limit the choice."""
_VOTERS: Final = 20
"""Nearest notes whose types say which is that of a note that states none."""

Chosen = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Donors:
    """The donors of one draft, as numbers of reference notes."""

    drawn: tuple[int, ...] = field(repr=False)
    possible: int
    """How many notes they were drawn among."""


@dataclass(frozen=True, slots=True)
class DonorChooser:
    """Draws donors among the reference notes that are most like a note."""

    notes: ReferenceNotes
    likeness: NoteLikeness
    policy: KneoPolicy
    notes_of: Mapping[str, Sequence[int]] = field(repr=False)
    """Numbers of the reference notes of each patient."""
    _giving: Chosen = field(repr=False)
    """Which reference notes give enough sentences."""

    @classmethod
    def of(cls, notes: ReferenceNotes, policy: KneoPolicy) -> "DonorChooser":
        """Lay out the reference notes of an index."""
        likeness = NoteLikeness.measure(ComparedNotes.choose(notes))
        giving = np.diff(notes.rows.ends) >= _LEAST_ROWS
        return cls(notes, likeness, policy, number_patients(notes), giving)

    def choose(self, query: KneoQuery, original: NoteTrace, digest: str) -> Iterator[Donors]:
        """Draw the donors of a note, and after them the next, until all that are possible are.

        Args:
            query: The note.
            original: Its trace.
            digest: Identity of the index, on which the draw depends.

        Yields:
            At least once; fewer donors than the policy asks for where there are no more.
        """
        like = self.likeness.compare(original)
        permitted = self._giving.copy()
        permitted[find_alike(self.likeness.compared, original, self.policy)] = False
        permitted[find_numbers(self.notes_of, query.donors)] = False
        if self.policy.same_type:
            permitted = self._limit_kind(query, like, permitted)
        among = max(self.policy.donors_among, self.policy.donors)
        remaining = sorted(_order(like, permitted)[:among].tolist())
        draw = query.keyring.draw("kneo donors", query.note_id, digest)
        drawn = [remaining.pop(draw.below(len(remaining))) for _ in range(len(remaining))]
        for start in range(0, max(len(drawn), 1), self.policy.donors):
            yield Donors(tuple(drawn[start : start + self.policy.donors]), len(drawn))

    def _limit_kind(self, query: KneoQuery, like: Similarities, permitted: Chosen) -> Chosen:
        """Return the permitted notes of the note's type, or all where these are too few."""
        kind = self.notes.kind_of(query.note_type) or self._vote(like, permitted)
        of_kind: Chosen = permitted & (self.notes.kinds == np.uint64(kind))
        return of_kind if kind and of_kind.sum() >= _LEAST_OF_KIND else permitted

    def _vote(self, like: Similarities, permitted: Chosen) -> int:
        """Return the type of most of the nearest notes; of equal ones that of the nearer."""
        voters = self.notes.kinds[_order(like, permitted)[:_VOTERS]].tolist()
        counted = Counter(kind for kind in voters if kind).most_common(1)
        return int(counted[0][0]) if counted else 0


def _order(like: Similarities, permitted: Chosen) -> NDArray[np.int64]:
    """Return the numbers of permitted notes, those most like first."""
    order = np.lexsort((np.arange(len(like)), -like))
    chosen: NDArray[np.int64] = order[permitted[order]]
    return chosen


def number_patients(notes: ReferenceNotes) -> dict[str, list[int]]:
    """Return the numbers of the reference notes of each patient."""
    numbers: dict[str, list[int]] = {}
    for number, donor in enumerate(notes.donors):
        if donor:
            numbers.setdefault(donor, []).append(number)
    return numbers


def find_numbers(notes_of: Mapping[str, Sequence[int]], donors: Collection[str]) -> list[int]:
    """Return the numbers of the reference notes of some patients."""
    return sorted(number for donor in donors for number in notes_of.get(donor, ()))


def find_alike(
    compared: ComparedNotes, original: NoteTrace, policy: KneoPolicy
) -> NDArray[np.int64]:
    """Return the numbers of the reference notes that are so near a note as to be that note."""
    same_words = compared.compare_words(original.words) > policy.max_jaccard
    same_vector = compared.compare_vector(original.vector) > policy.max_cosine
    found: NDArray[np.int64] = compared.chosen[same_words | same_vector]
    return found
