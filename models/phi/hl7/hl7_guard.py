"""Keep the form of HL7 v2 messages: no span touches a separator or a code, no surrogate holds one.

A text is read once, and what was read goes with its note from stage to stage. The standard says
what many fields hold. Names, numbers, addresses and dates of such fields count as
found by a sure rule; codes are left alone; in free text counts what the recognizers found (ADR 35).
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from deidstream.models.phi.hl7.message_grammar import Hl7Segment, escape, find_escapes, read_hl7
from deidstream.models.phi.hl7.message_values import Hl7Value, read_values
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Replacement, Span, sort_spans

_T = TypeVar("_T")
SCORE = 0.99
"""The score of what the standard names."""
SOURCE = "rules:hl7.field"
SHORTEST_NAME = 4
"""Letters of a name that counts also where the standard has a code."""
_KNOWN = "known"
"""Source of the sender, who may know a name where the standard has a code; so may the site."""
_HIDING = "CMXxZ"
"""Begin escapes that are text themselves, or the character set of a text."""
_WORDS = re.compile(r"[^\W_].*[^\W_)]|[^\W_]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Hl7Guard:
    """The messages in the text of one note."""

    text: str = field(repr=False)
    segments: Sequence[Hl7Segment] = field(repr=False)
    values: Sequence[Hl7Value] = field(repr=False)
    """The values of all segments, in order."""
    escapes: Sequence[tuple[int, int]] = field(repr=False)
    """The places of what is escaped in free text, in order."""
    named: Mapping[str, PhiLabel] = field(repr=False)
    """What the standard names in any field, without case: it counts wherever it stands again."""
    stated: Sequence[Span] = field(repr=False)
    """The spans of what the standard names, at its own places."""

    @classmethod
    def read(cls, text: str) -> "Hl7Guard":
        """Read the messages of a text; it may have none."""
        segments = read_hl7(text)
        values: list[Hl7Value] = []
        escapes: list[tuple[int, int]] = []
        stated: list[Span] = []
        for segment in within_time(segments):
            read = [*read_values(segment, text)]
            values += read
            escapes += _find_escapes(text, segment, read)
            for value in read:
                stated += _state(text, segment, value)
        named: dict[str, PhiLabel] = {}
        for value in values:
            written = text[value.place.start : value.place.end].casefold()
            if value.label is not None and len(written) >= SHORTEST_NAME:
                named.setdefault(written, value.label)
        return cls(text, segments, values, escapes, named, stated)

    def keep_form(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Cut spans at separators, drop what touches codes, and add what the standard names.

        Disjoint spans stay disjoint.
        """
        cut = self.cut_at_signs(spans)
        return sort_spans({*self.stated, *cut}) if self.stated else cut

    def cut_at_signs(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Cut spans at separators, and drop what touches codes or what the standard names."""
        if not self.segments:
            return tuple(spans)
        cut = (part for span in within_time(spans) for part in self._cut(span))
        return sort_spans(set(cut))

    def short_codes(self) -> Iterator[tuple[int, int]]:
        """Yield the places of codes that a name may be spelled like, in order."""
        for value in self.values:
            if value.is_code and value.place.end - value.place.start < SHORTEST_NAME:
                yield value.place.start, value.place.end

    def escape(self, replacements: Iterable[Replacement]) -> list[Replacement]:
        r"""Escape the signs of a message in the surrogates that go into it; none breaks a line.

        ``Ward & Sons`` becomes ``Ward \T\ Sons``. Surrogates outside of messages stay.
        """
        return [self._escape(one) for one in replacements]

    def _escape(self, one: Replacement) -> Replacement:
        last = bisect_right(self.segments, one.span.start, key=_start_of) - 1
        if last < 0 or self.segments[last].end <= one.span.start:
            return one
        return replace(one, text=escape(one.text, self.segments[last].signs))

    def _cut(self, span: Span) -> Iterator[Span]:
        """Yield the parts of a span outside of messages and in their free text."""
        read = span.start
        last = bisect_right(self.segments, span.start, key=_start_of) - 1
        for segment in _iterate_from(self.segments, last):
            if segment.start >= span.end:
                break
            if segment.end <= read:
                continue
            if read < segment.start:
                yield from self._trim(span, read, segment.start)
            yield from self._cut_segment(span, segment)
            read = segment.end
        if read == span.start:
            yield span
        elif read < span.end:
            yield from self._trim(span, read, span.end)

    def _cut_segment(self, span: Span, segment: Hl7Segment) -> Iterator[Span]:
        first = bisect_right(self.values, max(span.start, segment.start), key=_value_start_of) - 1
        for value in _iterate_from(self.values, first):
            place = value.place
            if place.start >= min(span.end, segment.end):
                break
            start, end = max(place.start, span.start), min(place.end, span.end)
            if value.label is None and start < end:
                yield from self._cut_value(span, value, start, end)

    def _cut_value(self, span: Span, value: Hl7Value, start: int, end: int) -> Iterator[Span]:
        given = span.of_site or span.source == _KNOWN
        for part in self._cut_at_escapes(span, start, end):
            label = self.named.get(self.text[part.start : part.end].casefold())
            if given or (label is None and not value.is_code):
                yield part
            elif label is not None:
                yield replace(part, label=label)

    def _cut_at_escapes(self, span: Span, start: int, end: int) -> Iterator[Span]:
        for place in range(bisect_right(self.escapes, start, key=_end_of), len(self.escapes)):
            opened, closed = self.escapes[place]
            if opened >= end:
                break
            if start < opened:
                yield from self._trim(span, start, opened)
            start = closed
        if start < end:
            yield from self._trim(span, start, end)

    def _trim(self, span: Span, start: int, end: int) -> Iterator[Span]:
        if (start, end) == (span.start, span.end):
            yield span
            return
        words = _WORDS.search(self.text, start, end)
        if words is not None:
            yield span.at(words.start(), words.end())


def _state(text: str, segment: Hl7Segment, value: Hl7Value) -> Iterator[Span]:
    """Yield the spans of a value that the standard names, between the signs that it escapes."""
    if value.label is None:
        return
    start = value.place.start
    escapes = find_escapes(text, segment.signs, start, value.place.end)
    signs = [place for place in escapes if text[place[0] + 1] not in _HIDING]
    for opened, closed in (*signs, (value.place.end, value.place.end)):
        words = _WORDS.search(text, start, opened)
        if words is not None:
            first = start if value.label is PhiLabel.PHONE else words.start()
            yield Span(first, words.end(), value.label, SCORE, SOURCE)
        start = closed


def _find_escapes(
    text: str, segment: Hl7Segment, values: Iterable[Hl7Value]
) -> Iterator[tuple[int, int]]:
    for value in values:
        if not value.is_code and value.label is None:
            yield from find_escapes(text, segment.signs, value.place.start, value.place.end)


def _iterate_from(items: Sequence[_T], first: int) -> Iterator[_T]:
    """Iterate from an item on; a slice of a long list would be copied for each span."""
    return (items[place] for place in range(max(first, 0), len(items)))


def _start_of(segment: Hl7Segment) -> int:
    return segment.start


def _end_of(place: tuple[int, int]) -> int:
    return place[1]


def _value_start_of(value: Hl7Value) -> int:
    return value.place.start
