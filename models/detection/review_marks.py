"""Let the marks of a reviewer outweigh what the recognizers found in a note."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from deidstream.models.detection.reconcile import resolve
from deidstream.models.detection.stretches import Stretches, cut_outside
from deidstream.models.records import Decision, Detected, DetectionStep
from deidstream.schemas.errors import InvalidSpan, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span, sort_spans

REVIEWED = "review"
"""Source of a span that a reviewer marked."""


@dataclass(frozen=True, slots=True)
class ReviewMarks:
    """The places that a reviewer marked or cleared; they outweigh every recognizer.

    Both are disjoint, in order, and share no character with each other.
    """

    marked: tuple[Span, ...] = field(repr=False, default=())
    """PHI, with its label; the source is :data:`REVIEWED`."""
    cleared: tuple[Span, ...] = field(repr=False, default=())
    """No PHI: it stays in the text. The label is that of what had been found."""

    def under(self, labels: Mapping[str, PhiLabel]) -> Self:
        """Return the marks under a policy: one of a label that it does not have is of its like."""
        marked = tuple(one if one.name in labels else replace(one, own="") for one in self.marked)
        return replace(self, marked=marked)


@dataclass(frozen=True, slots=True)
class MarkedNote:
    """The key of a note that has marks: ids and text, as a note with a form cannot be hashed."""

    note_id: str = field(repr=False)
    patient_id: str = field(repr=False)
    text: str = field(repr=False)

    @classmethod
    def of(cls, note: RawNote) -> Self:
        """Return the key of a note."""
        return cls(note.note_id, note.patient_id, note.text)


def apply_marks(detected: Detected, marks: ReviewMarks) -> Detected:
    """Put marked spans in the place of those found, and take cleared places out of these.

    What of a found span lies outside the marks stays found. The verifier still looks for the
    identifiers of the note at every place that is not cleared.

    Raises:
        InvalidSpan: A mark ends after the text.
    """
    text = detected.note.text
    if any(span.end > len(text) for span in (*marks.marked, *marks.cleared)):
        raise InvalidSpan(Stage.DETECT)
    judged = Stretches.of_spans((*marks.marked, *marks.cleared))
    cleared = Stretches.of_spans(marks.cleared)
    left = [piece for span in detected.spans for piece in cut_outside(span, judged, text)]
    doubts = [piece for span in detected.doubts for piece in cut_outside(span, cleared, text)]
    spans = sort_spans((*left, *marks.marked))
    return replace(
        detected,
        spans=spans,
        doubts=tuple(doubts),
        cleared=resolve((*detected.cleared, *marks.cleared), length=len(text)),
        steps=(*detected.steps, DetectionStep(Decision.REVIEWED, spans)),
    )
