"""Join the records of the output topics to one row for each note.

The topics are read apart, so a part may come long before the others of its output. The last record
of a note in each topic counts. When the last ones of all topics belong to one output, they become
the note's row, or delete it if they take the note back. So the same records in any interleaving of
the topics, once or several times, give the same rows.

Parts that wait are kept in memory and nowhere else: the positions that are stored with the rows
stay before them, so that they are read again after a crash.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from deidstream.agents.tables.output_parts import OutputPart, PartKind, Row
from deidstream.schemas.outcome import Coordinates, Place

REQUIRED = frozenset({PartKind.NOTE, PartKind.RISK})
"""Parts that every row has; a record that takes a note back comes on both topics."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """The new row of a note, or its deletion."""

    note_id: str
    output_id: str
    row: Row | None = field(repr=False)
    """The row; ``None``: it is deleted."""


@dataclass(frozen=True, slots=True)
class _WaitingPart:
    """A part whose others have not come, and where it lies."""

    part: OutputPart
    source: Coordinates


@dataclass(slots=True)
class NoteJoin:
    """Joins parts to rows, and keeps the changes not yet written and the parts that wait."""

    kinds: frozenset[PartKind] = REQUIRED
    """The parts of a row."""
    changes: dict[str, RowChange] = field(default_factory=dict[str, RowChange])
    """By note."""
    _waiting: dict[str, dict[PartKind, _WaitingPart]] = field(
        default_factory=dict[str, dict[PartKind, _WaitingPart]]
    )

    def take(self, part: OutputPart, source: Coordinates) -> None:
        """Take the next record of a partition."""
        parts = self._waiting.setdefault(part.note_id, {})
        parts[part.kind] = _WaitingPart(part, source)
        needed = REQUIRED if part.cancelled else self.kinds
        if any(k not in parts or parts[k].part.output_id != part.output_id for k in needed):
            return
        row = None if part.cancelled else _merge(each.part for each in parts.values())
        self.changes[part.note_id] = RowChange(part.note_id, part.output_id, row)
        del self._waiting[part.note_id]

    def waiting_notes(self) -> Collection[str]:
        """Return the notes of which a part waits."""
        return self._waiting.keys()

    def count_waiting(self, kind: PartKind | None = None) -> int:
        """Count the parts that wait, of one kind or of all."""
        return sum(
            kind is None or each is kind for parts in self._waiting.values() for each in parts
        )

    def settle(self, current: Mapping[str, str]) -> None:
        """Drop parts of rows that exist already, and retractions of rows that do not exist.

        Args:
            current: The output of the row of each waiting note that has one, in the table.
        """
        for note_id, parts in list(self._waiting.items()):
            change = self.changes.get(note_id)
            if change is None:
                output_id = current.get(note_id)
            else:
                output_id = None if change.row is None else change.output_id
            for kind, each in list(parts.items()):
                idle = each.part.cancelled and output_id is None
                if idle or each.part.output_id == output_id:
                    del parts[kind]
            if not parts:
                del self._waiting[note_id]

    def give_up_oldest(self, most: int) -> list[Coordinates]:
        """Drop the parts that have waited longest, until ``most`` are left; return their places."""
        dropped: list[Coordinates] = []
        excess = self.count_waiting() - most
        for note_id in list(self._waiting):
            if len(dropped) >= excess:
                break
            dropped += [each.source for each in self._waiting.pop(note_id).values()]
        return dropped

    def first_waiting(self) -> dict[Place, int]:
        """Return the least offset of a waiting part, by partition."""
        first: dict[Place, int] = {}
        for each in self._all_waiting():
            place = each.source.place
            first[place] = min(first.get(place, each.source.offset), each.source.offset)
        return first

    def take_changes(self) -> list[RowChange]:
        """Return the changes since the last time, by note, and forget them."""
        changes, self.changes = self.changes, {}
        return sorted(changes.values(), key=lambda change: change.note_id)

    def _all_waiting(self) -> Iterator[_WaitingPart]:
        return (each for parts in self._waiting.values() for each in parts.values())


def _merge(parts: "Iterator[OutputPart]") -> Row:
    row: Row = {"entities": None}
    for part in parts:
        row |= part.columns
    return row
