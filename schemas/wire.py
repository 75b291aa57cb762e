"""Decode the bytes of ``notes.raw``, and encode those of the output topics (schema 1).

Unknown fields are ignored, so that a sender may add some. Output bytes depend on the record alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import cast

import orjson

from deidstream.schemas.correlation import LONGEST, is_well_formed
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.json_object import Fields, parse_object
from deidstream.schemas.kneo_report import KneoReport
from deidstream.schemas.note import (
    KnownIdentifiers,
    LinkType,
    NoteStatus,
    PatientLink,
    PolicyStamp,
    RawNote,
)
from deidstream.schemas.outcome import (
    Anonymized,
    AnonymizedNote,
    Coordinates,
    DeadLetter,
    LinkedPatients,
    Retracted,
)
from deidstream.schemas.source_version import read_moment, read_version
from deidstream.schemas.span import Span

SCHEMA = 1
NOTE_BYTES = 900_000
"""Default size limit of a message; Kafka's own is 1 MiB."""
MOST_KNOWN = 1_000
"""Entries of a note's ``known`` block: each is looked for in up to 700 written forms."""
LONGEST_KNOWN = 1_000
"""Characters of such an entry."""
MOST_LINKS = 100
"""Other numbers of a note's patient: each may be a question to the store."""

_IDS = ("note_id", "patient_id")
_REQUIRED = (*_IDS, "text")
_OPTIONAL = ("tenant", "note_type", "language", "authored_at", "source_time", "correlation")
_KNOWN = ("names", "identifiers", "dates", "phones", "addresses", "staff")

_SPAN = ("start", "end", "label", "source", "score")


def decode(value: bytes, *, limit_bytes: int = NOTE_BYTES) -> RawNote:
    """Decode one ``notes.raw`` record.

    Args:
        value: The bytes of the message.
        limit_bytes: Longest value that is read.

    Raises:
        InvalidNote: It is not a note; the reason says why and quotes nothing of it.
    """
    return read_note(parse_object(value, limit_bytes=limit_bytes))


def read_note(fields: Fields) -> RawNote:
    """Read the fields of a ``notes.raw`` record.

    Raises:
        InvalidNote: They are not of a note; the reason says why and quotes nothing of it.
    """
    _refuse_newer(fields)
    status = _read_status(fields)
    required = _IDS if status is NoteStatus.CANCELLED else _REQUIRED
    fields = dict(fields) | {name: str(fields[name]) for name in _IDS if _is_number(fields, name)}
    strings = {"text": ""} | {name: _read_required(fields, name) for name in required}
    strings |= {
        name: text for name in _OPTIONAL if (text := _read_optional(fields, name)) is not None
    }
    note = RawNote(
        **strings,
        form=None,
        known=_read_known(fields.get("known")),
        status=status,
        links=_read_links(fields.get("links")),
        states_links=False,
        version=_read_version(fields),
    )
    _refuse_empty(note)
    if note.source_time is not None and read_moment(note.source_time) is None:
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.SOURCE_TIME)
    _refuse_ill_formed(note.correlation)
    return note


def _is_number(fields: Fields, name: str) -> bool:
    value = fields.get(name)
    return isinstance(value, int) and not isinstance(value, bool)


def _refuse_newer(fields: Fields) -> None:
    schema = fields.get("schema", SCHEMA)
    if not isinstance(schema, int) or isinstance(schema, bool):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.SCHEMA)
    if not 1 <= schema <= SCHEMA:
        raise InvalidNote(Reason.UNKNOWN_SCHEMA, NoteField.SCHEMA)


def _read_status(fields: Fields) -> NoteStatus | None:
    written = _read_optional(fields, NoteField.STATUS)
    if written is not None and written not in set(NoteStatus):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.STATUS)
    return None if written is None else NoteStatus(written)


def _read_version(fields: Fields) -> int | None:
    stated = fields.get(NoteField.VERSION)
    version = read_version(stated)
    if version is None and stated is not None:
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.VERSION)
    return version


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


def _read_links(value: object) -> tuple[PatientLink, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.LINKS)
    entries = cast("list[object]", value)
    if len(entries) > MOST_LINKS:
        raise InvalidNote(Reason.TOO_LARGE, NoteField.LINKS)
    return tuple(_read_link(entry) for entry in entries)


def _read_link(entry: object) -> PatientLink:
    if not isinstance(entry, dict):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.LINKS)
    fields = cast("Fields", entry)
    written = _read_string(fields.get("type"), NoteField.LINKS)
    other = _read_string(fields.get("patient_id"), NoteField.LINKS)
    if written not in set(LinkType):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.LINKS)
    if not other.strip():
        raise InvalidNote(Reason.MISSING_FIELD, NoteField.LINKS)
    return PatientLink(LinkType(written), other)


def _refuse_ill_formed(correlation: str | None) -> None:
    if correlation is None:
        return
    if len(correlation) > LONGEST:
        raise InvalidNote(Reason.TOO_LARGE, NoteField.CORRELATION)
    if not is_well_formed(correlation):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.CORRELATION)


def _refuse_empty(note: RawNote) -> None:
    for field in (NoteField.NOTE_ID, NoteField.PATIENT_ID, NoteField.TENANT):
        if not getattr(note, field).strip():
            raise InvalidNote(Reason.MISSING_FIELD, field)
    if not note.cancelled and not note.text.strip():
        raise InvalidNote(Reason.EMPTY_TEXT, NoteField.TEXT)


