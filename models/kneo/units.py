"""Cut a note into the units that sentence KNEO exchanges, without cutting a replaced span."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.models.text.sentences import Sentence, split_sentences
from deidstream.schemas.span import Replacement


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, or several that one replaced span holds together."""

    start: int
    end: int
    query: str = field(repr=False)
    """The text to embed: on one line, with labels in place of replaced spans."""
    open: bool
    """Whether it may be exchanged; headings and very short sentences may not."""


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
    first = 0
    for piece in _join_pieces(split_sentences(text), replacements):
        first = _skip_before(replacements, first, piece.start)
        query = _write_labels(text, piece, replacements, first)
        is_open = not piece.heading and _count_words(query) >= min_words
        cut.append(Unit(piece.start, piece.end, query, is_open))
    return cut


def _join_pieces(pieces: Sequence[Sentence], replacements: Sequence[Replacement]) -> list[Sentence]:
    """Widen pieces over the replacements they touch; join those that then overlap."""
    merged: list[Sentence] = []
    first = 0
    for piece in pieces:
        first = _skip_before(replacements, first, piece.start)
        wide = _widen(piece, replacements, first)
        if merged and wide.start < merged[-1].end:
            last = merged.pop()
            heading = last.heading or wide.heading
            wide = Sentence(last.start, max(last.end, wide.end), heading)
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
    return Sentence(start, end, piece.heading)


def _write_labels(
    text: str, piece: Sentence, replacements: Sequence[Replacement], first: int
) -> str:
    parts: list[str] = []
    begin, at = piece.start, first
    while at < len(replacements) and replacements[at].out_start < piece.end:
        landed = replacements[at]
        parts += [text[begin : landed.out_start], landed.span.label.value]
        begin, at = landed.out_end, at + 1
    parts.append(text[begin : piece.end])
    return " ".join("".join(parts).split())


def _count_words(text: str) -> int:
    return sum(any(c.isalnum() for c in word) for word in text.split())
