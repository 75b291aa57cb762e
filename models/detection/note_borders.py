"""Keep the borders of a note that has a form: no span crosses those of its elements.

An element of a resource that has a label counts as found by its sender (``known``, score 1). In
elements of free text the findings of recognizers count. Between elements there are only headings,
so that nothing counts there (ADR 50). HL7 messages within a text keep their form too (ADR 35).
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.time_budget import within_time
from deidstream.schemas.documents.note_form import FormPart
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span, sort_spans

SOURCE = "known"
_WORDS = re.compile(r"[^\W_].*[^\W_]|[^\W_]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NoteBorders:
    """The messages in the text of a note, and the parts of its form."""

    text: str = field(repr=False)
    messages: Hl7Guard = field(repr=False)
    parts: Sequence[FormPart] = field(repr=False)
    """Empty for a note without a form."""
    stated: Sequence[Span] = field(repr=False)

    @classmethod
    def read(cls, note: RawNote) -> "NoteBorders":
        """Read the messages and the form of a note; it may have neither."""
        parts = note.form.parts if note.form else ()
        spans = (_state(note.text, part) for part in parts)
        stated = tuple(span for span in spans if span is not None)
        return cls(note.text, Hl7Guard.read(note.text), parts, stated)

    def keep_form(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Cut spans at all borders, drop what lies between parts, and add what is stated.

        Disjoint spans stay disjoint.
        """
        kept = self.messages.keep_form(spans)
        if not self.parts:
            return kept
        cut = (part for span in within_time(kept) for part in self._cut(span))
        return sort_spans({*cut, *self.stated})

    def _cut(self, span: Span) -> Iterator[Span]:
        """Yield the parts of a span in free text."""
        first = max(bisect_right(self.parts, span.start, key=_start_of) - 1, 0)
        for place in range(first, len(self.parts)):
            part = self.parts[place]
            if part.start >= span.end:
                break
            start, end = max(part.start, span.start), min(part.end, span.end)
            if part.label is None and start < end:
                yield from _trim(self.text, span, start, end)


def _state(text: str, part: FormPart) -> Span | None:
    """Return the span of a part whose label the resource states."""
    words = _WORDS.search(text, part.start, part.end)
    if part.label is None or words is None:
        return None
    start = part.start if part.label is PhiLabel.PHONE else words.start()
    return Span(start, words.end(), part.label, 1.0, SOURCE)


def _trim(text: str, span: Span, start: int, end: int) -> Iterator[Span]:
    if (start, end) == (span.start, span.end):
        yield span
        return
    words = _WORDS.search(text, start, end)
    if words is not None:
        yield span.at(words.start(), words.end())


def _start_of(part: FormPart) -> int:
    return part.start
