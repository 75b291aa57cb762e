"""Declare what a table of notes does, whatever keeps it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from deidstream.agents.tables.note_join import NoteState, RowChange
from deidstream.schemas.outcome import Place

Positions = Mapping[Place, int]
"""By topic and partition, the offset from which the topic is read on."""
BUSY = "another process writes this table"


@dataclass(frozen=True, slots=True)
class Written:
    """How many rows an update changed; rows that were the same already are not written."""

    rows: int = 0
    deleted: int = 0

    def __add__(self, other: "Written") -> "Written":
        """Return the sums."""
        return Written(self.rows + other.rows, self.deleted + other.deleted)


class NoteTable(Protocol):
    """A table with one row for each note, and the positions that it has been read to.

    One process at a time writes it.
    """

    def positions(self, places: Collection[Place]) -> dict[Place, int]:
        """Return the stored positions of these partitions; those that were never read have none."""
        ...

    def find(self, note_ids: Collection[str]) -> dict[str, NoteState]:
        """Return what the table has of each of these notes: its row, else that it is taken back."""
        ...

    def apply(self, changes: Sequence[RowChange], positions: Positions) -> Written:
        """Write changes and positions, so that a crash leaves both or a state to start from again.

        Of a note that is taken back, the table keeps the ids and the precedence.

        Args:
            changes: At most one of each note, sorted by note.
            positions: Of all partitions that were read.
        """
        ...

    def close(self) -> None:
        """Release the table, so that another process may write it."""
        ...
