"""Replace attachments by their text, so that a resource fits into a message."""

import base64
import binascii
from typing import cast

from deidstream.models.messages.attachments.read_attachment import read_attachment
from deidstream.models.messages.fhir.exact_json import Json
from deidstream.models.messages.fhir.walking import Fields, find_string
from deidstream.schemas.documents.attachment import UnscannableAttachment

_PLAIN = "text/plain"


def slim_attachments(value: Json) -> Json:
    """Return a resource whose attachments are plain text; those that cannot be read stay."""
    if isinstance(value, list):
        return [slim_attachments(item) for item in cast("list[Json]", value)]
    if not isinstance(value, dict):
        return value
    fields = cast("Fields", value)
    slim = {name: slim_attachments(item) for name, item in fields.items()}
    data, content_type = find_string(fields, "data"), find_string(fields, "contentType")
    if not data or content_type.partition(";")[0] == _PLAIN:
        return slim
    try:
        text = read_attachment(base64.b64decode("".join(data.split()), validate=True), content_type)
    except (UnscannableAttachment, binascii.Error, ValueError):
        return slim
    return slim | {"contentType": _PLAIN, "data": base64.b64encode(text.encode()).decode()}
