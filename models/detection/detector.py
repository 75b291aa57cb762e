"""Detect: every recognizer of the policy, their union, allow lists, thresholds and the sweep."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from deidstream.models.detection.allowed_phrases import cut_allowed_phrases, find_allowed_phrases
from deidstream.models.detection.calibration import Calibrator
from deidstream.models.detection.clinical.guard import cut_clinical_values
from deidstream.models.detection.clinical.lone_names import drop_lone_names
from deidstream.models.detection.confirmed_dates import confirm_dates
from deidstream.models.detection.gather_doubts import gather_doubts
from deidstream.models.detection.note_borders import NoteBorders
from deidstream.models.detection.obfuscation.contradictions import cut_contradicted_spans
from deidstream.models.detection.obfuscation.meant_text import (
    cover_marks,
    marks_of,
    place_in_note,
    read_as_meant,
    write_as_meant,
)
from deidstream.models.detection.obfuscation.plain_text import PlainText
from deidstream.models.detection.obfuscation.readings import read_obfuscated_note
from deidstream.models.detection.reconcile import (
    SMALL_WORDS,
    apply_tagger_borders,
    drop_below_threshold,
    drop_possible,
    drop_uncorroborated_spans,
    keep_possible,
    refuse_outside,
    resolve,
)
from deidstream.models.detection.repeated_mentions import (
    cut_unsure_words,
    name_repeated_mentions,
    raise_repeated_scores,
    settle_kinds,
)
from deidstream.models.detection.review_marks import MarkedNote, ReviewMarks, apply_marks
from deidstream.models.detection.span_edges import trim_spans
from deidstream.models.detection.stretches import Stretches, cut_outside
from deidstream.models.detection.sweep import sweep
from deidstream.models.phi.not_phi import drop_terms_not_phi
from deidstream.models.phi.terms import SWEEP
from deidstream.models.records import Decision, Detected, DetectionStep
from deidstream.schemas.label import is_direct
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
    phrases: tuple[Span, ...]
    """The places of phrases that the policy allows."""
    steps: tuple[DetectionStep, ...]
    """From what is reported to ``counted``."""


@dataclass(frozen=True, slots=True)
class _Course:
    """The decisions about the spans of one note, as they are taken."""

    steps: list[DetectionStep] = field(repr=False)

    def take(self, decision: Decision, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        """Keep a decision; return the spans that it leaves."""
        self.steps.append(DetectionStep(decision, spans))
        return spans

    def take_allowed(
        self, text: str, spans: tuple[Span, ...], phrases: Sequence[Span]
    ) -> tuple[Span, ...]:
        """Take what stands in allowed phrases out of spans; no decision in a note without them."""
        if not phrases:
            return spans
        return self.take(Decision.ALLOWED, cut_allowed_phrases(text, spans, phrases))


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

        If a note hides words from patterns and models (``models.detection.obfuscation``), its
        plain text and its joined lines are read too, and what is found there counts at its place in
        the note. A note's spans do not depend on the notes beside it.

        Raises:
            InvalidSpan: A recognizer reported a span outside its note.
        """
        read: list[RawNote] = []
        plain: list[PlainText | None] = []
        marks: list[Stretches] = []
        for note in notes:
            marked = marks_of(note.text)
            one = read_as_meant(note.text, marked)
            read.append(note if one is None else write_as_meant(note, one))
            plain.append(one)
            marks.append(cover_marks(marked, one))
        detected: list[Detected] = []
        for note, one, found in zip(notes, plain, self._detect(read, marks), strict=True):
            placed = found if one is None else place_in_note(found, note, one)
            detected.append(self._apply_marks(placed) if self.marks else placed)
        return detected

    def _detect(self, notes: Sequence[RawNote], marks: Sequence[Stretches]) -> list[Detected]:
        """Find the PHI of notes that are read as they are written, and that have some marks."""
        readings = [read_obfuscated_note(note.text) for note in notes]
        texts = list(notes)
        for note, reading in zip(notes, readings, strict=True):
            texts += [replace(note, text=part.plain.text, form=None) for part in reading.parts]

        found = iter(self._recognize(texts))
        reported = list(islice(found, len(notes)))

        detected: list[Detected] = []
        for note, reading, reports, marked in zip(notes, readings, reported, marks, strict=True):
            hidden = reading.place_in_note(
                spans.counted for spans in islice(found, len(reading.parts))
            )
            borders = NoteBorders.read(note, marked)
            detected.append(self._conclude(borders, reports, hidden, reading.whole))
        return detected

    def _conclude(
        self,
        borders: NoteBorders,
        reports: _Reports,
        hidden: Sequence[Span],
        plain: PlainText | None,
    ) -> Detected:
        """Decide which spans of a note are PHI.

        Args:
            borders: The note with its borders.
            reports: What the recognizers report on its text.
            hidden: What they find in the texts that are read besides, at its place in the note.
            plain: The note with every join made; ``None`` for a note that hides nothing.
        """
        note, text, course = borders.note, borders.note.text, _Course([*reports.steps])

        disclosed = _guard_hidden(note, hidden, reports.counted)
        disclosed = cut_allowed_phrases(text, disclosed, reports.phrases)
        counted = course.take(Decision.HIDDEN, (*reports.counted, *disclosed))
        guarded = course.take(Decision.FORM, borders.keep_form(counted))

        pieces = course.take(Decision.TRIMMED, trim_spans(text, guarded, hidden=disclosed))
        # A degree in the line below a name was no term by itself until the span was cut.
        trimmed = drop_terms_not_phi(text, pieces, self.policy.allow)
        course.take(Decision.NOT_PHI, trimmed)
        # Where a rule's span of another kind went on, the name before it went on with it.
        united = apply_tagger_borders(trimmed, text)
        again = _trim_changed(text, united, before=trimmed, hidden=disclosed)
        reconciled = course.take(Decision.RECONCILED, again)

        evidence = (*trimmed, *reports.possible)
        likely = course.take(Decision.CALIBRATED, self._calibrate(text, reconciled, evidence))
        scored = course.take(Decision.FORM, borders.keep_form(likely))

        kept = course.take(
            Decision.THRESHOLD, drop_below_threshold(scored, self.policy.least_scores)
        )
        dropped = sort_spans(set(scored).difference(kept)) if len(kept) < len(scored) else ()

        swept = course.take(Decision.SWEPT, self._sweep(text, plain, kept))
        swept = course.take_allowed(text, swept, reports.phrases)
        weighed = course.take(Decision.CALIBRATED, self._calibrate_echoes(text, swept, evidence))
        raised = self._raise_repeated(text, settle_kinds(text, weighed))
        repeated = course.take(Decision.REPEATED, name_repeated_mentions(text, raised))
        spans = course.take(Decision.FORM, borders.keep_form(repeated))

        return Detected(
            note=note,
            spans=spans,
            finished=frozenset(recognizer.name for recognizer in self.recognizers),
            messages=borders.messages,
            counted=trimmed,
            dropped=dropped,
            doubts=gather_doubts(text, reports.every, spans),
            cleared=reports.phrases,
            steps=tuple(course.steps),
        )

    def _apply_marks(self, detected: Detected) -> Detected:
        marks = self.marks.get(MarkedNote.of(detected.note))
        return detected if marks is None else apply_marks(detected, marks.under(self.policy.labels))

    def _recognize(self, notes: Sequence[RawNote]) -> list[_Reports]:
        """Run every recognizer once; return for each text what it reports."""
        reports = [recognizer.recognize(notes) for recognizer in self.recognizers]
        found: list[_Reports] = []
        for place, note in enumerate(notes):
            reported = tuple(span for report in reports for span in report[place])
            refuse_outside(reported, len(note.text))
            spans = confirm_dates(note.text, reported)
            phrases = find_allowed_phrases(note.text, self.policy.allow)
            course = _Course([DetectionStep(Decision.REPORTED, spans)])
            counted = self._drop_uncounted(note, spans, phrases, course)
            named = drop_lone_names(note, cut_allowed_phrases(note.text, spans, phrases))
            every = drop_terms_not_phi(note.text, named, self.policy.allow)
            steps = tuple(course.steps)
            found.append(_Reports(counted, keep_possible(spans), every, phrases, steps))
        return found

    def _drop_uncounted(
        self, note: RawNote, spans: Sequence[Span], phrases: Sequence[Span], course: _Course
    ) -> tuple[Span, ...]:
        tagged = any(recognizer.name == RecognizerName.TAGGER for recognizer in self.recognizers)
        if tagged and self.policy.combine is Combine.CORROBORATED:
            credible = drop_uncorroborated_spans(spans)
        else:
            credible = drop_possible(spans)
        course.take(Decision.CORROBORATED, credible)
        credible = course.take_allowed(note.text, credible, phrases)
        named = drop_terms_not_phi(note.text, credible, self.policy.allow)
        course.take(Decision.NOT_PHI, named)
        clinical = drop_lone_names(note, cut_clinical_values(note.text, named))
        return course.take(Decision.CLINICAL, clinical)

    def _calibrate(
        self, text: str, spans: Sequence[Span], reports: Sequence[Span]
    ) -> tuple[Span, ...]:
        if self.calibration is None:
            return tuple(spans)
        return self.calibration.calibrate(text, spans, reports)

    def _calibrate_echoes(
        self, text: str, spans: tuple[Span, ...], reports: Sequence[Span]
    ) -> tuple[Span, ...]:
        """Calibrate what the sweep found; the other spans are calibrated already."""
        echoes = [span for span in spans if span.source == SWEEP]
        found_once = [span for span in spans if span.source != SWEEP]
        return sort_spans((*found_once, *self._calibrate(text, echoes, reports)))

    def _raise_repeated(self, text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        # Scores of recognizers mean nothing to each other.
        if self.calibration is None:
            return spans
        raised = raise_repeated_scores(text, spans)
        return cut_unsure_words(text, raised, self.policy.is_doubtful)

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


def _trim_changed(
    text: str, united: Iterable[Span], *, before: Sequence[Span], hidden: Sequence[Span]
) -> tuple[Span, ...]:
    """Trim what has other borders or another label since it was trimmed, at its place.

    A word that no span has now stays in that of a direct identifier, to be judged by itself: the
    feast in ``Ward Boxing Day`` is a date, and the ward is none.
    """
    done = {(one.start, one.end, one.label) for one in before}
    trimmed: list[Span] = []
    for one in united:
        as_before = (one.start, one.end, one.label) in done
        trimmed += (one,) if as_before else trim_spans(text, (one,), hidden=hidden)
    covered = Stretches.of_spans(trimmed)
    direct = (one for one in before if is_direct(one.label))
    parts = [part for one in direct for part in cut_outside(one, covered, text)]
    trimmed += (one for one in parts if text[one.start : one.end] not in SMALL_WORDS)
    return resolve(trimmed, length=len(text))


def _guard_hidden(
    note: RawNote, hidden: Sequence[Span], counted: Sequence[Span]
) -> tuple[Span, ...]:
    """Leave out what was found where lines are joined and the lines themselves contradict.

    Args:
        note: The note.
        hidden: What was found in the texts that are read besides, at its place in the note.
        counted: What was found in the note as it is written.
    """
    likely = tuple(cut_contradicted_spans(hidden, counted, note.text))
    # A value of one line cannot be read where its lines are joined.
    return drop_lone_names(note, cut_clinical_values(note.text, likely))
