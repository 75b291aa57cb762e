"""Disjoint stretches of a text that some places cover together."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


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
