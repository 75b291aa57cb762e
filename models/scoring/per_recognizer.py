"""Find PHI once, and return the spans of each recognizer alone and of all together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from deidstream.models.detection.detector import Detector
from deidstream.models.detection.reconcile import drop_below_threshold, drop_possible, resolve
from deidstream.models.phi.not_phi import drop_terms_not_phi
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Policy
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import Span

UNION = "union"
"""All recognizers of the policy, as the service runs them."""

Reports = list[tuple[Span, ...]]
"""The spans of each note, in the order of the notes."""


def detect_separately(detector: Detector, notes: Sequence[RawNote]) -> Mapping[str, Reports]:
    """Run each recognizer once; return its own spans under its name, and the union's.

    The spans of one recognizer have passed the thresholds and allow lists of the policy and are
    disjoint, but were not swept through the note. The union is the set of spans that the service
    replaces.

    Raises:
        InvalidSpan: A recognizer reported a span outside its note.
    """
    recording = tuple(_RecordingRecognizer(each, len(notes)) for each in detector.recognizers)
    together = replace(detector, recognizers=recording).detect(notes)
    separate = {
        each.name: [
            _filter_spans(note.text, spans, detector.policy)
            for note, spans in zip(notes, each.report, strict=True)
        ]
        for each in recording
    }
    return {**separate, UNION: [detected.spans for detected in together]}


def _filter_spans(text: str, spans: Sequence[Span], policy: Policy) -> tuple[Span, ...]:
    confident = drop_below_threshold(drop_possible(spans), policy.thresholds)
    kept = drop_terms_not_phi(text, confident, policy.allow)
    return resolve(kept, length=len(text))


@dataclass(slots=True)
class _RecordingRecognizer:
    """A recognizer whose report on the notes is kept; other readings of them come after."""

    recognizer: Recognizer
    notes: int
    report: Reports = field(default_factory=Reports, repr=False)

    @property
    def name(self) -> str:
        return self.recognizer.name

    def recognize(self, notes: Sequence[RawNote]) -> Reports:
        found = self.recognizer.recognize(notes)
        self.report = found[: self.notes]
        return found
