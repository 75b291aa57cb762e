"""Decode the bytes of ``notes.raw``, and encode those of the output topics (schema 1).

Unknown fields are ignored, so that a sender may add some. Output bytes depend on the record alone.
"""

import codecs
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import cast

import orjson

from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.kneo_report import KneoReport
from deidstream.schemas.note import KnownIdentifiers, PolicyStamp, RawNote
from deidstream.schemas.outcome import Anonymized, AnonymizedNote, DeadLetter

SCHEMA = 1
NOTE_BYTES = 900_000
"""Default size limit of a message; Kafka's own is 1 MiB."""
MOST_KNOWN = 1_000
"""Entries of a note's ``known`` block: each is looked for in up to 700 written forms."""
LONGEST_KNOWN = 1_000
"""Characters of such an entry."""

_REQUIRED = ("note_id", "patient_id", "text")
_OPTIONAL = ("tenant", "note_type", "language", "authored_at")
_KNOWN = ("names", "identifiers", "dates", "phones", "addresses", "staff")

Fields = Mapping[str, object]


def decode(value: bytes, *, limit_bytes: int = NOTE_BYTES) -> RawNote:
    """Decode one ``notes.raw`` record.

    Args:
        value: The bytes of the message.
        limit_bytes: Longest value that is read.

    Raises:
        InvalidNote: It is not a note; the reason says why and quotes nothing of it.
    """
    if len(value) > limit_bytes:
        raise InvalidNote(Reason.TOO_LARGE)
    fields = _parse_object(value)
    _refuse_newer(fields)
    strings = {name: _read_required(fields, name) for name in _REQUIRED}
    strings |= {
        name: text for name in _OPTIONAL if (text := _read_optional(fields, name)) is not None
    }
    note = RawNote(**strings, known=_read_known(fields.get("known")))
    _refuse_empty(note)
    return note


def _parse_object(value: bytes) -> Fields:
    # Some senders begin each file, or each message, with a byte order mark.
    body = value.removeprefix(codecs.BOM_UTF8)
    skipped = len(value) - len(body)
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise InvalidNote(Reason.BAD_UTF8, position=skipped + error.start) from None
    try:
        parsed: object = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        position = skipped + len(text[: error.pos].encode())
        raise InvalidNote(_why_unreadable(text), position=position) from None
    if not isinstance(parsed, dict):
        raise InvalidNote(Reason.BAD_JSON, position=0)
    return cast("Fields", parsed)


def _why_unreadable(text: str) -> Reason:
    # orjson refuses lone surrogates as it refuses bad syntax; the stricter name helps the sender.
    try:
        parsed: object = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(parsed, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return Reason.BAD_UNICODE
    except (ValueError, RecursionError):
        return Reason.BAD_JSON
    return Reason.BAD_JSON


def _refuse_constant(_name: str) -> None:
    raise ValueError


def _refuse_newer(fields: Fields) -> None:
    schema = fields.get("schema", SCHEMA)
    if not isinstance(schema, int) or isinstance(schema, bool):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.SCHEMA)
    if not 1 <= schema <= SCHEMA:
        raise InvalidNote(Reason.UNKNOWN_SCHEMA, NoteField.SCHEMA)


def _read_required(fields: Fields, name: str) -> str:
    if fields.get(name) is None:
        raise InvalidNote(Reason.MISSING_FIELD, NoteField(name))
    return _read_string(fields[name], NoteField(name))


def _read_optional(fields: Fields, name: str) -> str | None:
    value = fields.get(name)
    return None if value is None else _read_string(value, NoteField(name))


def _read_string(value: object, field: NoteField) -> str:
    if not isinstance(value, str):
        raise InvalidNote(Reason.WRONG_TYPE, field)
    if "\0" in value:
        raise InvalidNote(Reason.BAD_UNICODE, field)
    return value


def _read_known(value: object) -> KnownIdentifiers:
    if value is None:
        return KnownIdentifiers()
    if not isinstance(value, dict):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.KNOWN)
    fields = cast("Fields", value)
    read = {name: _read_strings(fields.get(name), name) for name in _KNOWN}
    if sum(map(len, read.values())) > MOST_KNOWN:
        raise InvalidNote(Reason.TOO_LARGE, NoteField.KNOWN)
    return KnownIdentifiers(**read)


