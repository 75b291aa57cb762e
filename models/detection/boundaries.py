"""Where spans overlap, let the tagger say where each begins and what it is."""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deidstream.models.detection.overlaps import groups, rank, resolve, united
from deidstream.schemas.span import Span

TAGGER = "tagger"
_SMALL_WORDS = frozenset(
    {"and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)
"""Words with which no span ends."""
_GIVEN = ("known", "dictionary:deny")
"""Sources of the sender and the site: nobody corrects them."""


def delimited(spans: Iterable[Span], text: str) -> tuple[Span, ...]:
    """Make spans disjoint by the borders and labels of the tagger; none loses a letter or digit.

    Rules see a form and the tagger the sentence: a town and its state that a rule took for one
    place are two spans again, a full stop is left out, and a number has the label that its
    surroundings give it. Tagger spans of one label in one group stay one span, as do spans that no
    tagger span overlaps (``resolve``). What the sender or the site names keeps its borders and
    label. Of what lies between two borders, words go to the span before; white space, punctuation
    and small words such as "at" go to none.

    Args:
        spans: Of one note, in any order; ``tagger`` is the source of the tagger's.
        text: Of the note.

    Raises:
        InvalidSpan: A span ends after the text.
    """
    ordered = sorted(spans)
    settled = (piece for group in groups(ordered) for piece in _parted(group, text))
    return resolve(settled, length=len(text))


def _parted(group: Sequence[Span], text: str) -> Iterator[Span]:
    leading = list(_leading(group))
    if not leading:
        yield united(group)
        return
    end = max(span.end for span in group)
    borders = [group[0].start, *(span.start for span in leading[1:]), end]
    for place, leader in enumerate(leading):
        # What reaches over a border is the earlier span's, as far as it holds words.
        start = _first(text, borders[place], leader.start)
        yield replace(leader, start=start, end=_last(text, leader.end, borders[place + 1]))


def _leading(group: Sequence[Span]) -> Iterator[Span]:
    """Those whose borders count, neighbours of one label as one; disjoint, in order."""
    held: Span | None = None
    for span in _apart(group):
        if held is not None and held.label == span.label:
            held = replace(held, end=span.end, score=max(held.score, span.score))
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _apart(group: Sequence[Span]) -> list[Span]:
    given = [span for span in group if span.source.startswith(_GIVEN)]
    tagged = [span for span in group if span.source == TAGGER]
    chosen: list[Span] = []
    for span in (*sorted(given, key=rank, reverse=True), *sorted(tagged, key=rank, reverse=True)):
        place = bisect_left(chosen, span.start, key=_start)
        beside = chosen[max(place - 1, 0) : place + 1]
        if all(span.end <= other.start or other.end <= span.start for other in beside):
            chosen.insert(place, span)
    return chosen


def _start(span: Span) -> int:
    return span.start


def _first(text: str, start: int, border: int) -> int:
    return border if _is_gap(text[start:border]) else start


def _last(text: str, border: int, end: int) -> int:
    """Leave out what no span ends with, as far back as ``border``."""
    while end > border:
        start = _word_start(text, border, end)
        if text[start:end] in _SMALL_WORDS and text[start - 1].isspace():
            end = start
        elif _is_gap(text[end - 1]):
            end -= 1
        else:
            break
    return end


def _word_start(text: str, border: int, end: int) -> int:
    while end > border and text[end - 1].isalpha():
        end -= 1
    return end


def _is_gap(text: str) -> bool:
    return all(char.isspace() or unicodedata.category(char).startswith("P") for char in text)
