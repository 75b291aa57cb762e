"""Drop what a reading across a line end has found where the lines make sense by themselves."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from operator import attrgetter

from deidstream.schemas.span import Span

_MOST_DIGITS = 2
"""Digits on a line of their own that identify nobody: a count of days, an item of a list."""


def cut_contradicted(shown: Iterable[Span], spans: Sequence[Span], text: str) -> Iterator[Span]:
    """Yield the spans of ``shown``, those cut or left out that the note itself contradicts.

    ``HD 3`` above ``1/10/24`` reads as a date of the 31st across the line end, and a number above a
    date as one number. A span over a line end with a figure beside it is doubted when the note
    itself has spans of two labels on its two sides, or one on one side and nothing but one or two
    digits on the other. Of a doubted span stays what the note's spans leave bare, so that nothing
    is uncovered.

    Args:
        shown: Found across line ends, at their places in the note.
        spans: Found in the note as it stands.
        text: Of the note.
    """
    lines = _Lines.of(spans, text)
    for span in shown:
        yield from lines.bare(span) if lines.contradict(span) else (span,)


@dataclass(frozen=True, slots=True)
class _Lines:
    text: str = field(repr=False)
    spans: Sequence[Span]
    """Sorted."""
    reach: Sequence[int]
    """How far the spans up to each place reach."""

    @classmethod
    def of(cls, spans: Sequence[Span], text: str) -> "_Lines":
        ordered = sorted(spans)
        return cls(text, ordered, list(accumulate(map(attrgetter("end"), ordered), max)))

    def bare(self, span: Span) -> Iterator[Span]:
        """What the note's own spans leave of a span: words and figures, without what is between."""
        for start, end in self._gaps(span):
            held = self.text[start:end].strip()
            if any(map(str.isalnum, held)):
                at = self.text.index(held, start, end)
                yield replace(span, start=at, end=at + len(held))

    def _gaps(self, span: Span) -> Iterator[tuple[int, int]]:
        start = span.start
        for other in self._overlapping(span):
            if start < other.start:
                yield start, other.start
            start = max(start, other.end)
        if start < span.end:
            yield start, span.end

    def contradict(self, span: Span) -> bool:
        left, right = self._sides(span)
        if left >= right:
            return False
        if not (self.text[left - 1].isdecimal() or self.text[right].isdecimal()):
            return False
        near = list(self._overlapping(span))
        before, after = _labels(near, left - 1), _labels(near, right)
        if before & after or any(s.start < left and right < s.end for s in near):
            return False
        return bool(before or after) and self._is_covered(span)

    def _sides(self, span: Span) -> tuple[int, int]:
        """Where the first line ends and the next begins; no gap where there is one line."""
        held = self.text[span.start : span.end]
        first, _, rest = held.partition("\n")
        left = span.start + len(first.rstrip())
        right = span.end - len(rest.lstrip())
        return (left, right) if "\n" in held and span.start < left and right < span.end else (0, 0)

    def _overlapping(self, span: Span) -> Iterator[Span]:
        for other in islice(self.spans, bisect_right(self.reach, span.start), None):
            if other.start >= span.end:
                return
            if other.end > span.start:
                yield other

    def _is_covered(self, span: Span) -> bool:
        bare = "".join(self.text[slice(*gap)] for gap in self._gaps(span))
        told = [char for char in bare if char.isalnum()]
        return len(told) <= _MOST_DIGITS and all(map(str.isdecimal, told))


def _labels(spans: Iterable[Span], place: int) -> set[str]:
    return {span.label for span in spans if span.start <= place < span.end}
