"""Gather doubts: what a recognizer saw, or the tagger holds for possible, that stays in the text.

The risk of a note asks for them: each may be an identifier that was overlooked.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deidstream.models.detection.reconcile import group_overlapping
from deidstream.schemas.span import Span
from deidstream.schemas.time_budget import within_time

_TAGGER = "tagger"


def gather_doubts(text: str, reports: Iterable[Span], found: Sequence[Span]) -> tuple[Span, ...]:
    """Gather the reports outside what was found; each stretch of text once.

    Words that are possible one after the other on a line are one doubt, as a name is. A doubt has
    the highest score of the tagger within it, 0 where the tagger saw nothing, and as its source the
    rule or dictionary entry that saw it, otherwise the tagger. Its label is that of this report; a
    possible word of the tagger has a label without meaning.

    Args:
        text: The text of the note.
        reports: Of every recognizer, counted or not, with what is possible, in any order.
        found: What is replaced; disjoint, in order.

    Returns:
        Disjoint spans, in order, each with a letter or digit and none in ``found``.
    """
    ends = [span.end for span in found]
    pieces: list[Span] = []
    for report in within_time(reports):
        pieces += _cut_out(text, report, found, ends)
    joined = _join_words(text, sorted(pieces))
    return tuple(_unite(group) for group in group_overlapping(joined))


def _cut_out(text: str, report: Span, found: Sequence[Span], ends: Sequence[int]) -> Iterator[Span]:
    """Yield what of a report lies outside ``found``, without signs at its ends."""
    start = report.start
    place = bisect_right(ends, report.start)
    while place < len(found) and found[place].start < report.end:
        yield from _trim(text, report, start, found[place].start)
        start = found[place].end
        place += 1
    yield from _trim(text, report, start, report.end)


def _trim(text: str, report: Span, start: int, end: int) -> Iterator[Span]:
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    if start < end:
        yield replace(report, start=start, end=end)


def _join_words(text: str, ordered: Sequence[Span]) -> list[Span]:
    """Extend a span over the blanks to the next one, so that the words of a name are one group."""
    joined: list[Span] = []
    end = 0
    for span in ordered:
        gap = text[end : span.start]
        beside = bool(joined) and 0 < len(gap) <= len(", ") and "\n" not in gap
        if beside and not any(map(str.isalnum, gap)):
            joined.append(replace(span, start=end - 1))
        else:
            joined.append(span)
        end = max(end, span.end)
    return joined


def _unite(group: Sequence[Span]) -> Span:
    tagged = [span.score for span in group if span.source.startswith(_TAGGER)]
    others = [span for span in group if not span.source.startswith(_TAGGER)]
    leading = max(others or group, key=_precedence)
    end = max(span.end for span in group)
    return replace(leading, start=group[0].start, end=end, score=max(tagged, default=0.0))


def _precedence(span: Span) -> tuple[float, int, str, int]:
    return span.score, span.end - span.start, span.source, -span.start
