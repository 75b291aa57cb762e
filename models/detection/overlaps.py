"""Make any spans disjoint without uncovering a character."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deidstream.schemas.errors import InvalidSpan, Stage
from deidstream.schemas.span import Span

SOURCES = ("sweep", "dictionary", "tagger", "rules", "dictionary:deny", "known")
"""Whose word counts when score and length are equal, the last most; any other source least."""


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
    if any(span.end > length for span in ordered):
        raise InvalidSpan(Stage.DETECT)
    return tuple(united(group) for group in groups(ordered))


def groups(ordered: Sequence[Span]) -> Iterator[list[Span]]:
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


def united(group: Sequence[Span]) -> Span:
    """Make one span of a sorted group."""
    winner = max(group, key=rank)
    return replace(winner, start=group[0].start, end=max(span.end for span in group))


def rank(span: Span) -> tuple[float, int, int, str, str, int]:
    """Whose word counts among spans that overlap: the greatest."""
    # The last three only make equals of the first three independent of their order.
    names = [name for name in SOURCES if (span.source + ":").startswith(name + ":")]
    priority = max(map(SOURCES.index, names), default=-1)
    return span.score, span.end - span.start, priority, span.label, span.source, -span.start
