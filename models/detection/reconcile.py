"""Reconcile spans that disagree: where each begins and ends, what it is, and what counts."""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from deidstream.schemas.errors import InvalidSpan, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import POSSIBLE, Span

SCORE_DIGITS = 3
"""Scores are rounded before any threshold: float noise of another batch shape decides nothing."""
SURE = 0.96
"""A rule or dictionary entry this sure needs nobody's word."""
SOURCES = ("sweep", "dictionary", "tagger", "rules", "dictionary:deny", "known")
"""Whose word counts when score and length are equal, the last most; any other source least."""
_TAGGER = "tagger"
_DENIED = "dictionary:deny"
_DOUBTED = ("rules", "dictionary")
_SMALL_WORDS = frozenset(
    {"and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)
"""Words with which no span ends."""
_GIVEN = ("known", _DENIED)
"""Sources of the sender and the site: nobody corrects them."""


def drop_possible(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans that were found, without those that are only possible."""
    return tuple(span for span in spans if span.source != POSSIBLE)


def drop_below_threshold(
    spans: Iterable[Span], thresholds: Mapping[PhiLabel, float]
) -> tuple[Span, ...]:
    """Drop the spans whose rounded score is below the threshold of their label."""
    return tuple(s for s in spans if round(s.score, SCORE_DIGITS) >= thresholds.get(s.label, 0))


def drop_uncorroborated(spans: Sequence[Span], *, length: int) -> tuple[Span, ...]:
    """Drop what a rule or the dictionary is not sure of and the tagger is sure is nothing.

    A span stays whole if it scores ``SURE`` or more, or is known or denied by the site. Of another
    stays what lies between the first and the last character that the tagger thinks possibly PHI,
    if there are any.

    Args:
        spans: Of one note, with the tagger's ``POSSIBLE`` ones, in any order.
        length: Of the note, in code points.
    """
    heard = np.zeros(length, dtype=np.bool_)
    for span in spans:
        if span.source.startswith(_TAGGER):
            heard[span.start : span.end] = True
    return tuple(kept for span in drop_possible(spans) for kept in _kept(span, heard))


def _kept(span: Span, heard: NDArray[np.bool_]) -> Iterator[Span]:
    if span.score >= SURE or span.source == _DENIED or not span.source.startswith(_DOUBTED):
        yield span
        return
    places = np.flatnonzero(heard[span.start : span.end])
    if len(places):
        start = span.start + int(places[0])
        yield replace(span, start=start, end=span.start + int(places[-1]) + 1)


def apply_tagger_borders(spans: Iterable[Span], text: str) -> tuple[Span, ...]:
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
    settled = (piece for group in group_overlapping(ordered) for piece in _parted(group, text))
    return resolve(settled, length=len(text))


def _parted(group: Sequence[Span], text: str) -> Iterator[Span]:
    leading = list(_leading(group))
    if not leading:
        yield unite(group)
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
    tagged = [span for span in group if span.source == _TAGGER]
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


def resolve(spans: Iterable[Span], *, length: int) -> tuple[Span, ...]:
    """Unite overlapping spans; return disjoint ones, in order, that cover the same characters.

    Spans that overlap, directly or through others, become one span from the first start to the last
    end. Its label, score and source are those of the span with the highest score; among equals of
    the longest, then by ``SOURCES``. So a surer short span gives its label to a longer one around
    it: cutting the long one into pieces would give each piece a surrogate of its own. Spans that
    merely touch stay apart. The order of ``spans`` does not count, and resolving twice changes
    nothing. One sort and one sweep.

    Raises:
        InvalidSpan: A span ends after ``length``.
    """
    ordered = sorted(spans)
    refuse_outside(ordered, length)
    return tuple(unite(group) for group in group_overlapping(ordered))


def group_overlapping(ordered: Sequence[Span]) -> Iterator[list[Span]]:
    """Gather sorted spans that overlap, directly or through others; disjoint groups, in order."""
    group: list[Span] = []
    end = 0
    for span in ordered:
        if group and span.start >= end:
            yield group
            group = []
        group.append(span)
        end = max(end, span.end) if len(group) > 1 else span.end
    if group:
        yield group


def unite(group: Sequence[Span]) -> Span:
    """Make one span of a sorted group."""
    winner = max(group, key=rank)
    return replace(winner, start=group[0].start, end=max(span.end for span in group))


def rank(span: Span) -> tuple[float, int, int, str, str, int]:
    """Whose word counts among spans that overlap: the greatest."""
    # The last three only make equals of the first three independent of their order.
    names = [name for name in SOURCES if (span.source + ":").startswith(name + ":")]
    priority = max(map(SOURCES.index, names), default=-1)
    return span.score, span.end - span.start, priority, span.label, span.source, -span.start


def refuse_outside(spans: Iterable[Span], length: int) -> None:
    """Refuse spans that end after the text.

    Raises:
        InvalidSpan: A span ends after ``length``.
    """
    if any(span.end > length for span in spans):
        raise InvalidSpan(Stage.DETECT)
