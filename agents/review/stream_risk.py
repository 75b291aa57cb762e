"""What ``notes.risk`` says of the outputs of the stream, and which notes are red or yellow now."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from deidstream.schemas.note import NoteStatus
from deidstream.schemas.outcome import RiskLevel
from deidstream.schemas.wire import SCHEMA


@dataclass(frozen=True, slots=True)
class StreamRisk:
    """The risk record of an output in the stream; its ids are pseudonyms."""

    output_id: str
    note_id: str
    level: RiskLevel | None
    """``None``: the note was taken back."""
    score: float
    reasons: tuple[str, ...]
    seconds: float
    """When the record was written, on the Unix clock."""


def read_risk(value: bytes | None, seconds: float) -> StreamRisk | None:
    """Read a record of ``notes.risk``; ``None`` where it is something else."""
    try:
        fields = orjson.loads(value or b"")
        if fields["schema"] != SCHEMA:
            return None
        ids = str(fields["output_id"]), str(fields["note_id"])
        if fields.get("status") == NoteStatus.CANCELLED:
            return StreamRisk(*ids, None, 0.0, (), seconds)
        reasons = tuple(map(str, fields["reasons"]))
        level = RiskLevel(fields["level"])
        return StreamRisk(*ids, level, float(fields["score"]), reasons, seconds)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


@dataclass(slots=True)
class LatestRisks:
    """The notes whose latest record has one of some levels; records come in any order."""

    levels: frozenset[RiskLevel]
    _chosen: dict[str, StreamRisk] = field(default_factory=dict[str, StreamRisk])
    _written: dict[str, float] = field(default_factory=dict[str, float])
    """When the latest record of each note was written."""

    def add(self, record: StreamRisk) -> None:
        """Add a record; of two that were written in one moment the second counts."""
        note = record.note_id
        if record.seconds < self._written.get(note, 0):
            return
        self._written[note] = record.seconds
        self._chosen.pop(note, None)
        if record.level in self.levels:
            self._chosen[note] = record

    def newest(self) -> Sequence[StreamRisk]:
        """Return the chosen records, the newest first."""
        return sorted(self._chosen.values(), key=lambda one: (-one.seconds, one.note_id))
