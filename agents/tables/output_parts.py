"""Read the records of the output topics as parts of rows.

Three topics have a part of each note: its text, its risk and, where spans are emitted, its
entities. Parts of one output have one ``output_id``.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import cast

import orjson

from deidstream.schemas.note import NoteStatus
from deidstream.schemas.outcome import LevelRule
from deidstream.schemas.wire import SCHEMA

NO_MONTH = "unknown"
"""Month of a note without a moment of writing."""
_LONGEST_ID = 128
"""Characters of a pseudonym: one has 32."""
_LARGEST = 2**63 - 1
"""The whole numbers of tables have 64 bits."""
_MONTH = re.compile("[0-9]{4}-[0-9]{2}")
Fields = Mapping[str, object]
Row = dict[str, object]
"""Values by the names of ``note_columns``; lists and maps as sorted or given in the record."""


class PartKind(StrEnum):
    """Which part of a row a record has."""

    NOTE = "anonymized"
    RISK = "risk"
    ENTITIES = "audit"


class InvalidRecord(Exception):
    """The value is no record of its topic; the message never quotes it."""


@dataclass(frozen=True, slots=True)
class OutputPart:
    """One record of an output."""

    kind: PartKind
    output_id: str
    note_id: str
    cancelled: bool
    """Whether it takes the note back."""
    columns: Row = field(repr=False)
    """Its columns of the row; empty where the note is taken back."""
    precedence: str | None = None
    """Greater for a newer version of the note."""


def read_part(kind: PartKind, value: bytes | None) -> OutputPart:
    """Read a record.

    Args:
        kind: Which part the topic has.
        value: The value of the message.

    Raises:
        InvalidRecord: It does not belong to this topic, or has a newer schema.
    """
    try:
        fields = cast("Fields", orjson.loads(value or b""))
        if fields["schema"] != SCHEMA:
            raise InvalidRecord
        cancelled = fields.get("status") == NoteStatus.CANCELLED
        columns = {} if cancelled else _READ[kind](fields)
        part = OutputPart(
            kind,
            _read_id(fields, "output_id"),
            _read_id(fields, "note_id"),
            cancelled,
            columns,
            _text_or_none(fields, "precedence"),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InvalidRecord from None
    return part


def _read_note(fields: Fields) -> Row:
    policy = cast("Fields", fields["policy"])
    pipeline = cast("Fields", fields["pipeline"])
    moment = _text_or_none(fields, "authored_at")
    kneo = fields.get("kneo")
    return {
        "output_id": _text(fields, "output_id"),
        "note_id": _text(fields, "note_id"),
        "patient_id": _text(fields, "patient_id"),
        "status": _text_or_none(fields, "status"),
        "precedence": _text_or_none(fields, "precedence"),
        "correlation": _text_or_none(fields, "correlation"),
        "text": _text(fields, "text"),
        "language": _text_or_none(fields, "language"),
        "note_type": _text_or_none(fields, "note_type"),
        "authored_at": moment,
        "month": moment[:7] if moment and _MONTH.match(moment) else NO_MONTH,
        "technique": _text(fields, "technique"),
        "policy": _text(policy, "name"),
        "policy_sha256": _text(policy, "sha256"),
        "release": _text_or_none(policy, "release"),
        "version": _text(pipeline, "version"),
        "recognizers": _texts(pipeline, "recognizers"),
        **{name: _text_or_none(pipeline, name) for name in ("tagger", "embedder", "index")},
        "vectors": _text_or_none(pipeline, "vectors"),
        "key_version": _whole(pipeline["key_version"]),
        "mapping": _text(pipeline, "mapping"),
        "epoch": _whole(pipeline["epoch"]),
        "changes": _read_counts(fields.get("changes")),
        "kneo": None if kneo is None else _sorted_json(kneo),
    }


def _read_risk(fields: Fields) -> Row:
    return {
        "level": _text(fields, "level"),
        "score": float(cast("float", fields["score"])),
        "measures": _numbers(fields["measures"]),
        "reasons": _texts(fields, "reasons"),
        "method": _text(fields, "method"),
        "method_version": _whole(fields.get("method_version", 1)),
        "rule": _checked(fields.get("rule", LevelRule.THRESHOLD.value)),
        "cuts": _numbers(fields["cuts"]) if "cuts" in fields else None,
    }


def _numbers(found: object) -> Mapping[str, float]:
    numbers = cast("Mapping[str, float]", found)
    return {_checked(name): float(value) for name, value in sorted(numbers.items())}


def _read_counts(found: object) -> Mapping[str, int] | None:
    if found is None:
        return None
    counts = cast("Mapping[str, object]", found)
    return {_checked(name): _whole(count) for name, count in sorted(counts.items())}


def _read_entities(fields: Fields) -> Row:
    replacements = cast("Sequence[Fields]", fields["replacements"])
    counts = Counter(_text(each, "label") for each in replacements)
    return {"entities": dict(sorted(counts.items()))}


_READ = {
    PartKind.NOTE: _read_note,
    PartKind.RISK: _read_risk,
    PartKind.ENTITIES: _read_entities,
}


def _read_id(fields: Fields, name: str) -> str:
    found = _text(fields, name)
    if not 0 < len(found) <= _LONGEST_ID:
        raise InvalidRecord
    return found


def _text(fields: Fields, name: str) -> str:
    return _checked(fields[name])


def _text_or_none(fields: Fields, name: str) -> str | None:
    value = fields.get(name)
    return None if value is None else _checked(value)


def _texts(fields: Fields, name: str) -> list[str]:
    return [_checked(each) for each in cast("Sequence[object]", fields[name])]


def _checked(value: object) -> str:
    # PostgreSQL stores no NUL, and no output of ours holds one.
    if not isinstance(value, str) or "\0" in value:
        raise InvalidRecord
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        raise InvalidRecord
    return value


def _sorted_json(value: object) -> str:
    return _checked(orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode())
