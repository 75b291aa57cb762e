"""Decode the records of ``notes.quarantine``: dead letters, and the marks of operators.

A mark is its dead letter again with the object ``mark``, so that it keeps to the same contract.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

import orjson

from deidstream.schemas.errors import NoteField, Reason, Stage
from deidstream.schemas.outcome import Coordinates


class Action(StrEnum):
    """What an operator did with a dead letter."""

    REPLAYED = "replayed"
    DISCARDED = "discarded"


class Cause(StrEnum):
    """Why a dead letter was discarded: a closed list, because free text may hold PHI."""

    NO_NOTE = "no-note"
    """It is no clinical note."""
    TEST_DATA = "test-data"
    """It was sent for a test."""
    SENT_AGAIN = "sent-again"
    """The sender has corrected it and sent it again."""
    GONE = "gone"
    """The raw topic no longer holds the original."""
    OTHER = "other"
    """The operator's ticket says why."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What an operator did with a dead letter."""

    action: Action
    by: str
    at: str
    """ISO 8601, in UTC."""
    why: Cause | None = None
    case: str | None = None
    """Number of the operator's ticket."""


@dataclass(frozen=True, slots=True)
class QuarantineRecord:
    """One record of the quarantine topic."""

    source: Coordinates
    reason: str
    """A :class:`Reason`; another version may know others."""
    stage: str
    attempts: int
    field: str | None
    position: int | None
    pipeline: bytes
    """As JSON."""
    correlation: str | None = None
    mark: Mark | None = None


def decode_quarantine_record(value: bytes) -> QuarantineRecord | None:
    """Decode a record; return ``None`` for what is none of ours."""
    try:
        fields: object = orjson.loads(value)
        return _read_record(cast("Mapping[str, object]", fields))
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _read_record(fields: Mapping[str, object]) -> QuarantineRecord:
    place = cast("Mapping[str, object]", fields["source"])
    mark = fields.get("mark")
    field, position = fields.get("field"), fields.get("position")
    correlation = fields.get("correlation")
    return QuarantineRecord(
        source=Coordinates(
            str(place["topic"]), _whole_number(place["partition"]), _whole_number(place["offset"])
        ),
        reason=_known_name(Reason, fields["reason"]),
        stage=_known_name(Stage, fields["stage"]),
        attempts=_whole_number(fields["attempts"]),
        field=None if field is None else _known_name(NoteField, field),
        position=None if position is None else _whole_number(position),
        pipeline=orjson.dumps(fields["pipeline"]),
        correlation=None if correlation is None else str(correlation),
        mark=None if mark is None else _read_mark(cast("Mapping[str, object]", mark)),
    )


def _read_mark(fields: Mapping[str, object]) -> Mark:
    why, case = fields.get("why"), fields.get("case")
    return Mark(
        Action(str(fields["action"])),
        str(fields["by"]),
        str(fields["at"]),
        None if why is None else Cause(str(why)),
        None if case is None else str(case),
    )


def _whole_number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _known_name(names: type[StrEnum], value: object) -> str:
    """Return the name as the member of the enumeration, so that each is kept in memory once."""
    text = str(value)
    return names(text) if text in {str(name) for name in names} else text


def encode_quarantine_record(record: QuarantineRecord, mark: Mark) -> bytes:
    """Encode the mark of a dead letter."""
    places = {
        "field": record.field,
        "position": record.position,
        "correlation": record.correlation,
    }
    details = {"why": mark.why, "case": mark.case}
    return orjson.dumps(
        {
            "schema": 1,
            "source": record.source,
            "reason": record.reason,
            "stage": record.stage,
            "attempts": record.attempts,
            **{name: place for name, place in places.items() if place is not None},
            "pipeline": orjson.Fragment(record.pipeline),
            "mark": {
                "action": mark.action,
                "by": mark.by,
                "at": mark.at,
                **{name: detail for name, detail in details.items() if detail is not None},
            },
        }
    )
