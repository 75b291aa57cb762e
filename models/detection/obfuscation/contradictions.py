"""Drop spans found across a line end where the two lines make sense by themselves."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from operator import attrgetter

from deidstream.models.detection.reconcile import is_formed
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span, sort_spans

_MOST_DIGITS = 2
"""Digits on a line of their own that identify no person: a count of days, an item of a list."""


def cut_contradicted_spans(
    joined: Iterable[Span], spans: Sequence[Span], text: str
) -> Iterator[Span]:
    """Yield the spans of ``joined``; cut or leave out those that the note itself contradicts.

    ``HD 3`` above ``1/10/24`` reads as a date of the 31st across the line end, and a number above a
    date as one number. A span over a line end with a figure beside it is doubted when the note
    itself has spans of two labels on its two sides, or one on one side and nothing but one or two
    digits on the other. A doubted span is cut to what the note's own spans do not cover, so that
    nothing is uncovered. Where the second line begins with a certain date, up to the end of the
    span, the number above it was never part of one: ``BP 148/96`` above ``10/6``.

    Args:
        joined: Spans found across line ends, at their places in the note.
        spans: Spans found in the note as it is written.
        text: Text of the note.
    """
    found = list(joined)
    own = _OwnSpans.of(spans if found else (), text)
    for span in found:
        if own.begin_with_date(span):
            continue
        if own.contradict(span):
            yield from own.uncovered_parts(span)
        else:
            yield span


@dataclass(frozen=True, slots=True)
class _OwnSpans:
    """The spans found in a note as it is written."""

    text: str = field(repr=False)
    spans: Sequence[Span]
    """Sorted."""
    reach: Sequence[int]
    """For each span, the furthest end of it and of all spans before it."""

    @classmethod
    def of(cls, spans: Sequence[Span], text: str) -> "_OwnSpans":
        ordered = sort_spans(spans)
        return cls(text, ordered, list(accumulate(map(attrgetter("end"), ordered), max)))

    def uncovered_parts(self, span: Span) -> Iterator[Span]:
        """Yield the parts of a span with letters or digits that the note's own spans leave."""
        for start, end in self._gaps(span):
            part = self.text[start:end].strip()
            if any(map(str.isalnum, part)):
                at = self.text.index(part, start, end)
                yield span.at(at, at + len(part))

    def _gaps(self, span: Span) -> Iterator[tuple[int, int]]:
        start = span.start
        for other in self._overlapping(span):
            if start < other.start:
                yield start, other.start
            start = max(start, other.end)
        if start < span.end:
            yield start, span.end

    def begin_with_date(self, span: Span) -> bool:
        """Return whether the next line is a certain date, as far as a span reaches."""
        gap = self._line_gap(span)
        if gap is None or not self.text[gap[0] - 1].isdecimal():
            return False
        above = self.text[max(span.start, gap[0] - 1 - _MOST_DIGITS) : gap[0]]
        if span.label is PhiLabel.DATE and not (len(above) > _MOST_DIGITS and above.isdecimal()):
            return False  # the first digit of a day or a month may be above: "1" and "2/2/2024"
        return any(
            other.start == gap[1] and other.end >= span.end and _is_certain_date(other)
            for other in self._overlapping(span)
        )

    def contradict(self, span: Span) -> bool:
        """Return whether the note's own spans explain both lines of a span across a line end."""
        gap = self._line_gap(span)
        if gap is None:
            return False
        left, right = gap
        if not (self.text[left - 1].isdecimal() or self.text[right].isdecimal()):
            return False
        near = list(self._overlapping(span))
        before, after = _labels_at(near, left - 1), _labels_at(near, right)
        if before & after or any(s.start < left and right < s.end for s in near):
            return False
        return bool(before or after) and self._leave_only_digits(span)

    def _line_gap(self, span: Span) -> tuple[int, int] | None:
        """Return where the first line of a span ends and its next begins; none for one line."""
        first, line_end, rest = self.text[span.start : span.end].partition("\n")
        left = span.start + len(first.rstrip())
        right = span.end - len(rest.lstrip())
        if not line_end or left == span.start or right == span.end:
            return None
        return left, right

    def _overlapping(self, span: Span) -> Iterator[Span]:
        for other in islice(self.spans, bisect_right(self.reach, span.start), None):
            if other.start >= span.end:
                return
            if other.end > span.start:
                yield other

    def _leave_only_digits(self, span: Span) -> bool:
        """Return whether a few digits at most are not covered by the note's own spans."""
        uncovered = "".join(self.text[start:end] for start, end in self._gaps(span))
        characters = [char for char in uncovered if char.isalnum()]
        return len(characters) <= _MOST_DIGITS and all(map(str.isdecimal, characters))


def _is_certain_date(span: Span) -> bool:
    return span.label is PhiLabel.DATE and is_formed(span)


def _labels_at(spans: Iterable[Span], place: int) -> set[str]:
    return {span.label for span in spans if span.start <= place < span.end}
