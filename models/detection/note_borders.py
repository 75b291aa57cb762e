"""Keep the borders of a note that has a form: no span crosses those of its elements.

An element of a resource that has a label counts as found by its sender (``known``, score 1). In
elements of free text the findings of recognizers count. Between elements there are only headings,
so that nothing counts there (ADR 50). HL7 messages within a text keep their form too (ADR 35),
and so do the marks of an export, which are no words of the note.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from deidstream.models.detection.stretches import Stretches, cut_outside, cut_to, strip_signs
from deidstream.models.detection.turn_tags import find_role_tags
from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.time_budget import within_time
from deidstream.schemas.documents.note_form import FormPart
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span, sort_spans

SOURCE = "known"


@dataclass(frozen=True, slots=True)
class NoteBorders:
    """The messages and marks in the text of a note, and the parts of its form."""

    note: RawNote
    messages: Hl7Guard = field(repr=False)
    marks: Stretches = field(repr=False)
    """What of the text a machine wrote for machines (``models.text.machine_marks``), and the tags
    of roles before what somebody says."""
    parts: Sequence[FormPart] = field(repr=False)
    """Empty for a note without a form."""
    stated: Sequence[Span] = field(repr=False)

    @classmethod
    def read(cls, note: RawNote, marks: Stretches) -> "NoteBorders":
        """Read the messages and the form of a note; it may have neither."""
        parts = note.form.parts if note.form else ()
        spans = (_state(note.text, part) for part in parts)
        stated = tuple(span for span in spans if span is not None)
        if tags := find_role_tags(note.text):
            marks = Stretches.covered_by((*zip(marks.starts, marks.ends, strict=True), *tags))
        return cls(note, Hl7Guard.read(note.text), marks, parts, stated)

    def keep_form(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Cut spans at all borders, drop what lies between parts, and add what is stated.

        Disjoint spans stay disjoint. What the sender knows or the site denies counts in marks too.
        """
        kept = self.messages.keep_form(spans)
        if self.marks.starts:
            spans = within_time(kept)
            kept = sort_spans({piece for span in spans for piece in self._cut_marks(span)})
        if not self.parts:
            return kept
        text = self.note.text
        cut = (part for span in within_time(kept) for part in cut_to(span, self._free(span), text))
        return sort_spans({*cut, *self.stated})

    def _cut_marks(self, span: Span) -> Iterable[Span]:
        given = span.of_site or span.source == SOURCE
        return (span,) if given else cut_outside(span, self.marks, self.note.text)

    def _free(self, span: Span) -> Iterator[tuple[int, int]]:
        """Yield where a span is in free text, in each part of the form."""
        first = max(bisect_right(self.parts, span.start, key=_start_of) - 1, 0)
        for place in range(first, len(self.parts)):
            part = self.parts[place]
            if part.start >= span.end:
                break
            start, end = max(part.start, span.start), min(part.end, span.end)
            if part.label is None and start < end:
                yield start, end


def _state(text: str, part: FormPart) -> Span | None:
    """Return the span of a part whose label the resource states."""
    start, end = strip_signs(text, part.start, part.end)
    if part.label is None or start >= end:
        return None
    first = part.start if part.label is PhiLabel.PHONE else start
    return Span(first, end, part.label, 1.0, SOURCE)


def _start_of(part: FormPart) -> int:
    return part.start
