"""Read the text of PDF, by pypdf: no fonts are drawn, no images are read."""

import logging
from io import BytesIO
from typing import Any

from pypdf import PageObject, PasswordType, PdfReader, apply_configuration

from deidstream.models.messages.attachments.attachment_limits import AttachmentLimits
from deidstream.models.time_budget import check_time
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment

# Its messages may quote the document.
logging.getLogger("pypdf").propagate = False
logging.getLogger("pypdf").addHandler(logging.NullHandler())
_MOST_STREAM = 16_000_000
"""Bytes of one unpacked stream."""
_LIMITED: dict[str, Any] = {
    "maximum_declared_stream_length": _MOST_STREAM,
    "array_based_stream_maximum_output_length": _MOST_STREAM,
    "lzw_maximum_output_length": _MOST_STREAM,
    "run_length_maximum_output_length": _MOST_STREAM,
    "zlib_maximum_output_length": _MOST_STREAM,
    "brotli_maximum_output_length": _MOST_STREAM,
    "stream_decoding_work_maximum_length": 4 * _MOST_STREAM,
    "xform_maximum_invocations_per_extraction": 500,
    "disable_legacy_handling": True,
}


def read_pdf(data: bytes, limits: AttachmentLimits) -> str:
    """Return the text of the pages of a PDF, in their order.

    Raises:
        UnscannableAttachment: It needs a password, has no text or is over a limit.
        OutOfTime: The budget of processor time is used up.
    """
    with apply_configuration(**_LIMITED):
        return _read_pages(PdfReader(BytesIO(data), strict=False), limits)


def _read_pages(reader: PdfReader, limits: AttachmentLimits) -> str:
    if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
        raise UnscannableAttachment(AttachmentFault.ENCRYPTED)
    if len(reader.pages) > limits.pages:
        raise UnscannableAttachment(AttachmentFault.TOO_MANY_PAGES)
    texts: list[str] = []
    expanded = characters = 0
    for page in reader.pages:
        check_time()
        expanded += _count_content(page)
        if expanded > limits.expanded_bytes:
            raise UnscannableAttachment(AttachmentFault.EXPANDS)
        # A glyph without a character is one NUL, which no text of a note may hold.
        texts.append(page.extract_text(visitor_operand_before=_check).replace("\0", "\ufffd"))
        characters += len(texts[-1])
        if characters > limits.characters:
            raise UnscannableAttachment(AttachmentFault.TOO_LARGE)
    if not "".join(texts).strip():
        raise UnscannableAttachment(AttachmentFault.IMAGE_ONLY)
    return "\n".join(texts)


def _count_content(page: PageObject) -> int:
    """Return the bytes of the unpacked content of a page."""
    content = page.get_contents()
    return 0 if content is None else len(content.get_data())


def _check(*_: Any) -> None:  # noqa: ANN401 - pypdf passes what an operator is drawn with
    check_time()
