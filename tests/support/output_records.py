"""Records of the output topics, as a worker writes them; every note is invented."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from deidstream.agents.tables.note_join import NoteJoin, RowChange
from deidstream.agents.tables.note_table import NoteTable
from deidstream.agents.tables.output_parts import PartKind, read_part
from deidstream.models.keyring import Keyring
from deidstream.models.precedence import state_precedence
from deidstream.schemas.note import NoteStatus, PolicyStamp, RawNote
from deidstream.schemas.outcome import (
    Anonymized,
    Coordinates,
    LevelCuts,
    LevelRule,
    Retracted,
    RiskLevel,
    RiskReport,
)
from deidstream.schemas.wire import encode_anonymized, encode_audit, encode_retraction, encode_risk
from support.notes import stamp
from support.outcomes import anonymized

TOPICS = {
    PartKind.NOTE: "notes.anonymized",
    PartKind.RISK: "notes.risk",
    PartKind.ENTITIES: "notes.audit",
}
LEVELS = tuple(RiskLevel)


@dataclass(frozen=True, slots=True)
class SampleNote:
    """One version of a note."""

    number: int
    version: int = 0
    cancelled: bool = False
    stated: bool = False
    """Whether the source states the version."""

    @property
    def note_id(self) -> str:
        """Its pseudonym."""
        return f"{self.number * 0x9E3779B97F4A7C15 % 2**128:032x}"

    @property
    def output_id(self) -> str:
        """The id of its output."""
        return f"{self.number:016x}{self.version:015x}{int(self.cancelled)}"

    @property
    def partition(self) -> int:
        """The partition of its patient."""
        return self.number % 3

    def outcome(self) -> Anonymized:
        """Its outcome; the months and levels of notes differ."""
        made = anonymized(f"Text {self.number}, {self.version}.\nSeen, says “τ 😀”, and 'x'")
        note = replace(
            made.note,
            output_id=self.output_id,
            note_id=self.note_id,
            patient_id=f"{self.partition:032x}",
            policy=PolicyStamp("test", "0" * 64, "r1" if self.number % 5 == 0 else ""),
            language="en",
            note_type="progress note" if self.number % 2 else None,
            authored_at=self.authored_at(),
            correlation=f"feed-{self.number}" if self.number % 3 else None,
            status=NoteStatus.CORRECTED if self.version else None,
            precedence=self.precedence,
        )
        level = LEVELS[(self.number + self.version) % 3]
        measures = {"residual": 0.125, "quasi": round(self.number % 7 / 7, 4)}
        report = RiskReport(level, 0.5, measures, ("RARE_WORD", "AGE"), "quasi", 2)
        if self.number % 2:
            cuts = LevelCuts(0.25, round(0.5 + self.number % 3 / 8, 4))
            report = replace(report, rule=LevelRule.SHARE_OF_TYPE, cuts=cuts)
        return Anonymized(note, report)

    @property
    def precedence(self) -> str | None:
        """Greater for a newer version, where the source states it."""
        if not self.stated:
            return None
        status = NoteStatus.CANCELLED if self.cancelled else None
        raw = RawNote("n", "p", "", version=self.version, status=status)
        return state_precedence(Keyring(bytes(32), 1, "default"), self.note_id, raw)

    def authored_at(self) -> str | None:
        """When it was written; a correction may have been in another month."""
        month = (self.number + self.version) % 14
        return f"2031-{month:02}-07T10:00:00Z" if 1 <= month <= 12 else None

    def records(self) -> Mapping[PartKind, bytes]:
        """Its records by topic."""
        return _records(self)


@cache
def _records(note: SampleNote) -> Mapping[PartKind, bytes]:
    if note.cancelled:
        ids = (note.output_id, note.note_id, f"{note.partition:032x}")
        retracted = Retracted(*ids, PolicyStamp("test", "0" * 64), stamp(), note.precedence)
        value = encode_retraction(retracted)
        return {PartKind.NOTE: value, PartKind.RISK: value}
    outcome = note.outcome()
    return {
        PartKind.NOTE: encode_anonymized(outcome.note),
        PartKind.RISK: encode_risk(outcome),
        PartKind.ENTITIES: encode_audit(outcome.note),
    }


def history(count: int) -> list[SampleNote]:
    """Notes of which some are corrected, cancelled, or sent again after that."""
    notes = [SampleNote(number) for number in range(count)]
    notes += [SampleNote(number, 1) for number in range(0, count, 4)]
    notes += [SampleNote(number, 2, cancelled=True) for number in range(0, count, 6)]
    notes += [SampleNote(number, 3) for number in range(0, count, 12)]
    return notes


def left_over(notes: Sequence[SampleNote]) -> dict[str, str]:
    """The output of the row that each note should have."""
    last = {note.note_id: note for note in notes}
    return {note_id: note.output_id for note_id, note in last.items() if not note.cancelled}


def placed(notes: Sequence[SampleNote], kind: PartKind) -> Iterator[tuple[Coordinates, bytes]]:
    """The records of one topic in its order, with their places."""
    ends: dict[int, int] = {}
    for note in notes:
        if (value := note.records().get(kind)) is not None:
            offset = ends.get(note.partition, 0)
            ends[note.partition] = offset + 1
            yield Coordinates(TOPICS[kind], note.partition, offset), value


def changes_of(notes: Sequence[SampleNote]) -> list[RowChange]:
    """What becomes of the rows of notes whose records all have come."""
    join = NoteJoin()
    for kind in (PartKind.NOTE, PartKind.RISK):
        for note in notes:
            part = read_part(kind, note.records()[kind])
            join.take(part, Coordinates(TOPICS[kind], note.partition, 0))
    return join.take_changes()


@dataclass(frozen=True, slots=True)
class Versions:
    """Notes whose versions come by several ways."""

    archive: Sequence[SampleNote]
    """Old versions of all, and the newest of some."""
    feed: Sequence[SampleNote]
    """Every version in its order: new notes, corrections, retractions, and a note sent again."""

    @classmethod
    def make(cls, count: int) -> "Versions":
        """Make those of some notes."""
        feed = [SampleNote(number, stated=True) for number in range(count)]
        feed += [SampleNote(number, 1, stated=True) for number in range(0, count, 2)]
        feed += [SampleNote(n, 2, cancelled=True, stated=True) for n in range(0, count, 3)]
        feed += [SampleNote(number, 3, stated=True) for number in range(0, count, 6)]
        archive = [note for note in feed if note.version == note.number % 2 and not note.cancelled]
        return cls(archive, feed)

    def interleave(self, mixed: random.Random) -> list[SampleNote]:
        """Return what comes in one of many orders: some stretches of the feed come again."""
        start = mixed.randrange(len(self.feed))
        replay = self.feed[start : start + mixed.randrange(len(self.feed))]
        ways = [list(self.archive), list(self.feed), list(replay), [*reversed(self.archive)]]
        came: list[SampleNote] = []
        while ways := [way for way in ways if way]:
            way = mixed.choice(ways)
            came += [way.pop(0) for _ in range(min(len(way), mixed.randint(1, 9)))]
        return came

    def newest(self) -> dict[str, str]:
        """Return the output of the row that each note should have in the end."""
        return left_over(sorted(self.feed, key=lambda note: note.version))


def export_into(table: NoteTable, came: Sequence[SampleNote], mixed: random.Random) -> None:
    """Bring records into a table as an export does: topics apart, and writes in between."""
    join = NoteJoin()
    ways = [
        [(kind, *each) for each in placed(came, kind)] for kind in (PartKind.NOTE, PartKind.RISK)
    ]
    while ways := [way for way in ways if way]:
        way = mixed.choice(ways)
        for _ in range(min(len(way), mixed.randint(1, 20))):
            kind, source, value = way.pop(0)
            join.take(read_part(kind, value), source)
        if mixed.random() < 0.3 or not any(ways):
            write_changes(table, join)


def write_changes(table: NoteTable, join: NoteJoin) -> None:
    """Write what has changed, as an export does."""
    join.settle(table.find([*join.open_notes()]))
    table.apply(join.take_changes(), {})