def _read_strings(value: object, name: str) -> tuple[str, ...]:
    if value is None:
        return ()
    field = NoteField(f"{NoteField.KNOWN}.{name}")
    if not isinstance(value, list):
        raise InvalidNote(Reason.WRONG_TYPE, field)
    entries = tuple(_read_string(item, field) for item in cast("list[object]", value))
    if any(len(entry) > LONGEST_KNOWN for entry in entries):
        raise InvalidNote(Reason.TOO_LARGE, field)
    return entries


def _refuse_empty(note: RawNote) -> None:
    for field in (NoteField.NOTE_ID, NoteField.PATIENT_ID, NoteField.TENANT):
        if not getattr(note, field).strip():
            raise InvalidNote(Reason.MISSING_FIELD, field)
    if not note.text.strip():
        raise InvalidNote(Reason.EMPTY_TEXT, NoteField.TEXT)


def encode_note(note: RawNote) -> bytes:
    """Encode a ``notes.raw`` record; what is absent is left out."""
    known = {name: list(getattr(note.known, name)) for name in _KNOWN if getattr(note.known, name)}
    optional = {name: getattr(note, name) for name in _OPTIONAL}
    record: dict[str, object] = {
        "schema": SCHEMA,
        **{name: getattr(note, name) for name in _REQUIRED},
        **{name: value for name, value in optional.items() if value is not None},
    }
    return orjson.dumps(record | ({"known": known} if known else {}))


def encode_anonymized(note: AnonymizedNote) -> bytes:
    """Encode a ``notes.anonymized`` record. It holds no spans: they would mark the surrogates."""
    return orjson.dumps(
        {
            "schema": SCHEMA,
            "output_id": note.output_id,
            "note_id": note.note_id,
            "patient_id": note.patient_id,
            "text": note.text,
            "language": note.language,
            "note_type": note.note_type,
            "authored_at": note.authored_at,
            "technique": note.technique,
            "policy": _encode_policy(note.policy),
            "pipeline": note.pipeline,
        }
        | ({"kneo": _encode_kneo(note.kneo)} if note.kneo else {})
    )


def _encode_kneo(report: KneoReport) -> Mapping[str, object]:
    record = asdict(report)
    found = report.deniability
    if found is not None:
        record["deniability"] |= {"reached": found.reached}
    return {name: value for name, value in record.items() if value is not None}


def _encode_policy(stamp: PolicyStamp) -> Mapping[str, str]:
    stated = {"name": stamp.name, "sha256": stamp.sha256}
    return stated | ({"release": stamp.release} if stamp.release else {})


def encode_risk(outcome: Anonymized) -> bytes:
    """Encode a ``notes.risk`` record."""
    note, risk = outcome.note, outcome.risk
    return orjson.dumps(
        {
            "schema": SCHEMA,
            "output_id": note.output_id,
            "note_id": note.note_id,
            "patient_id": note.patient_id,
            "level": risk.level,
            "score": risk.score,
            "measures": dict(risk.measures),
            "reasons": risk.reasons,
            "method": risk.method,
            "method_version": risk.method_version,
        }
    )


def encode_dead_letter(letter: DeadLetter) -> bytes:
    """Encode a ``notes.quarantine`` record: coordinates, never text."""
    failed = letter.failed
    places = {"field": failed.field, "position": failed.position}
    return orjson.dumps(
        {
            "schema": SCHEMA,
            "source": letter.source,
            "reason": failed.reason,
            "stage": failed.stage,
            "attempts": failed.attempts,
            **{name: place for name, place in places.items() if place is not None},
            "pipeline": letter.pipeline,
        }
    )


def encode_audit(note: AnonymizedNote, note_id: str | None = None) -> bytes:
    """Encode a ``notes.audit`` record: where PHI was, and how it was replaced.

    Args:
        note: The note as emitted.
        note_id: Overrides the pseudonym; files keep the id as given, topics never do.
    """
    replacements = [
        {
            "start": r.span.start,
            "end": r.span.end,
            "label": r.span.label,
            "source": r.span.source,
            "score": r.span.score,
            "operator": r.operator,
            "out_start": r.out_start,
            "out_end": r.out_end,
        }
        for r in note.permit.replacements
    ]
    shown = {"note_id": note.note_id if note_id is None else note_id, "text": note.text}
    return orjson.dumps({"schema": SCHEMA, **shown, "replacements": replacements})
