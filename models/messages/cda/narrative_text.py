"""Read the narrative of a section: its markup stays, and each text between it is a part.

Source: CDA R2, section 4.3.5 (NarrativeBlock.xsd).
"""

import re
from collections.abc import Iterator

from deidstream.models.messages.attachments.markup_text import Element, is_entity
from deidstream.models.messages.cda.attributes import keep_language
from deidstream.models.messages.cda.document_template import (
    AttributeValue,
    ContentSlot,
    OpenTag,
)
from deidstream.models.messages.cda.parse_document import name_of
from deidstream.models.messages.cda.walk_state import WalkState, has_word
from deidstream.models.text.word_files import split_list
from deidstream.models.time_budget import check_time

_INLINE = frozenset(split_list("content linkHtml sub sup footnote footnoteRef"))
_LINES = frozenset(
    split_list("paragraph list item table caption thead tbody tfoot tr colgroup br text")
)
_CELLS = frozenset(split_list("td th"))
_EMPTY = frozenset(split_list("br col footnoteRef renderMultiMedia"))
_MARKUP = _INLINE | _LINES | _CELLS | _EMPTY
_WORDS = {
    "align": frozenset(split_list("left center right justify char")),
    "valign": frozenset(split_list("top middle bottom baseline")),
    "listType": frozenset(split_list("ordered unordered")),
    "revised": frozenset(split_list("insert delete")),
    "scope": frozenset(split_list("row col rowgroup colgroup")),
    "frame": frozenset(split_list("void above below hsides lhs rhs vsides box border")),
    "rules": frozenset(split_list("none groups rows cols all")),
}
_SIZES = frozenset(split_list("colspan rowspan span width border cellspacing cellpadding"))
_SIZE = re.compile(r"[0-9]{1,4}(?:px|%|em)?")
_STYLES = frozenset(
    split_list(
        "Bold Underline Italics Emphasis Lrule Rrule Toprule Botrule Arabic LittleRoman BigRoman "
        "LittleAlpha BigAlpha Disc Circle Square"
    )
)
_REFERRING = frozenset(split_list("IDREF referencedObject headers"))
_BLANKS = re.compile(r"[ \t\r\n\u00a0]*\n\s*")
_EDGES = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)


def walk_narrative(walk: WalkState, element: Element) -> None:
    """Write a narrative; markup that is not of CDA is left out, and its text is not."""
    walk.text.add_line("")
    _walk_markup(walk, element, "text")
    walk.text.add_line("")


def _walk_markup(walk: WalkState, element: Element, name: str) -> None:
    check_time()
    opened = OpenTag(name, tuple(_keep_attributes(walk, element, name)))
    if name in _EMPTY:
        walk.pieces.append(OpenTag(name, opened.attributes, closed=True))
        _write_gap(walk, name)
        return
    walk.pieces.append(opened)
    _write_gap(walk, name)
    _write_inside(walk, element)
    _write_gap(walk, name)
    walk.pieces.append(f"</{name}>")


def _write_inside(walk: WalkState, element: Element) -> None:
    _write_text(walk, element.text)
    for inner in element:
        name = name_of(inner)
        if name in _MARKUP:
            _walk_markup(walk, inner, name)
        elif isinstance(inner.tag, str):
            walk.text.add_gap("\n")
            _write_inside(walk, inner)
            walk.text.add_gap("\n")
        elif is_entity(inner):
            walk.pieces.append(" ")
        _write_text(walk, inner.tail)


def _write_gap(walk: WalkState, name: str) -> None:
    if name in _LINES:
        walk.text.add_gap("\n")
    elif name in _CELLS:
        walk.text.add_gap("\t")


def _write_text(walk: WalkState, text: str | None) -> None:
    """Write a text between two tags: the blanks around it are no part of it."""
    if not text:
        return
    before, core, behind = _EDGES.fullmatch(_BLANKS.sub("\n", text)).groups()  # type: ignore[union-attr]
    if not has_word(core):
        # Signs stay as they are, where a reader of the text sees them too.
        walk.pieces.append(escape(before + core + behind))
        walk.text.add_gap(before + core + behind)
        return
    walk.pieces.append(before)
    walk.text.add_gap(before)
    walk.pieces.append(ContentSlot(walk.text.add_beside(core)))
    walk.pieces.append(behind)
    walk.text.add_gap(behind)


def escape(text: str) -> str:
    """Return a text as XML has it between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _keep_attributes(
    walk: WalkState, element: Element, name: str
) -> Iterator[tuple[str, AttributeValue]]:
    for attribute, value in element.attrib.items():
        kept = _keep_attribute(walk, attribute, value.strip(), name)
        if kept:
            yield attribute, kept
    yield from keep_language(element)


def _keep_attribute(walk: WalkState, attribute: str, value: str, name: str) -> str:
    """Return what an attribute of the narrative becomes; nothing if it is left out."""
    if attribute == "ID":
        return walk.rename(value) if value else ""
    if attribute in _REFERRING:
        return " ".join(map(walk.rename, value.split()))
    if attribute == "href" and name == "linkHtml":
        return f"#{walk.rename(value[1:])}" if value.startswith("#") else ""
    if attribute == "styleCode":
        return " ".join(word for word in value.split() if word in _STYLES)
    if attribute in _SIZES:
        return value if _SIZE.fullmatch(value) else ""
    return value if value in _WORDS.get(attribute, ()) else ""
