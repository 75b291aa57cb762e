"""Replace stretches of the text of a part in the runs in which they stand.

A new text stands in the first run of its stretch, and so in its style. Where the stretch crosses
tabs or lines and the new text has the same ones, each piece stays on its own side of them.
Otherwise tabs and breaks within go, and so do ends of paragraphs, which become one. Ends of cells
and of boxes stay: no layout is changed for a name.
"""

import re
from array import array
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from deidstream.models.messages.attachments.docx_text import (
    CELL_END,
    TEXTS,
    walk_story,
)
from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.word.elements import make_element
from deidstream.models.messages.word.kept_markup import clark
from deidstream.models.time_budget import within_time

_RUN, _TEXT, _PARAGRAPH = clark("w:r"), clark("w:t"), clark("w:p")
_RUN_PROPERTIES = clark("w:rPr")
_PROPERTIES, _SECTION = clark("w:pPr"), clark("w:sectPr")
_WITHIN_RUN = frozenset(
    clark(f"w:{name}") for name in ("tab", "ptab", "br", "cr", "noBreakHyphen", "sym")
)
_SIGNS = {"\n": clark("w:br"), "\t": clark("w:tab"), "\u2011": clark("w:noBreakHyphen")}
"""What Word writes as an element."""
_SPLIT = re.compile("([\n\t\u2011])")
_EVERY = 100
"""Pieces between two readings of the clock."""
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A new text for ``[start, end)`` of the text of a part."""

    start: int
    end: int
    text: str = field(repr=False)


@dataclass(slots=True)
class _Piece:
    text: str = field(repr=False)
    element: Element = field(repr=False)
    start: int
    """Where it begins in all pieces."""
    put: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]], repr=False)
    """New texts for stretches of it, the last first; those for a mark stand in its place."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def is_text(self) -> bool:
        return self.element.tag in TEXTS

    @property
    def is_mark(self) -> bool:
        """Whether it is a tab, break or sign of a run, which may go."""
        parent = self.element.getparent()
        return self.element.tag in _WITHIN_RUN and parent is not None and parent.tag == _RUN


def replace_texts(root: Element, texts: Sequence[PlacedText]) -> None:
    """Replace stretches of the text of a part, in place.

    Args:
        root: A part as ``copy_story`` made it.
        texts: Disjoint, in order.
    """
    pieces: list[_Piece] = []
    at = 0
    for text, element in walk_story(root):
        if text:
            pieces.append(_Piece(text, element, at))
            at += len(text)
    places = locate_text("".join(piece.text for piece in pieces))
    last = len(pieces)
    for one in within_time(reversed(texts)):
        start, end = places[one.start], places[one.end - 1] + 1
        while last and pieces[last - 1].start >= end:
            last -= 1
        first = last
        while first and pieces[first - 1].end > start:
            first -= 1
        _replace(pieces[first:last], set(places[one.start : one.end]), start, end, one.text)
    for piece in within_time(pieces, every=_EVERY):
        _write(piece)


def locate_text(pieces: str) -> "array[int]":
    """Return where each character of a text is in the pieces that it is made of."""
    kept = array(
        "l",
        (
            place
            for place, sign in enumerate(pieces)
            if sign != "\n" or not pieces.startswith(CELL_END, place + 1)
        ),
    )
    places = array("l")
    begin = 0
    for line in "".join(pieces[place] for place in kept).replace(CELL_END, "\t").split("\n"):
        if line.strip():
            if places:
                # The line break before it is that of the last line with a text.
                places.append(kept[begin - 1])
            places.extend(kept[begin : begin + len(line.rstrip())])
        begin += len(line) + 1
    return places


def _replace(
    pieces: Sequence[_Piece], read: AbstractSet[int], start: int, end: int, text: str
) -> None:
    marks = [piece for piece in pieces if not piece.is_text]
    shown = [piece for piece in marks if piece.start in read]
    parts = _SPLIT.split(text)
    if [piece.text.replace(CELL_END, "\t") for piece in shown] == parts[1::2]:
        gaps = _cut_at(pieces, shown)
        if all(gap or not part for gap, part in zip(gaps, parts[::2], strict=True)):
            for gap, part in zip(gaps, parts[::2], strict=True):
                _put(gap, start, end, part)
            return
    _put([piece for piece in pieces if piece.is_text or piece.is_mark], start, end, text)
    for piece in within_time(reversed(marks)):
        if piece.element.tag == _PARAGRAPH:
            _join_paragraphs(piece.element)


def _cut_at(pieces: Sequence[_Piece], marks: Sequence[_Piece]) -> list[list[_Piece]]:
    """Return the texts before, between and behind marks."""
    gaps: list[list[_Piece]] = [[]]
    left = list(marks)
    for piece in pieces:
        if left and piece is left[0]:
            gaps.append([])
            left.pop(0)
        elif piece.is_text:
            gaps[-1].append(piece)
    return gaps


def _put(pieces: Sequence[_Piece], start: int, end: int, text: str) -> None:
    """Put a text into the first piece, and nothing into the others."""
    for number, piece in enumerate(pieces):
        inner = max(start, piece.start) - piece.start, min(end, piece.end) - piece.start
        piece.put.append((*inner, "" if number else text))


def _join_paragraphs(paragraph: Element) -> None:
    """Append the next paragraph to one, if nothing but that lies between them."""
    following = paragraph.getnext()
    if following is None or following.tag != _PARAGRAPH:
        return
    if any(one.find(f"{_PROPERTIES}/{_SECTION}") is not None for one in (paragraph, following)):
        return
    for inner in list(following):
        if inner.tag != _PROPERTIES:
            paragraph.append(inner)
    following.getparent().remove(following)


def _write(piece: _Piece) -> None:
    """Write what has become of a piece into its run."""
    if not piece.put:
        return
    element, parts = piece.element, _list_parts(piece)
    run = element.getparent()
    if run is None or run.tag != _RUN:
        element.text = "".join(text for text, _ in parts)
        return
    place = run.index(element)
    made: list[Element] = []
    for text, new in parts:
        for part in _SPLIT.split(text) if new else [text]:
            _append(made, part, is_sign=new and part in _SIGNS)
    run[place : place + 1] = made
    if all(inner.tag == _RUN_PROPERTIES for inner in run) and run.getparent() is not None:
        run.getparent().remove(run)


def _list_parts(piece: _Piece) -> list[tuple[str, bool]]:
    """Return the parts of a piece, each with whether it is new."""
    parts: list[tuple[str, bool]] = []
    at = 0
    for start, end, text in reversed(piece.put):
        parts += [(piece.text[at:start], False), (text, True)]
        at = end
    return [*parts, (piece.text[at:], False)]


def _append(made: list[Element], text: str, *, is_sign: bool) -> None:
    if is_sign:
        made.append(make_element(_SIGNS[text]))
    elif text and made and made[-1].tag == _TEXT:
        made[-1].text += text
    elif text:
        made.append(make_element(_TEXT, {_SPACE: "preserve"}))
        made[-1].text = text
