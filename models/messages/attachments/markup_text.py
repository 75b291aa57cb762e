"""Read the text of HTML and XML, by lxml: elements without their attributes."""

import re
from collections.abc import Callable, Iterable, Iterator
from html.entities import html5
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from deidstream.models.messages.attachments.attachment_limits import AttachmentLimits
from deidstream.models.messages.attachments.charsets import decode_text, stated_in_markup
from deidstream.models.messages.attachments.symbol_fonts import UNKNOWN
from deidstream.models.text.word_files import split_list
from deidstream.models.time_budget import within_time
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment

Element = Any
"""An element of lxml, which has no types."""
HIDDEN = frozenset(split_list("head script style template noscript object svg"))
"""Elements whose text no reader sees."""
_LINES = frozenset(
    split_list(
        "address article aside blockquote br caption center dd div dl dt fieldset figcaption "
        "figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section "
        "table tbody tfoot thead title tr ul "
        # CDA (HL7 v3), section 4.3.5
        "paragraph item list component text"
    )
)
_CELLS = frozenset(split_list("td th"))
_INLINE = frozenset(split_list("content sub sup linkhtml a b i u em strong span font small big"))
"""Elements of an XML document within a word; any other one ends it, such as a given name of CDA."""
_APART = "\x1f"
"""Stands between two elements of XML, in which it cannot be."""
_EVERY = 1_000
"""Elements between two readings of the clock."""
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
FileReader = Callable[[str, str], str]
"""Returns the text of base64 that is of a content type."""


def read_html(data: bytes, charset: str | None, limits: AttachmentLimits) -> str:
    """Return what an HTML page shows, a line for each block.

    Raises:
        UnscannableAttachment: It cannot be read.
    """
    text = decode_text(data, charset or stated_in_markup(data))
    if text.count("<") > limits.tags:
        raise UnscannableAttachment(AttachmentFault.TOO_LARGE)
    root = parse_html(text)
    return "" if root is None else write_element(root, limits)


def parse_html(text: str) -> Element | None:
    """Parse HTML as browsers do; nothing is loaded. ``None`` where it is empty."""
    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False
    )
    return etree.fromstring(text.encode(), parser) if text.strip() else None


def read_xml(
    data: bytes, charset: str | None, limits: AttachmentLimits, read_file: FileReader
) -> str:
    """Return the text of an XML document.

    Entities that it declares are not expanded; a sign says that something stood there.

    Args:
        data: Its bytes.
        charset: As it is stated.
        limits: What it may have and take.
        read_file: Reads a file that it holds as base64, as CDA writes one; images are left out.

    Raises:
        UnscannableAttachment: It cannot be read.
    """
    if charset is not None:
        data = decode_text(data, charset).encode()
    if data.count(b"<") > limits.tags:
        raise UnscannableAttachment(AttachmentFault.TOO_LARGE)
    parser = etree.XMLParser(
        encoding=None if charset is None else "utf-8",
        resolve_entities=False,
        remove_comments=True,
        remove_pis=True,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    root = etree.fromstring(data, parser)
    for held in root.xpath("//*[@representation='B64']"):
        _show_file(held, read_file)
    return _write_lines(_set_apart(_walk(root, limits, apart=_APART)))


def _show_file(element: Element, read_file: FileReader) -> None:
    """Put the text of a file in the place of its base64.

    Raises:
        UnscannableAttachment: It cannot be read.
    """
    content_type = element.get("mediaType", "")
    data = "".join(element.itertext())
    for inner in list(element):
        element.remove(inner)
    text = "" if content_type.startswith("image/") else read_file(data, content_type)
    # Its lines stay, as those of a preformatted text.
    element.tag, element.text = "pre", _NOT_XML.sub(" ", text)


def write_element(root: Element, limits: AttachmentLimits) -> str:
    """Return the text of an element, a line for each block.

    Raises:
        UnscannableAttachment: It is nested too deeply.
        OutOfTime: The budget of processor time is used up.
    """
    return _write_lines(_walk(root, limits))


def _write_lines(pieces: Iterable[str]) -> str:
    lines = "".join(pieces).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())


def _set_apart(pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces with one blank, and no more, where one element ends and the next begins."""
    behind, last = False, " "
    for piece in pieces:
        if piece == _APART:
            if not last.isspace():
                yield " "
            behind, last = True, " "
        elif written := (piece.lstrip(" ") if behind else piece):
            yield written
            behind, last = False, written[-1]


def iterate_elements(root: Element, *, remarks: bool = False) -> Iterator[tuple[bool, Element]]:
    """Yield each element twice: ``True`` where it begins, ``False`` where it ends.

    Args:
        root: The first and last one.
        remarks: Yield comments and instructions too, where they end.
    """
    events = ("start", "end", "comment", "pi") if remarks else ("start", "end")
    for event, element in etree.iterwalk(root, events=events):
        yield event == "start", element


def is_entity(element: Element) -> bool:
    """Return whether a node of a tree is a reference to an entity, which is not expanded."""
    return element.tag is etree.Entity


def read_entity(reference: Element) -> str:
    """Return the character that an entity of HTML is; of another one the sign for unknown text."""
    return html5.get(f"{reference.name};", UNKNOWN)


def _walk(root: Element, limits: AttachmentLimits, apart: str = "") -> Iterator[str]:
    hidden = depth = 0
    for started, element in within_time(iterate_elements(root), every=_EVERY):
        name = element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""
        if started:
            if not hidden and is_entity(element):
                yield _one_line(read_entity(element))
            depth += 1
            hidden += name in HIDDEN or not name
            if depth > limits.depth:
                raise UnscannableAttachment(AttachmentFault.TOO_DEEP)
            if not hidden:
                yield from _open(name, element.text, apart)
            continue
        depth -= 1
        if not hidden:
            yield _close(name, apart)
        hidden -= name in HIDDEN or not name
        if not hidden and element is not root:
            yield _one_line(element.tail)


def _open(name: str, text: str | None, apart: str) -> Iterator[str]:
    if name in _LINES:
        yield "\n"
    elif name not in _INLINE:
        yield apart
    yield (text or "") if name == "pre" else _one_line(text)


def _close(name: str, apart: str) -> str:
    if name in _CELLS:
        return "\t"
    if name in _LINES:
        return "\n"
    return "" if name in _INLINE else apart


def _one_line(text: str | None) -> str:
    """Return a text with each run of blanks as one; one at each end stays, as words are apart."""
    if not text:
        return ""
    inner = " ".join(text.split())
    before = " " if text[0].isspace() else ""
    behind = " " if inner and text[-1].isspace() else ""
    return f"{before}{inner}{behind}"
