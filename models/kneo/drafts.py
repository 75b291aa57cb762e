"""The draft of a note under KNEO: what stands in the place of each of its units so far."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.donors import Donors
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.kneo_query import KneoQuery
from deidstream.models.kneo.slots import Filled, fill_slots
from deidstream.models.kneo.units import Unit, find_surrogates, write_labels
from deidstream.models.references.own_attack import NoteTrace
from deidstream.schemas.kneo_policy import Otherwise

DROPPED: Final = "[...]"
"""Stands in the place of a sentence that was dropped."""


class Standing(StrEnum):
    """What stands in the place of a unit."""

    POOL = "pool"
    """A sentence of the pool."""
    OWN = "own"
    """The unit itself."""
    LABELLED = "labelled"
    """The unit with labels in place of its surrogates."""
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Choice:
    """What stands in the place of one unit."""

    standing: Standing
    row: int = -1
    """Row of the index, where a sentence of the pool stands."""


_FALLBACK: Final = {
    Otherwise.DROP: Choice(Standing.DROPPED),
    Otherwise.REDACT: Choice(Standing.LABELLED),
    Otherwise.KEEP: Choice(Standing.OWN),
}


def choose_otherwise(otherwise: Otherwise) -> Choice:
    """Return what stands in the place of a sentence that has no neighbour."""
    return _FALLBACK[otherwise]


@dataclass(slots=True)
class NoteDraft:
    """A note and the choices made for it; only choices change."""

    query: KneoQuery
    units: Sequence[Unit]
    vectors: NDArray[np.float32] = field(repr=False)
    """Shape ``(len(units), dimension)``; zeros where a unit was not embedded."""
    original: NoteTrace | None
    """Where donors or deniability need it."""
    donors: Donors | None
    """Where they are chosen by the note."""
    candidates: Sequence[Sequence[int]]
    """Rows that may stand in the place of each unit, nearest first; none for closed units."""
    choices: list[Choice]
    whole: Sequence[int] | None = None
    """The rows of its donors that stand in the place of the whole note, whatever the choices."""

    def places(self) -> list[tuple[int | None, int]]:
        """Return the rows that stand in the draft, in reading order, each behind its unit."""
        if self.whole is not None:
            return [(None, row) for row in self.whole]
        found = enumerate(self.choices)
        return [(number, one.row) for number, one in found if one.standing is Standing.POOL]

    def rows(self) -> list[int]:
        """Return the rows that stand in the draft, in reading order."""
        return [row for _, row in self.places()]

    def fill(self, number: int, index: Index) -> Filled:
        """Return the pool sentence in the place of a unit, filled with the unit's surrogates."""
        text = index.texts[self.choices[number].row]
        filled = fill_slots(text, find_surrogates(self.query.text, self.units[number]))
        return filled or Filled(text, ())

    def write(self, number: int, index: Index) -> str | None:
        """Return the text in the place of a unit; ``None``: the unit itself."""
        choice, unit = self.choices[number], self.units[number]
        if choice.standing is Standing.OWN:
            return None
        if choice.standing is Standing.POOL:
            return self.fill(number, index).text
        if choice.standing is Standing.DROPPED:
            return DROPPED
        return write_labels(self.query.text, (unit.start, unit.end), unit.inside, "[{}]")
