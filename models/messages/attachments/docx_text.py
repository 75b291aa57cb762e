"""Read the text of DOCX, by python-docx: headers, body with tables and boxes, notes, footers.

A Word document consists of stories: the body, each header and footer, all footnotes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from zipfile import ZipFile, ZipInfo

from docx import Document
from docx.document import Document as OpenDocument
from docx.opc.part import Part
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
TEXTS = frozenset({qn("w:t"), f"{_MATH}t"})
"""Elements whose text is read."""
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
CELL_END = "\x1f"
"""A sign that no XML document may hold: it stands behind the last line of a cell."""
_AT_END = {
    qn("w:p"): "\n",
    qn("w:tc"): CELL_END,
    qn("w:tr"): "\n",
    **dict.fromkeys((f"{_MATH}{name}" for name in ("num", "den", "sup", "sub", "rad")), ")"),
}
_HEADER, _FOOTER = "header", "footer"
_EDGES = frozenset({_HEADER, _FOOTER})
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


@dataclass(frozen=True, slots=True)
class Story:
    """A part of a document with text of its own: the body, a header, all footnotes."""

    kind: str
    """``header``, ``body``, ``footnotes``, ``endnotes``, ``comments`` or ``footer``."""
    element: Element = field(repr=False)
    name: str
    """Of its part in the package."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What the text of a document holds once, and the stories that show it."""

    text: str = field(repr=False)
    stories: tuple[Story, ...]
    """Several where headers or footers have the same text; none of what says what is not read."""


def read_docx(data: bytes, limits: AttachmentLimits) -> str:
    """Return the text of a DOCX document; deleted text is left out.

    A paragraph is a line, and so is a row of a table, with a tab between its cells.

    Raises:
        UnscannableAttachment: It is encrypted, or unpacked over a limit.
        OutOfTime: The budget of processor time is used up.
    """
    return join_passages(list_passages(open_docx(data, limits)))


def join_passages(passages: Iterable[Passage]) -> str:
    """Return the text of a document."""
    return "\n".join(passage.text for passage in passages)


def open_docx(data: bytes, limits: AttachmentLimits) -> OpenDocument:
    """Open a DOCX document, if it stays within limits.

    Raises:
        UnscannableAttachment: It is encrypted, or unpacked over a limit.
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
    return Document(BytesIO(data))


def _count_tags(packed: ZipFile, part: ZipInfo) -> int:
    """Count the signs ``<`` of a part; any may be read as XML, whatever its name."""
    with packed.open(part) as unpacked:
        pieces = iter(lambda: unpacked.read(_PIECE), b"")
        return sum(piece.count(b"<") for piece in pieces)


def list_passages(document: OpenDocument) -> list[Passage]:
    """Return what the text of a document consists of, in its order."""
    passages: dict[tuple[str, str], Passage] = {}
    for story in list_stories(document):
        text = read_story(story.element)
        # Sections repeat headers and footers; two notes of the same text are two.
        key = (story.kind, text if story.kind in _EDGES else story.name)
        before = passages[key].stories if key in passages else ()
        passages[key] = Passage(text, (*before, story))
    found = list(passages.values())
    lost = [name for kind, name in _UNREAD.items() if kind in related_parts(document)]
    if lost:
        footers = sum(kind == _FOOTER for kind, _ in passages)
        found.insert(len(found) - footers, Passage(f"[not read: {', '.join(lost)}]", ()))
    return found


def list_stories(document: OpenDocument) -> list[Story]:
    """Return the parts that are read, in their order, each once."""
    headers: dict[str, Story] = {}
    footers: dict[str, Story] = {}
    for section in document.sections:
        for header in (section.first_page_header, section.header, section.even_page_header):
            if not header.is_linked_to_previous:
                name = str(header.part.partname)
                headers[name] = Story(_HEADER, header.part.element, name)
        for footer in (section.first_page_footer, section.footer, section.even_page_footer):
            if not footer.is_linked_to_previous:
                name = str(footer.part.partname)
                footers[name] = Story(_FOOTER, footer.part.element, name)
    body = Story("body", document.element.body, str(document.part.partname))
    related = related_parts(document)
    notes = [
        Story(kind, parse_xml(related[kind].blob), str(related[kind].partname))
        for kind in _NOTES
        if kind in related
    ]
    return [*headers.values(), body, *notes, *footers.values()]


def related_parts(document: OpenDocument) -> dict[str, Part]:
    """Return the parts that belong to the body, by the ends of their relations."""
    inner = (each for each in document.part.rels.values() if not each.is_external)
    return {each.reltype.rpartition("/")[2]: each.target_part for each in inner}


def read_story(element: Element) -> str:
    """Return the text of a part: lines without blanks at their ends, none of them empty."""
    return tidy_text("".join(text for text, _ in walk_story(element)))


def tidy_text(pieces: str) -> str:
    """Return the lines that the pieces of a part make."""
    text = pieces.replace(f"\n{CELL_END}", "\t").replace(CELL_END, "\t")
    lines = text.split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip())


def walk_story(root: Element) -> Iterator[tuple[str, Element]]:
    """Yield the pieces of text of a part, each with the element that it stands for."""
    fallback = 0
    font = ""
    for started, element in within_time(iterate_elements(root, remarks=True), every=_EVERY):
        tag = str(element.tag)
        if tag == _FALLBACK:
            fallback += 1 if started else -1
        elif started and tag in {_RUN, _FONTS}:
            font = element.get(_FONT) or ""
        elif not fallback:
            yield (_begin(element, tag, font) if started else _AT_END.get(tag, "")), element
            if not started and _is_within_text(element):
                yield read_symbols(element.tail or "", font), element


def _is_within_text(element: Element) -> bool:
    """Return whether the text of its parent goes on behind a node, such as a comment."""
    parent = element.getparent()
    return parent is not None and str(parent.tag) in TEXTS


def _begin(element: Element, tag: str, font: str) -> str:
    if tag in TEXTS:
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
