"""Detect: every recognizer of the policy, their union, thresholds, allow lists and the sweep."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from deidstream.models.detection.obfuscation.contradictions import cut_contradicted
from deidstream.models.detection.obfuscation.plain_text import PlainText
from deidstream.models.detection.obfuscation.readings import NoteReadings, read_obfuscated
from deidstream.models.detection.reconcile import (
    apply_tagger_borders,
    drop_possible,
    drop_uncorroborated,
    resolve,
)
from deidstream.models.detection.sweep import sweep
from deidstream.models.phi.not_phi import drop_allowed
from deidstream.models.records import Detected
from deidstream.schemas.errors import InvalidSpan, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Combine, Policy, RecognizerName
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

        Where a note hides anything from a reader of patterns (``models.detection.obfuscation``),
        its shadow is read too, and what is found there counts at its place in the note. A note's
        spans do not depend on the notes beside it.

        Raises:
            InvalidSpan: A recognizer reported a span outside its note.
        """
        readings = [read_obfuscated(note.text) for note in notes]
        shadows = [
            replace(note, text=part.shadow.text)
            for note, reading in zip(notes, readings, strict=True)
            for part in reading.parts
        ]
        found = self._found([*notes, *shadows])
        rest = iter(found[len(notes) :])
        finished = frozenset(recognizer.name for recognizer in self.recognizers)
        return [
            Detected(note, self._settled(note.text, spans, reading, rest), finished)
            for note, spans, reading in zip(notes, found, readings, strict=False)
        ]

    def _found(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Return what counts of all the recognizers found in each text."""
        reports = [recognizer.recognize(notes) for recognizer in self.recognizers]
        return [
            self._counted(note.text, [span for report in reports for span in report[place]])
            for place, note in enumerate(notes)
        ]

    def _counted(self, text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
        _refuse_outside(spans, len(text))
        sure = confident(self._combined(spans, len(text)), self.policy.thresholds)
        return drop_allowed(text, sure, self.policy.allow)

    def _combined(self, spans: Sequence[Span], length: int) -> tuple[Span, ...]:
        tagged = any(recognizer.name == RecognizerName.TAGGER for recognizer in self.recognizers)
        if tagged and self.policy.combine is Combine.CORROBORATED:
            return drop_uncorroborated(spans, length=length)
        return drop_possible(spans)

    def _settled(
        self,
        text: str,
        spans: Sequence[Span],
        readings: NoteReadings,
        rest: Iterator[Sequence[Span]],
    ) -> tuple[Span, ...]:
        shown = [span for part in readings.parts for span in part.origins(next(rest))]
        united = apply_tagger_borders([*spans, *cut_contradicted(shown, spans, text)], text)
        echoed = self._echoed(readings.whole, united, len(text)) if readings.whole else united
        return sweep(text, echoed, self.policy.allow)

    def _echoed(self, whole: PlainText, spans: Sequence[Span], length: int) -> tuple[Span, ...]:
        """Sweep the shadow too: what is hidden in one place may stand openly in another."""
        images = ((span, whole.image(span.start, span.end)) for span in spans)
        seen = [replace(span, start=at[0], end=at[1]) for span, at in images if at[0] < at[1]]
        swept = sweep(whole.text, seen, self.policy.allow)
        return resolve(
            (*spans, *(moved(s, whole.origin(s.start, s.end)) for s in swept)), length=length
        )


def moved(span: Span, place: tuple[int, int]) -> Span:
    """Put a span in another place."""
    return replace(span, start=place[0], end=place[1])


def confident(spans: Iterable[Span], thresholds: Mapping[PhiLabel, float]) -> tuple[Span, ...]:
    """Drop the spans whose rounded score is below the threshold of their label."""
    return tuple(s for s in spans if round(s.score, SCORE_DIGITS) >= thresholds.get(s.label, 0))


def _refuse_outside(spans: Iterable[Span], length: int) -> None:
    if any(span.end > length for span in spans):
        raise InvalidSpan(Stage.DETECT)
