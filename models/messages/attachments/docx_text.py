"""Read the text of DOCX, by python-docx: headers, the body with its tables and boxes, footers."""

from collections.abc import Iterator
from io import BytesIO
from zipfile import ZipFile, ZipInfo

from docx import Document
from docx.document import Document as OpenDocument
from docx.oxml.ns import qn

from deidstream.models.messages.attachments.attachment_limits import AttachmentLimits
from deidstream.models.messages.attachments.markup_text import Element, iterate_elements
from deidstream.models.time_budget import within_time
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment

_ENCRYPTED = 0x1
_TEXT, _PARAGRAPH, _CELL = qn("w:t"), qn("w:p"), qn("w:tc")
_SIGNS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n"}
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
"""A second form of the element before it, for older readers."""
_PIECE = 65_536
"""Bytes that are unpacked at once."""
_EVERY = 1_000
"""Elements between two readings of the clock."""


def read_docx(data: bytes, limits: AttachmentLimits) -> str:
    """Return the text of a DOCX document, a line for each paragraph; deleted text is left out.

    Raises:
        UnscannableAttachment: It is encrypted, or unpacked over a limit.
        OutOfTime: The budget of processor time is used up.
    """
    with ZipFile(BytesIO(data)) as packed:
        parts = packed.infolist()
        if len(parts) > limits.pages:
            raise UnscannableAttachment(AttachmentFault.TOO_MANY_PAGES)
        # The stated sizes suffice: zipfile reads no more of a part than its entry states.
        if sum(part.file_size for part in parts) > limits.expanded_bytes:
            raise UnscannableAttachment(AttachmentFault.EXPANDS)
        if any(part.flag_bits & _ENCRYPTED for part in parts):
            raise UnscannableAttachment(AttachmentFault.ENCRYPTED)
        if sum(_count_tags(packed, part) for part in parts) > limits.tags:
            raise UnscannableAttachment(AttachmentFault.EXPANDS)
    document = Document(BytesIO(data))
    headers, footers = _read_edges(document)
    return "\n".join([*headers, _read_element(document.element.body), *footers])


def _count_tags(packed: ZipFile, part: ZipInfo) -> int:
    """Count the signs ``<`` of a part; any may be read as XML, whatever its name."""
    with packed.open(part) as unpacked:
        pieces = iter(lambda: unpacked.read(_PIECE), b"")
        return sum(piece.count(b"<") for piece in pieces)


def _read_edges(document: OpenDocument) -> tuple[list[str], list[str]]:
    """Return the different headers and footers of all sections, in their order."""
    headers: dict[str, None] = {}
    footers: dict[str, None] = {}
    for section in document.sections:
        for header in (section.first_page_header, section.header, section.even_page_header):
            if not header.is_linked_to_previous:
                headers[_read_element(header.part.element)] = None
        for footer in (section.first_page_footer, section.footer, section.even_page_footer):
            if not footer.is_linked_to_previous:
                footers[_read_element(footer.part.element)] = None
    return list(headers), list(footers)


def _read_element(element: Element) -> str:
    lines = "".join(_walk(element)).split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _walk(root: Element) -> Iterator[str]:
    fallback = 0
    for started, element in within_time(iterate_elements(root), every=_EVERY):
        if element.tag == _FALLBACK:
            fallback += 1 if started else -1
        elif not fallback:
            yield _write(str(element.tag), started=started, text=element.text)


def _write(tag: str, *, started: bool, text: str | None) -> str:
    if started:
        return (text or "") if tag == _TEXT else _SIGNS.get(tag, "")
    if tag == _PARAGRAPH:
        return "\n"
    return "\t" if tag == _CELL else ""
