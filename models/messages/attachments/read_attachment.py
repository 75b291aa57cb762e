"""Read the text of an attachment by its type."""

import base64
import re
from codecs import BOM_UTF8
from collections.abc import Callable

from deidstream.models.messages.attachments.attachment_limits import (
    LIMITS,
    AttachmentLimits,
    refuse_long,
)
from deidstream.models.messages.attachments.charsets import decode_text
from deidstream.models.messages.attachments.docx_text import read_docx
from deidstream.models.messages.attachments.markup_text import FileReader, read_html, read_xml
from deidstream.models.messages.attachments.pdf_text import read_pdf
from deidstream.models.messages.attachments.rtf_text import read_rtf
from deidstream.models.time_budget import TimeBudget
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import OutOfTime

Reader = Callable[[bytes, str | None, AttachmentLimits], str]
"""Reads bytes, in the character set that is stated of them."""

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
READERS: dict[str, Reader] = {
    "text/plain": lambda data, charset, _: decode_text(data, charset),
    "text/markdown": lambda data, charset, _: decode_text(data, charset),
    "text/csv": lambda data, charset, _: decode_text(data, charset),
    "text/html": read_html,
    "application/xhtml+xml": read_html,
    **dict.fromkeys(
        ("text/xml", "application/xml", "application/hl7-v3+xml"),
        lambda data, charset, limits: read_xml(data, charset, limits, _file_reader(limits)),
    ),
    "text/rtf": lambda data, _, limits: read_rtf(data, limits),
    "application/rtf": lambda data, _, limits: read_rtf(data, limits),
    "application/pdf": lambda data, _, limits: read_pdf(data, limits),
    DOCX: lambda data, _, limits: read_docx(data, limits),
}
_ALIASES = {
    "application/x-rtf": "text/rtf",
    "text/richtext": "text/rtf",
    "application/x-pdf": "application/pdf",
}
_UNSTATED = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_TEXTS = frozenset({"text/plain", "text/markdown", "text/csv"})
"""Types that senders also state of other documents, whose markup would hide names."""
_FIRST_BYTES = (
    (b"%PDF-", "application/pdf"),
    (b"{\\rtf", "text/rtf"),
    (b"PK\x03\x04", DOCX),
    (b"<?xml", "application/xml"),
    (b"<!doctype html", "text/html"),
    (b"<html", "text/html"),
    (b"<body", "text/html"),
    (b"<div", "text/html"),
)
_OFFICE_CIPHER = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""A DOCX with a password is packed like this, and so is a file of older versions of Word."""
_CHARSET = re.compile(r"""(?i);\s*charset\s*=\s*["']?([^\s;"']{1,40})""")


def read_attachment(data: bytes, content_type: str, limits: AttachmentLimits = LIMITS) -> str:
    """Return the text of an attachment.

    Args:
        data: Its bytes.
        content_type: As its sender states it, such as ``text/html; charset=utf-8``; where it is
            empty, or says no more than that these are bytes or text, the first bytes may show it.
        limits: Limits of its size and of the time for it.

    Raises:
        UnscannableAttachment: It has no text that can be read; the fault says why.
    """
    if len(data) > limits.input_bytes:
        raise UnscannableAttachment(AttachmentFault.TOO_LARGE)
    try:
        with TimeBudget(limits.seconds).running():
            text = _read(data, content_type, limits)
    except UnscannableAttachment:
        raise
    except OutOfTime:
        raise UnscannableAttachment(AttachmentFault.TOO_SLOW) from None
    except Exception:  # noqa: BLE001 - the libraries raise what they like, and may quote the bytes
        raise UnscannableAttachment(AttachmentFault.MALFORMED) from None
    return refuse_long(text, limits)


def _read(data: bytes, content_type: str, limits: AttachmentLimits) -> str:
    read = _find_reader(data, content_type)
    charset = _CHARSET.search(content_type)
    return read(data, charset[1] if charset else None, limits)


def _file_reader(limits: AttachmentLimits) -> FileReader:
    """Return what reads a file within another one, in the time of that."""

    def read(written: str, content_type: str) -> str:
        return _read(base64.b64decode("".join(written.split())), content_type, limits)

    return read


def _find_reader(data: bytes, content_type: str) -> Reader:
    stated = content_type.partition(";")[0].strip().lower()
    name = _ALIASES.get(stated, stated)
    if name in _UNSTATED or name in _TEXTS:
        head = data[:64].removeprefix(BOM_UTF8).lstrip().lower()
        shown = (known for first, known in _FIRST_BYTES if head.startswith(first.lower()))
        name = next(shown, name)
    read = READERS.get(name)
    if read is None:
        raise UnscannableAttachment(AttachmentFault.UNKNOWN_TYPE)
    if name == DOCX and data.startswith(_OFFICE_CIPHER):
        raise UnscannableAttachment(AttachmentFault.ENCRYPTED)
    return read
