"""Disjoint stretches of a text that some places cover together."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from deidstream.schemas.span import Span


@dataclass(frozen=True, slots=True)
class Stretches:
    """Disjoint stretches ``[start, end)`` of a text, in order; no two of them touch."""

    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def covered_by(cls, places: Iterable[tuple[int, int]]) -> "Stretches":
        """Unite non-empty places that overlap or touch, given in any order."""
        starts: list[int] = []
        ends: list[int] = []
        last = -1
        for start, end in sorted(places):
            if start > last:
                starts.append(start)
                ends.append(end)
                last = end
            elif end > last:
                ends[-1] = last = end
        return cls(starts, ends)

    @classmethod
    def of_spans(cls, spans: Iterable[Span]) -> "Stretches":
        """Unite spans that overlap or touch, given in any order."""
        return cls.covered_by((span.start, span.end) for span in spans)

    def within(self, start: int, end: int) -> tuple[int, int] | None:
        """Return from where to where ``[start, end)`` is covered, gaps between left aside."""
        first = bisect_right(self.ends, start)
        last = bisect_left(self.starts, end) - 1
        if first > last:
            return None
        return max(start, self.starts[first]), min(end, self.ends[last])

    def covers(self, start: int, end: int) -> bool:
        """Return whether ``[start, end)`` is covered wholly."""
        held = self.holding(start)
        return held is not None and end <= held[1]

    def holding(self, at: int) -> tuple[int, int] | None:
        """Return the stretch that holds a character."""
        place = bisect_right(self.starts, at) - 1
        if place < 0 or at >= self.ends[place]:
            return None
        return self.starts[place], self.ends[place]

    def between(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the pieces of ``[start, end)`` that are not covered, in order."""
        for place in range(bisect_right(self.ends, start), bisect_left(self.starts, end)):
            if start < self.starts[place]:
                yield start, self.starts[place]
            start = self.ends[place]
        if start < end:
            yield start, end


def cut_outside(span: Span, places: Stretches, text: str) -> Iterator[Span]:
    """Yield the parts of a span beside some places, as ``cut_to`` does."""
    return cut_to(span, places.between(span.start, span.end), text)


def cut_to(span: Span, pieces: Iterable[tuple[int, int]], text: str) -> Iterator[Span]:
    """Yield pieces of a span, each from its first letter or digit to its last.

    A piece without any is left out, and a span that is one piece stays as it is.
    """
    for start, end in pieces:
        whole = (start, end) == (span.start, span.end)
        first, last = (start, end) if whole else strip_signs(text, start, end)
        if first < last:
            yield span.at(first, last)


def strip_signs(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out what is neither letter nor digit at both ends of ``[start, end)``."""
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end
