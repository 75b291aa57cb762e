"""The limits within which an attachment is read."""

from dataclasses import dataclass

from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment


@dataclass(frozen=True, slots=True)
class AttachmentLimits:
    """Beyond any of these an attachment is unscannable."""

    input_bytes: int = 20_000_000
    expanded_bytes: int = 32_000_000
    """All parts of a DOCX, or all decoded pages of a PDF."""
    characters: int = 1_000_000
    """Length of the text."""
    pages: int = 1_000
    """Pages of a PDF; a DOCX may have as many parts."""
    tags: int = 1_000_000
    """Signs ``<`` in HTML, XML, or all parts of a DOCX: each element takes 120 bytes of memory,
    even one that is written in 4."""
    depth: int = 200
    """Nesting of groups in RTF, and of elements in HTML and XML."""
    seconds: float = 20.0
    """Processor time, checked between the steps of reading."""


LIMITS = AttachmentLimits()
"""The limits of the service."""


def refuse_long(text: str, limits: AttachmentLimits) -> str:
    """Return ``text`` without blanks at its ends.

    Raises:
        UnscannableAttachment: It is too long, blank, or holds a NUL or half a character.
    """
    if len(text) > limits.characters:
        raise UnscannableAttachment(AttachmentFault.TOO_LARGE)
    if "\0" in text or not is_unicode(text):
        raise UnscannableAttachment(AttachmentFault.MALFORMED)
    text = text.strip()
    if not text:
        raise UnscannableAttachment(AttachmentFault.EMPTY)
    return text


def is_unicode(text: str) -> bool:
    """Return whether a text can be written as UTF-8: it holds no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
