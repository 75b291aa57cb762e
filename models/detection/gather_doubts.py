"""Gather doubts: what a recognizer saw, or the tagger holds for possible, that stays in the text.

The risk of a note asks for them: each may be an identifier that was overlooked.
"""

from collections.abc import Iterable, Sequence

from deidstream.models.detection.reconcile import group_overlapping
from deidstream.models.detection.stretches import Stretches, strip_signs
from deidstream.models.time_budget import within_time
from deidstream.schemas.span import Span, sort_spans

_TAGGER = "tagger"
_WIDEST = len(", ")
_OFTEN = 64
"""Reports between two looks at the clock."""


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
    covered = Stretches.of_spans(found)
    pieces: list[Span] = []
    for report in within_time(reports, every=_OFTEN):
        for place in covered.between(report.start, report.end):
            start, end = strip_signs(text, *place)
            if start < end:
                pieces.append(report.at(start, end))
    joined = _join_words(text, sort_spans(pieces))
    return tuple(_unite(group) for group in group_overlapping(joined))


def _join_words(text: str, ordered: Sequence[Span]) -> list[Span]:
    """Extend a span over the blanks to the next one, so that the words of a name are one group."""
    joined: list[Span] = []
    end = 0
    for span in ordered:
        if joined and 0 < span.start - end <= _WIDEST and _is_blank(text[end : span.start]):
            joined.append(span.at(end - 1, span.end))
        else:
            joined.append(span)
        end = max(end, span.end)
    return joined


def _is_blank(gap: str) -> bool:
    return "\n" not in gap and not any(map(str.isalnum, gap))


def _unite(group: Sequence[Span]) -> Span:
    if len(group) == 1:
        (span,) = group
        return span if span.source.startswith(_TAGGER) else span.scored(0.0)
    tagged = [span.score for span in group if span.source.startswith(_TAGGER)]
    others = [span for span in group if not span.source.startswith(_TAGGER)]
    end = max(span.end for span in group)
    leading = max(others or group, key=_precedence)
    return leading.at(group[0].start, end).scored(max(tagged, default=0.0))


def _precedence(span: Span) -> tuple[float, int, str, int]:
    return span.score, span.end - span.start, span.source, -span.start
