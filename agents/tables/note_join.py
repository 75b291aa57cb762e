"""Join the records of the output topics to one row for each note.

The topics are read apart, so a part may come long before the others of its output. The newest
record of a note in each topic counts; of records of one version, or whose versions are unknown, the
last one. When the newest ones of all topics belong to one output, they become the note's row, or
delete it if they take the note back. So the same records in any interleaving of the topics, once or
several times, give the same rows, and an older version that comes late changes nothing.

Parts that wait are kept in memory and nowhere else: the positions that are stored with the rows
stay before them, so that they are read again after a crash.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from deidstream.agents.tables.output_parts import OutputPart, PartKind, Row
from deidstream.models.precedence import end_version, is_older
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
    precedence: str | None = None
    """Of the version that the row has, or that takes the note back; ``None``: unknown."""

    @property
    def unplaced(self) -> bool:
        """Whether it takes back whatever was there before it."""
        return self.row is None and self.precedence is None


def list_retractions(changes: Iterable[RowChange]) -> list[RowChange]:
    """Return the deletions that tables remember: those before which some version was known."""
    return [one for one in changes if one.row is None and one.precedence is not None]


@dataclass(frozen=True, slots=True)
class NoteState:
    """What a table has of a note: its row, or that it was taken back."""

    output_id: str
    precedence: str | None = None
    gone: bool = False


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
        held = parts.get(part.kind)
        if held is not None and _is_outdated(part, held.part.precedence):
            return
        parts[part.kind] = _WaitingPart(part, source)
        needed = REQUIRED if part.cancelled else self.kinds
        if any(k not in parts or parts[k].part.output_id != part.output_id for k in needed):
            return
        row = None if part.cancelled else _merge(each.part for each in parts.values())
        del self._waiting[part.note_id]
        change = RowChange(part.note_id, part.output_id, row, part.precedence)
        pending = self.changes.get(part.note_id)
        if pending is not None:
            placed = _place_change(change, _state_after(pending))
            change = pending if placed is None else placed
        self.changes[part.note_id] = change

    def open_notes(self) -> Collection[str]:
        """Return the notes that change, and those of which a part waits."""
        return self._waiting.keys() | self.changes.keys()

    def count_waiting(self, kind: PartKind | None = None) -> int:
        """Count the parts that wait, of one kind or of all."""
        return sum(
            kind is None or each is kind for parts in self._waiting.values() for each in parts
        )

    def settle(self, current: Mapping[str, NoteState]) -> None:
        """Drop what is older than the table, or in it already.

        Args:
            current: What the table has of the notes that change or wait.
        """
        for note_id, change in list(self.changes.items()):
            state = current.get(note_id)
            placed = change if state is None else _place_change(change, state)
            if placed is None:
                del self.changes[note_id]
            else:
                self.changes[note_id] = placed
        for note_id, parts in list(self._waiting.items()):
            later = self.changes.get(note_id)
            state = _state_after(later) if later else current.get(note_id)
            for kind, each in list(parts.items()):
                if _is_idle(each.part, state):
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


def _is_outdated(part: OutputPart, precedence: str | None) -> bool:
    """Return whether a part is older; a retraction that states no version is of the last one."""
    unplaced = part.cancelled and part.precedence is None
    return not unplaced and is_older(part.precedence, precedence)


def _place_change(change: RowChange, state: NoteState) -> RowChange | None:
    """Return a change as it is after what there is already; ``None``: it is older than that."""
    if change.unplaced:
        return replace(change, precedence=end_version(state.precedence))
    return None if is_older(change.precedence, state.precedence) else change


def _state_after(change: RowChange) -> NoteState:
    return NoteState(change.output_id, change.precedence, gone=change.row is None)


def _is_idle(part: OutputPart, state: NoteState | None) -> bool:
    """Return whether a part that waits would change nothing."""
    if state is None:
        return part.cancelled and part.precedence is None
    same = part.output_id == state.output_id
    if part.cancelled and part.precedence is None:
        return state.gone
    return _is_outdated(part, state.precedence) or (same and part.cancelled == state.gone)


def _merge(parts: "Iterator[OutputPart]") -> Row:
    row: Row = {"entities": None}
    for part in parts:
        row |= part.columns
    return row
