"""Read attachments and narratives: documents inside a resource."""

import base64
import binascii

from deidstream.models.messages.attachments.read_attachment import read_attachment
from deidstream.models.messages.cda.document_template import Template
from deidstream.models.messages.cda.document_walk import walk_document
from deidstream.models.messages.cda.parse_document import find_document, parse_document
from deidstream.models.messages.fhir.element_table import ElementRule
from deidstream.models.messages.fhir.exact_json import Json
from deidstream.models.messages.fhir.fhir_template import Base64Slot, DocumentSlot
from deidstream.models.messages.fhir.fhir_values import is_code
from deidstream.models.messages.fhir.narrative_blocks import write_narrative
from deidstream.models.messages.fhir.walking import (
    COMPLEX,
    PRIMITIVE,
    Walking,
    find_string,
    require_object,
)
from deidstream.models.messages.forms.form_text import require_text, write_heading
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import InvalidNote


def walk_attachment(walk: Walking, _rule: ElementRule, value: Json, heading: str) -> object:
    """Replace the data of an attachment by its de-identified text; what lies elsewhere is left out.

    A clinical document (CDA) stays one.

    Raises:
        UnscannableAttachment: Its text cannot be read.
    """
    fields = require_object(value)
    kept: dict[str, object] = {}
    if is_code(find_string(fields, "language")):
        kept["language"] = fields["language"]
    if fields.get("data"):
        data = _decode(require_text(fields["data"]))
        template = _walk_document(walk, data, heading)
        if template is not None:
            kept |= {"contentType": "application/xml", "data": DocumentSlot(template)}
            return kept | walk.walk_section("Attachment", fields, heading)
        text = read_attachment(data, find_string(fields, "contentType"))
        kept |= {
            "contentType": "text/plain",
            "data": Base64Slot(_add_document(walk, text, heading)),
        }
    elif "url" in fields:
        kept["url"] = PRIMITIVE
    kept |= walk.walk_section("Attachment", fields, heading)
    return kept or COMPLEX


def _walk_document(walk: Walking, data: bytes, heading: str) -> Template | None:
    """Read a clinical document as one; ``None`` for another file.

    Raises:
        UnscannableAttachment: It is not well-formed.
    """
    try:
        document = find_document(data)
        if document is None:
            return None
        walk.text.add_line(f"{write_heading(heading)}:")
        return walk_document(parse_document(document), walk.text, walk.stated)
    except InvalidNote:
        raise UnscannableAttachment(AttachmentFault.MALFORMED) from None


def _add_document(walk: Walking, text: str, heading: str) -> int:
    walk.text.add_line(f"{write_heading(heading)}:")
    part = walk.text.add_beside(text)
    walk.text.add_line("")
    return part


def _decode(data: str) -> bytes:
    try:
        return base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        raise UnscannableAttachment(AttachmentFault.MALFORMED) from None


def walk_narrative(walk: Walking, _rule: ElementRule, value: Json, heading: str) -> object:
    """Replace the texts of a narrative between its markup; without any it is left out."""
    fields = require_object(value)
    status = find_string(fields, "status")
    if "div" not in fields or not is_code(status):
        return None
    slot = write_narrative(walk.text, require_text(fields["div"]), write_heading(heading))
    return None if slot is None else {"status": status, "div": slot}
