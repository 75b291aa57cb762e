"""Cut a note into the units that sentence KNEO exchanges, without cutting a replaced span."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from deidstream.models.kneo.unit_kinds import UnitKind, kind_of
from deidstream.models.text.sentences import Sentence, split_sentences
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Replacement

_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n")
"""It ends what a heading heads."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, or several that one replaced span holds together."""

    start: int
    end: int
    query: str = field(repr=False)
    """The text to embed: on one line, with labels in place of replaced spans."""
    kind: UnitKind
    inside: tuple[Replacement, ...] = field(repr=False)
    """The replacements in it."""

    @property
    def open(self) -> bool:
        """Whether it may be exchanged."""
        return self.kind is UnitKind.PROSE


def cut_units(text: str, replacements: Sequence[Replacement], min_words: int) -> list[Unit]:
    """Cut a text into units.

    Args:
        text: Text in which the replacements have landed.
        replacements: Sorted by ``out_start``, disjoint.
        min_words: Least number of words of an open unit.

    Returns:
        Sorted, disjoint; a replacement lies wholly inside one unit or wholly outside all.
    """
    cut: list[Unit] = []
    first, end, heading = 0, 0, ""
    for piece in _join_pieces(split_sentences(text), replacements):
        first = _skip_before(replacements, first, piece.start)
        inside = _take_inside(replacements, first, piece.end)
        query = " ".join(write_labels(text, (piece.start, piece.end), inside, "{}").split())
        if piece.heading:
            heading = query
        elif (
            cut
            and cut[-1].kind is not UnitKind.HEADING
            and _BLANK_LINE.search(text, end, piece.start)
        ):
            heading = ""
        kind = _tell_kind(piece, query, heading, min_words)
        cut.append(Unit(piece.start, piece.end, query, kind, inside))
        end = piece.end
    return cut


def find_surrogates(text: str, unit: Unit) -> list[tuple[PhiLabel, str]]:
    """Return the label and the text of each replacement in a unit, in order."""
    return [(one.span.label, text[one.out_start : one.out_end]) for one in unit.inside]


def _take_inside(
    replacements: Sequence[Replacement], first: int, end: int
) -> tuple[Replacement, ...]:
    after = first
    while after < len(replacements) and replacements[after].out_start < end:
        after += 1
    return tuple(replacements[first:after])


def _tell_kind(piece: Sentence, query: str, heading: str, min_words: int) -> UnitKind:
    if piece.heading:
        return UnitKind.HEADING
    if _count_words(query) < min_words:
        return UnitKind.SHORT
    return UnitKind.CELL if piece.cell else kind_of(query, heading)


def _join_pieces(pieces: Sequence[Sentence], replacements: Sequence[Replacement]) -> list[Sentence]:
    """Widen pieces over the replacements they touch; join those that then overlap."""
    merged: list[Sentence] = []
    first = 0
    for piece in pieces:
        first = _skip_before(replacements, first, piece.start)
        wide = _widen(piece, replacements, first)
        if merged and wide.start < merged[-1].end:
            last = merged.pop()
            heading, cell = last.heading or wide.heading, last.cell or wide.cell
            wide = Sentence(last.start, max(last.end, wide.end), heading, cell)
        merged.append(wide)
    return merged


def _skip_before(replacements: Sequence[Replacement], first: int, start: int) -> int:
    while first < len(replacements) and replacements[first].out_end <= start:
        first += 1
    return first


def _widen(piece: Sentence, replacements: Sequence[Replacement], first: int) -> Sentence:
    start, end, at = piece.start, piece.end, first
    while at < len(replacements) and replacements[at].out_start < piece.end:
        start, end = min(start, replacements[at].out_start), max(end, replacements[at].out_end)
        at += 1
    return replace(piece, start=start, end=end)


def write_labels(
    text: str, part: tuple[int, int], inside: Iterable[Replacement], style: str
) -> str:
    """Write a part of a text with labels in place of the replaced spans in it.

    Args:
        text: Text in which the replacements have landed.
        part: ``[start, end)``.
        inside: The replacements in that part, sorted and disjoint.
        style: How a label is written, such as ``[{}]``.
    """
    begin, end = part
    parts: list[str] = []
    for landed in inside:
        parts += [text[begin : landed.out_start], style.format(landed.span.label.value)]
        begin = landed.out_end
    parts.append(text[begin:end])
    return "".join(parts)


def _count_words(text: str) -> int:
    return sum(any(c.isalnum() for c in word) for word in text.split())
