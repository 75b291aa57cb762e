"""Detect: every recognizer of the policy, their union, thresholds, allow lists and the sweep."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from deidstream.models.clinical.guard import cut_clinical_values
from deidstream.models.detection.obfuscation.contradictions import cut_contradicted_spans
from deidstream.models.detection.obfuscation.plain_text import PlainText
from deidstream.models.detection.obfuscation.readings import read_obfuscated_note
from deidstream.models.detection.reconcile import (
    apply_tagger_borders,
    drop_below_threshold,
    drop_possible,
    drop_uncorroborated_spans,
    refuse_outside,
    resolve,
)
from deidstream.models.detection.sweep import sweep
from deidstream.models.phi.not_phi import drop_terms_not_phi
from deidstream.models.records import Detected
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Combine, Policy, RecognizerName
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import Span


@dataclass(frozen=True, slots=True)
class Detector:
    """The recognizers of one policy; their union finds the PHI of notes."""

    policy: Policy
    recognizers: tuple[Recognizer, ...]

    def detect(self, notes: Sequence[RawNote]) -> list[Detected]:
        """Find the PHI of each note, in the order of the notes.

        Where a note hides words from patterns and models (``models.detection.obfuscation``), its
        plain text and its joined lines are read too, and what is found there counts at its place in
        the note. A note's spans do not depend on the notes beside it.

        Raises:
            InvalidSpan: A recognizer reported a span outside its note.
        """
        readings = [read_obfuscated_note(note.text) for note in notes]
        texts = list(notes)
        for note, reading in zip(notes, readings, strict=True):
            texts += [replace(note, text=part.plain.text) for part in reading.parts]

        found = iter(self._recognize(texts))
        found_openly = list(islice(found, len(notes)))
        finished = frozenset(recognizer.name for recognizer in self.recognizers)

        detected: list[Detected] = []
        for note, reading, spans in zip(notes, readings, found_openly, strict=True):
            hidden = reading.place_in_note(islice(found, len(reading.parts)))
            credible = cut_contradicted_spans(hidden, spans, note.text)
            counted = (*spans, *credible)
            reconciled = apply_tagger_borders(counted, note.text)
            swept = self._sweep(note.text, reading.whole, reconciled)
            detected.append(Detected(note, swept, finished, counted))
        return detected

    def _recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Run every recognizer once; return for each text the spans that the policy lets count."""
        reports = [recognizer.recognize(notes) for recognizer in self.recognizers]
        counting: list[tuple[Span, ...]] = []
        for place, note in enumerate(notes):
            spans = [span for report in reports for span in report[place]]
            counting.append(self._drop_uncounted(note.text, spans))
        return counting

    def _drop_uncounted(self, text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
        refuse_outside(spans, len(text))
        tagged = any(recognizer.name == RecognizerName.TAGGER for recognizer in self.recognizers)
        if tagged and self.policy.combine is Combine.CORROBORATED:
            credible = drop_uncorroborated_spans(spans, length=len(text))
        else:
            credible = drop_possible(spans)
        confident = drop_below_threshold(credible, self.policy.thresholds)
        named = drop_terms_not_phi(text, confident, self.policy.allow)
        return cut_clinical_values(text, named)

    def _sweep(
        self, text: str, plain: PlainText | None, spans: tuple[Span, ...]
    ) -> tuple[Span, ...]:
        """Sweep the note, its plain text first: what is hidden in one place may be open in another.

        Args:
            text: Text of the note.
            plain: The note with every join made; None for a note that hides nothing.
            spans: Spans found so far, disjoint.
        """
        if plain is not None:
            visible = plain.from_note(spans)
            swept = sweep(plain.text, visible, self.policy.allow)
            spans = resolve((*spans, *plain.to_note(swept)), length=len(text))
        return sweep(text, spans, self.policy.allow)
