"""Read the text of RTF, by striprtf."""

import re
from typing import TYPE_CHECKING, cast

from striprtf.striprtf import rtf_to_text

from deidstream.models.messages.attachments.attachment_limits import AttachmentLimits
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment

if TYPE_CHECKING:
    from collections.abc import Callable

_convert = cast("Callable[..., str]", rtf_to_text)
"""It has no types."""
_START = re.compile(r"\s*\{\\rtf")
_BRACES = re.compile(r"\\[{}]|[{}]")
_LINK = re.compile(r"(?i)(HYPER)(LINK)")
_FONTS = re.compile(r"\\fonttbl")
_BREAKS = re.compile(
    r"(?<!\\)((?:\\\\)*)\\(?:column|softcol|softline|softpage|nestrow)(?![A-Za-z])"
)
"""Ends of columns, pages and lines that striprtf leaves out, which would join two words."""
_LONGEST_FONTS = 50_000
"""Characters of the table of fonts, which striprtf searches in quadratic time."""


def read_rtf(data: bytes, limits: AttachmentLimits) -> str:
    """Return the text of an RTF document; pictures, links and hidden parts are left out.

    Raises:
        UnscannableAttachment: It is not RTF, or nested too deeply.
    """
    text = data.decode("latin-1")
    if not _START.match(text):
        raise UnscannableAttachment(AttachmentFault.MALFORMED)
    _refuse_deep(text, limits)
    _refuse_long_fonts(text)
    # striprtf finds links by a pattern that takes cubic time; an empty group hides them from it.
    text = _LINK.sub(r"\1{}\2", text)
    text = _convert(_BREAKS.sub(r"\1\\line", text), errors="replace")
    # Characters beyond U+FFFF are written as two halves.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _refuse_deep(text: str, limits: AttachmentLimits) -> None:
    depth = 0
    for brace in _BRACES.finditer(text):
        depth += {"{": 1, "}": -1}.get(brace.group(), 0)
        if depth > limits.depth:
            raise UnscannableAttachment(AttachmentFault.TOO_DEEP)


def _refuse_long_fonts(text: str) -> None:
    """Refuse a document of which striprtf would take a large part for its table of fonts."""
    found = _FONTS.search(text)
    if found is None:
        return
    depth = 1
    for brace in _BRACES.finditer(text, found.end(), found.end() + _LONGEST_FONTS):
        depth += {"{": 1, "}": -1}.get(brace.group(), 0)
        if depth == 0:
            return
    if len(text) - found.end() > _LONGEST_FONTS:
        raise UnscannableAttachment(AttachmentFault.EXPANDS)
