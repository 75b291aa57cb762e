"""Read the text of DOCX, by python-docx: headers, body with tables and boxes, notes, footers."""

from collections.abc import Iterator
from io import BytesIO
from zipfile import ZipFile, ZipInfo

from docx import Document
from docx.document import Document as OpenDocument
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from deidstream.models.messages.attachments.attachment_limits import AttachmentLimits
from deidstream.models.messages.attachments.markup_text import (
    Element,
    is_entity,
    iterate_elements,
    read_entity,
)
from deidstream.models.messages.attachments.symbol_fonts import (
    UNKNOWN,
    read_symbol,
    read_symbols,
)
from deidstream.models.time_budget import within_time
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment

_ENCRYPTED = 0x1
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_TEXTS = frozenset({qn("w:t"), f"{_MATH}t"})
_RUN, _FONTS, _FONT = qn("w:r"), qn("w:rFonts"), qn("w:ascii")
_SYMBOL, _SYMBOL_FONT, _CODE = qn("w:sym"), qn("w:font"), qn("w:char")
_AT_START = {
    qn("w:tab"): "\t",
    qn("w:ptab"): "\t",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "\u2011",
    qn("w:txbxContent"): "\n",
    f"{_MATH}num": "(",
    f"{_MATH}den": "/(",
    f"{_MATH}sup": "^(",
    f"{_MATH}sub": "_(",
    f"{_MATH}rad": "\u221a(",
}
"""What stands before the text of an element; signs of formulas keep 10^(6) from becoming 106."""
_CELL_END = "\x1f"
"""A sign that no XML document may hold: it stands behind the last line of a cell."""
_AT_END = {
    qn("w:p"): "\n",
    qn("w:tc"): _CELL_END,
    qn("w:tr"): "\n",
    **dict.fromkeys((f"{_MATH}{name}" for name in ("num", "den", "sup", "sub", "rad")), ")"),
}
_NOTES = ("footnotes", "endnotes", "comments")
"""Parts that are read behind the body, by the ends of their relations."""
_UNREAD = {
    "aFChunk": "inserted document",
    "chart": "chart",
    "diagramData": "diagram",
    "oleObject": "embedded object",
    "package": "embedded document",
}
"""Parts whose text is not read, with what the output says of them."""
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
"""A second form of the element before it, for older readers."""
_PIECE = 65_536
"""Bytes that are unpacked at once."""
_EVERY = 1_000
"""Elements between two readings of the clock."""


def read_docx(data: bytes, limits: AttachmentLimits) -> str:
    """Return the text of a DOCX document; deleted text is left out.

    A paragraph is a line, and so is a row of a table, with a tab between its cells.

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
    body = _read_element(document.element.body)
    return "\n".join([*headers, body, *_read_notes(document), *footers])


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


def _read_notes(document: OpenDocument) -> Iterator[str]:
    """Yield the texts of footnotes, endnotes and comments, and last what is not read."""
    inner = (each for each in document.part.rels.values() if not each.is_external)
    parts = {each.reltype.rpartition("/")[2]: each.target_part for each in inner}
    for kind in _NOTES:
        if kind in parts:
            yield _read_element(parse_xml(parts[kind].blob))
    lost = [name for kind, name in _UNREAD.items() if kind in parts]
    if lost:
        yield f"[not read: {', '.join(lost)}]"


def _read_element(element: Element) -> str:
    text = "".join(_walk(element)).replace(f"\n{_CELL_END}", "\t").replace(_CELL_END, "\t")
    lines = text.split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _walk(root: Element) -> Iterator[str]:
    fallback = 0
    font = ""
    for started, element in within_time(iterate_elements(root, remarks=True), every=_EVERY):
        tag = str(element.tag)
        if tag == _FALLBACK:
            fallback += 1 if started else -1
        elif started and tag in {_RUN, _FONTS}:
            font = element.get(_FONT) or ""
        elif not fallback:
            yield _begin(element, tag, font) if started else _AT_END.get(tag, "")
            if not started and _is_within_text(element):
                yield read_symbols(element.tail or "", font)


def _is_within_text(element: Element) -> bool:
    """Return whether the text of its parent goes on behind a node, such as a comment."""
    parent = element.getparent()
    return parent is not None and str(parent.tag) in _TEXTS


def _begin(element: Element, tag: str, font: str) -> str:
    if tag in _TEXTS:
        return read_symbols(element.text or "", font)
    if is_entity(element):
        return read_entity(element)
    return _read_symbol(element) if tag == _SYMBOL else _AT_START.get(tag, "")


def _read_symbol(element: Element) -> str:
    try:
        code = int(element.get(_CODE) or "", 16)
        return read_symbol(code, element.get(_SYMBOL_FONT) or "")
    except (ValueError, OverflowError):
        return UNKNOWN
