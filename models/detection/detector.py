"""Detect: every recognizer of the policy, their union, allow lists, thresholds and the sweep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from deidstream.models.detection.calibration import Calibrator
from deidstream.models.detection.clinical.guard import cut_clinical_values, drop_joined_numbers
from deidstream.models.detection.gather_doubts import gather_doubts
from deidstream.models.detection.note_borders import NoteBorders
from deidstream.models.detection.obfuscation.contradictions import cut_contradicted_spans
from deidstream.models.detection.obfuscation.plain_text import PlainText
from deidstream.models.detection.obfuscation.readings import read_obfuscated_note
from deidstream.models.detection.reconcile import (
    apply_tagger_borders,
    drop_below_threshold,
    drop_possible,
    drop_uncorroborated_spans,
    keep_possible,
    refuse_outside,
    resolve,
)
from deidstream.models.detection.repeated_mentions import raise_repeated_scores
from deidstream.models.detection.review_marks import MarkedNote, ReviewMarks, apply_marks
from deidstream.models.detection.sweep import sweep
from deidstream.models.phi.not_phi import drop_terms_not_phi
from deidstream.models.phi.terms import SWEEP
from deidstream.models.records import Detected
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Combine, Policy, RecognizerName
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import Span, sort_spans


@dataclass(frozen=True, slots=True)
class _Reports:
    """What the recognizers report on one text."""

    counted: tuple[Span, ...]
    """What the policy lets count."""
    possible: tuple[Span, ...]
    """What the tagger thinks possible."""
    every: tuple[Span, ...]
    """All of it, but for terms that the policy says are no PHI."""


@dataclass(frozen=True, slots=True)
class Detector:
    """The recognizers of one policy; their union finds the PHI of notes."""

    policy: Policy
    recognizers: tuple[Recognizer, ...]
    calibration: Calibrator | None = None
    """Makes probabilities of scores; without it, they are those of the recognizers."""
    marks: Mapping[MarkedNote, ReviewMarks] = field(default_factory=dict[MarkedNote, ReviewMarks])
    """What a reviewer said about places of some notes."""

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
            texts += [replace(note, text=part.plain.text, form=None) for part in reading.parts]

        found = iter(self._recognize(texts))
        reported = list(islice(found, len(notes)))
        finished = frozenset(recognizer.name for recognizer in self.recognizers)

        detected: list[Detected] = []
        for note, reading, reports in zip(notes, readings, reported, strict=True):
            hidden = reading.place_in_note(
                spans.counted for spans in islice(found, len(reading.parts))
            )
            likely = cut_contradicted_spans(hidden, reports.counted, note.text)
            # A value of one line cannot be read where its lines are joined.
            credible = cut_clinical_values(note.text, [*drop_joined_numbers(note.text, likely)])
            borders = NoteBorders.read(note)
            counted = borders.keep_form((*reports.counted, *credible))
            reconciled = apply_tagger_borders(counted, note.text)
            evidence = (*counted, *reports.possible)
            scored = borders.keep_form(self._calibrate(reconciled, evidence))
            confident = drop_below_threshold(scored, self.policy.thresholds)
            doubted = set(scored).difference(confident) if len(confident) < len(scored) else ()
            dropped = sort_spans(doubted)
            swept = self._sweep(note.text, reading.whole, confident)
            echoes = [span for span in swept if span.source == SWEEP]
            found_once = [span for span in swept if span.source != SWEEP]
            calibrated = sort_spans((*found_once, *self._calibrate(echoes, evidence)))
            spans = borders.keep_form(self._agree(note.text, calibrated))
            doubts = gather_doubts(note.text, reports.every, spans)
            detected.append(Detected(note, spans, finished, counted, dropped, doubts))
        return [self._apply_marks(one) for one in detected] if self.marks else detected

    def _apply_marks(self, detected: Detected) -> Detected:
        marks = self.marks.get(MarkedNote.of(detected.note))
        return detected if marks is None else apply_marks(detected, marks)

    def _recognize(self, notes: Sequence[RawNote]) -> list[_Reports]:
        """Run every recognizer once; return for each text what it reports."""
        reports = [recognizer.recognize(notes) for recognizer in self.recognizers]
        found: list[_Reports] = []
        for place, note in enumerate(notes):
            spans = [span for report in reports for span in report[place]]
            counted = self._drop_uncounted(note.text, spans)
            every = drop_terms_not_phi(note.text, spans, self.policy.allow)
            found.append(_Reports(counted, keep_possible(spans), every))
        return found

    def _calibrate(self, spans: Sequence[Span], reports: Sequence[Span]) -> tuple[Span, ...]:
        if self.calibration is None:
            return tuple(spans)
        return self.calibration.calibrate(spans, reports)

    def _agree(self, text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
        # Scores of recognizers mean nothing to each other.
        return tuple(spans) if self.calibration is None else raise_repeated_scores(text, spans)

    def _drop_uncounted(self, text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
        refuse_outside(spans, len(text))
        tagged = any(recognizer.name == RecognizerName.TAGGER for recognizer in self.recognizers)
        if tagged and self.policy.combine is Combine.CORROBORATED:
            credible = drop_uncorroborated_spans(spans)
        else:
            credible = drop_possible(spans)
        named = drop_terms_not_phi(text, credible, self.policy.allow)
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
