"""Read a message of the input topic: a note, or a FHIR resource as one."""

from dataclasses import replace

from deidstream.models.messages.fhir.exact_json import Json, parse_exactly
from deidstream.models.messages.fhir.read_resource import read_resource
from deidstream.models.messages.fhir.walking import require_object
from deidstream.models.messages.forms.form_text import merge_known
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.json_object import Fields, parse_object
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import NOTE_BYTES, read_note

_RESOURCE_TYPE = "resourceType"


def read_message(value: bytes, *, limit_bytes: int = NOTE_BYTES) -> RawNote:
    """Read one message.

    It is a ``notes.raw`` record with ``text``, one with ``resource`` in place of it, or a FHIR
    resource alone. Fields of a record take precedence over what its resource states.

    Args:
        value: The bytes of the message.
        limit_bytes: Longest value that is read.

    Raises:
        InvalidNote: It is something else; the reason says why and quotes nothing of it.
        UnscannableAttachment: The text of an attachment of a resource cannot be read.
    """
    fields = parse_object(value, limit_bytes=limit_bytes)
    if _RESOURCE_TYPE in fields:
        return _read_form({}, parse_exactly(value))
    if fields.get("resource") is None:
        return read_note(fields)
    if fields.get("text") is not None:
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.TEXT)
    return _read_form(fields, require_object(parse_exactly(value))["resource"])


def _read_form(fields: Fields, resource: Json) -> RawNote:
    read = read_resource(require_object(resource), fields.get("status"))
    stated: dict[str, object] = {
        "note_id": read.note_id,
        "patient_id": read.patient_id,
        "note_type": read.note_type,
        "language": read.language,
        "authored_at": read.authored_at,
        "status": read.status,
        "version": read.version,
        "source_time": read.source_time,
    }
    stated |= {name: value for name, value in fields.items() if value is not None}
    note = read_note(stated | {"text": read.text})
    if note.cancelled:
        return note
    return replace(note, form=read.form, known=merge_known(note.known, read.known))
