"""Find PHI once, and return the spans of each recognizer alone and of all together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from deidstream.models.detection.detector import Detector
from deidstream.models.detection.obfuscation.meant_text import read_as_meant
from deidstream.models.detection.reconcile import drop_possible, resolve
from deidstream.models.phi.not_phi import drop_terms_not_phi
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Policy
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import Span

UNION = "union"
"""All recognizers of the policy, as the service runs them."""

RAW = "union with raw scores"
"""The union without calibration, where the detector calibrates: its scores are those of the
recognizers."""

Reports = list[tuple[Span, ...]]
"""The spans of each note, in the order of the notes."""


def detect_separately(detector: Detector, notes: Sequence[RawNote]) -> Mapping[str, Reports]:
    """Run each recognizer once; return its own spans under its name, and the union's last.

    The spans of one recognizer have passed the allow lists of the policy and are disjoint, but not
    its thresholds, and were not swept through the note. The union is the set of spans that the
    service replaces.

    Raises:
        InvalidSpan: A recognizer reported a span outside its note.
    """
    recording = tuple(_RecordingRecognizer(each) for each in detector.recognizers)
    together = replace(detector, recognizers=recording).detect(notes)
    found = {
        each.name: [
            _filter_spans(note.text, _place_in_note(note.text, spans), detector.policy)
            for note, spans in zip(notes, each.report, strict=False)
        ]
        for each in recording
    }
    if detector.calibration is not None:
        replayed = tuple(_ReplayedRecognizer(each.name, each.report) for each in recording)
        raw = replace(detector, recognizers=replayed, calibration=None).detect(notes)
        found[RAW] = [detected.spans for detected in raw]
    return {**found, UNION: [detected.spans for detected in together]}


def _place_in_note(text: str, spans: Sequence[Span]) -> Sequence[Span]:
    """Put what a recognizer reports on the meant text of a note at its places in the note."""
    plain = read_as_meant(text)
    return spans if plain is None else plain.to_note(spans)


def _filter_spans(text: str, spans: Sequence[Span], policy: Policy) -> tuple[Span, ...]:
    kept = drop_terms_not_phi(text, drop_possible(spans), policy.allow)
    return resolve(kept, length=len(text))


@dataclass(slots=True)
class _RecordingRecognizer:
    """A recognizer whose report is kept: on the notes, and then on other readings of them."""

    recognizer: Recognizer
    report: Reports = field(default_factory=Reports, repr=False)

    @property
    def name(self) -> str:
        return self.recognizer.name

    def recognize(self, notes: Sequence[RawNote]) -> Reports:
        self.report = self.recognizer.recognize(notes)
        return self.report


@dataclass(frozen=True, slots=True)
class _ReplayedRecognizer:
    """A recognizer that reports again what it reported on the same notes."""

    name: str
    report: Reports = field(repr=False)

    def recognize(self, notes: Sequence[RawNote]) -> Reports:  # noqa: ARG002
        return self.report
