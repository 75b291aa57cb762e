"""Read a message of the input topic: a note, or a FHIR resource or a CDA document as one."""

from dataclasses import replace

from deidstream.models.messages.cda.parse_document import BEGINNINGS, is_document, read_bytes
from deidstream.models.messages.cda.read_document import ReadDocument, read_document
from deidstream.models.messages.fhir.exact_json import Json, parse_exactly
from deidstream.models.messages.fhir.patient_links import find_links
from deidstream.models.messages.fhir.read_resource import ReadResource, read_resource
from deidstream.models.messages.fhir.walking import require_object
from deidstream.models.messages.forms.form_text import merge_known
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.json_object import Fields, parse_object
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import NOTE_BYTES, read_note

_RESOURCE_TYPE = "resourceType"
_CONTENT = ("text", "resource", "document")
"""Fields of a record that say what the note is: it has one of them."""


def read_message(value: bytes, *, limit_bytes: int = NOTE_BYTES) -> RawNote:
    """Read one message.

    It is a ``notes.raw`` record with ``text``, one with ``resource`` or ``document`` in place of
    it, or a FHIR resource or a CDA document alone. Fields of a record take precedence over what
    its resource or document states. A text that is a document is read as one.

    Args:
        value: The bytes of the message.
        limit_bytes: Longest value that is read.

    Raises:
        InvalidNote: It is something else; the reason says why and quotes nothing of it.
        UnscannableAttachment: The text of an attachment of a resource cannot be read.
    """
    if value[:64].lstrip().startswith(BEGINNINGS):
        if len(value) > limit_bytes:
            raise InvalidNote(Reason.TOO_LARGE)
        return _read_form({}, read_document(read_bytes(value)))
    fields = parse_object(value, limit_bytes=limit_bytes)
    if _RESOURCE_TYPE in fields:
        return _read_resource({}, parse_exactly(value))
    given = [name for name in _CONTENT if fields.get(name) is not None]
    if len(given) > 1:
        raise InvalidNote(Reason.WRONG_TYPE, NoteField(given[0]))
    if given == ["resource"]:
        return _read_resource(fields, require_object(parse_exactly(value))["resource"])
    document = _find_document(fields)
    if document is None:
        return read_note(fields)
    return _read_form(fields, read_document(document, fields.get("status")))


def _read_resource(fields: Fields, resource: Json) -> RawNote:
    read = read_resource(require_object(resource), fields.get("status"))
    note, links = _read_form(fields, read), find_links(require_object(resource))
    if note.cancelled or links is None or note.links or note.patient_id != read.patient_id:
        # Links of a resource are of its server's ids, which the record has in place of others.
        return note
    return replace(note, links=links, states_links=True)


def _find_document(fields: Fields) -> str | None:
    """Return the document that a record holds, if any; a text may be one.

    Raises:
        InvalidNote: It is no string.
    """
    document, text = fields.get("document"), fields.get("text")
    if document is None:
        return text if isinstance(text, str) and is_document(text) else None
    if not isinstance(document, str):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.DOCUMENT)
    return document


def _read_form(fields: Fields, read: ReadResource | ReadDocument) -> RawNote:
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
