"""Detect: every recognizer of the policy, their union, thresholds, allow lists and the sweep."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deidstream.models.allow import allowed
from deidstream.models.resolve import resolve
from deidstream.models.stages import Detected
from deidstream.models.sweep import sweep
from deidstream.schemas.errors import InvalidSpan, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Policy
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import Span

SCORE_DIGITS = 3
"""Scores are rounded before any threshold: float noise of another batch shape decides nothing."""


@dataclass(frozen=True, slots=True)
class Detector:
    """The recognizers of one policy; their union finds the PHI of notes."""

    policy: Policy
    recognizers: tuple[Recognizer, ...]

    def detect(self, notes: Sequence[RawNote]) -> list[Detected]:
        """Find the PHI of each note, in the order of the notes.

        A note's spans do not depend on the notes beside it.

        Raises:
            InvalidSpan: A recognizer reported a span outside its note.
        """
        reports = [recognizer.recognize(notes) for recognizer in self.recognizers]
        finished = frozenset(recognizer.name for recognizer in self.recognizers)
        found = [
            [span for report in reports for span in report[place]] for place in range(len(notes))
        ]
        return [
            Detected(note, self._settled(note.text, spans), finished)
            for note, spans in zip(notes, found, strict=True)
        ]

    def _settled(self, text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
        _refuse_outside(spans, len(text))
        kept = allowed(text, confident(spans, self.policy.thresholds), self.policy.allow)
        united = resolve(kept, length=len(text))
        return sweep(text, united, self.policy.allow)


def confident(spans: Iterable[Span], thresholds: Mapping[PhiLabel, float]) -> tuple[Span, ...]:
    """Drop the spans whose rounded score is below the threshold of their label."""
    return tuple(s for s in spans if round(s.score, SCORE_DIGITS) >= thresholds.get(s.label, 0))


def _refuse_outside(spans: Iterable[Span], length: int) -> None:
    if any(span.end > length for span in spans):
        raise InvalidSpan(Stage.DETECT)