def encode_note(note: RawNote) -> bytes:
    """Encode a ``notes.raw`` record; what is absent is left out."""
    known = encode_known(note.known)
    optional = {name: getattr(note, name) for name in (*_OPTIONAL, "version", "status")}
    required = _IDS if note.cancelled else _REQUIRED
    record: dict[str, object] = {
        "schema": SCHEMA,
        **{name: getattr(note, name) for name in required},
        **{name: value for name, value in optional.items() if value is not None},
    }
    if note.form is not None:
        del record["text"]
        record[note.form.kind.value] = orjson.Fragment(note.form.came_as)
    # What a document states of links is read from it again.
    if note.links and not note.states_links:
        record["links"] = [{"type": one.type, "patient_id": one.patient_id} for one in note.links]
    return orjson.dumps(record | ({"known": known} if known else {}))


def encode_known(known: KnownIdentifiers) -> dict[str, list[str]]:
    """Return the ``known`` block of a record; what is absent is left out."""
    return {name: list(getattr(known, name)) for name in _KNOWN if getattr(known, name)}


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
        | _encode_precedence(note.precedence)
        | _encode_correlation(note.correlation)
        | ({"changes": asdict(note.changes)} if note.changes else {})
        | ({"kneo": _encode_kneo(note.kneo)} if note.kneo else {})
        | ({"status": note.status} if note.status else {})
        | ({"resource": orjson.Fragment(note.resource)} if note.resource else {})
        | ({"document": note.document} if note.document else {})
    )


def encode_retraction(retracted: Retracted) -> bytes:
    """Encode the record that takes a note back, for ``notes.anonymized`` and ``notes.risk``."""
    return orjson.dumps(
        {
            "schema": SCHEMA,
            "output_id": retracted.output_id,
            "note_id": retracted.note_id,
            "patient_id": retracted.patient_id,
            "status": NoteStatus.CANCELLED,
            "policy": _encode_policy(retracted.policy),
            "pipeline": retracted.pipeline,
        }
        | _encode_precedence(retracted.precedence)
    )


def _encode_precedence(precedence: str | None) -> dict[str, object]:
    return {} if precedence is None else {"precedence": precedence}


def encode_linked(linked: LinkedPatients) -> bytes:
    """Encode a ``notes.patients`` record: pseudonyms alone."""
    return orjson.dumps(
        {
            "schema": SCHEMA,
            "output_id": linked.output_id,
            "patient_id": linked.patient_id,
            "type": linked.type,
            "other_id": linked.other_id,
            "policy": _encode_policy(linked.policy),
            "pipeline": linked.pipeline,
        }
    )


def _encode_correlation(correlation: str | None) -> dict[str, object]:
    return {} if correlation is None else {"correlation": correlation}


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
            "rule": risk.rule,
        }
        | _encode_precedence(note.precedence)
        | ({"cuts": asdict(risk.cuts)} if risk.cuts else {})
        | _encode_correlation(note.correlation)
    )


def encode_dead_letter(letter: DeadLetter) -> bytes:
    """Encode a ``notes.quarantine`` record: coordinates, never text."""
    failed = letter.failed
    places = {"field": failed.field, "position": failed.position, "attachment": failed.fault}
    return orjson.dumps(
        {
            "schema": SCHEMA,
            "source": letter.source,
            "reason": failed.reason,
            "stage": failed.stage,
            "attempts": failed.attempts,
            **{name: place for name, place in places.items() if place is not None},
            **_encode_correlation(failed.correlation),
            "pipeline": letter.pipeline,
        }
    )


def encode_audit(note: AnonymizedNote, note_id: str | None = None) -> bytes:
    """Encode a ``notes.audit`` record: where PHI was, and how it was replaced.

    Args:
        note: The note as emitted.
        note_id: Overrides the pseudonym; files keep the id as given, topics never do.
    """
    ids = {"output_id": note.output_id, "note_id": note.note_id if note_id is None else note_id}
    shown = {"text": note.text, "replacements": list_replacements(note)}
    return orjson.dumps({"schema": SCHEMA, **ids, **shown} | _encode_precedence(note.precedence))


def encode_sampled(outcome: Anonymized, source: Coordinates) -> bytes:
    """Encode a ``notes.sample`` record: an output for readers, and where its original lies.

    Args:
        outcome: What became of the note.
        source: Where its message lies; the original itself stays there.
    """
    note = outcome.note
    return orjson.dumps(
        {
            "schema": SCHEMA,
            "output_id": note.output_id,
            "note_id": note.note_id,
            "patient_id": note.patient_id,
            "source": source,
            "level": outcome.risk.level,
            "text": note.text,
            "replacements": list_replacements(note),
            "policy": _encode_policy(note.policy),
            "pipeline": note.pipeline,
        }
    )


def encode_span(span: Span) -> dict[str, object]:
    """Return a span with the name of its label; one of the site's own says what it is like."""
    like: dict[str, object] = {"like": span.label} if span.own else {}
    return {name: getattr(span, name) for name in _SPAN} | {"label": span.name} | like


def list_replacements(note: AnonymizedNote) -> Sequence[Mapping[str, object]]:
    """Return where PHI was in the original, and where its replacements are in the output."""
    return [
        encode_span(each.span)
        | {"operator": each.operator, "out_start": each.out_start, "out_end": each.out_end}
        for each in note.permit.replacements
    ]
