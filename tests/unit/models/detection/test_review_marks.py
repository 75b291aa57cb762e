"""Marks of a reviewer outweigh recognizers, and the verifier looks at every other place."""

import asyncio
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.detection.review_marks import REVIEWED, MarkedNote, ReviewMarks, apply_marks
from deidstream.models.pipeline import Pipeline
from deidstream.models.policy.reader import read_policy
from deidstream.schemas.errors import InvalidSpan, LeakKind
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.schemas.span import Span
from deidstream.schemas.wire import encode_note
from support.detected import as_detected
from support.pipeline import pipeline, service

TEXT = "Mr. John Foust has a Zorbo pump. Zorbo is new. Phone 419-555-0137, again 419-555-0137."
NOTE = RawNote("n", "p", TEXT)
FAST = b'technique = "surrogate"\nrecognizers = ["rules", "dictionary", "known"]\n'


@cache
def fast() -> Pipeline:
    return pipeline(policy=read_policy(FAST, name="fast"))


def run(marks: ReviewMarks) -> Outcome:
    made = fast()
    marked = replace(made, detector=replace(made.detector, marks={MarkedNote.of(NOTE): marks}))
    (outcome,) = asyncio.run(service(marked).run([encode_note(NOTE)]))
    return outcome


def text_of(marks: ReviewMarks) -> str:
    outcome = run(marks)
    assert isinstance(outcome, Anonymized)
    return outcome.note.text


def place(word: str, label: PhiLabel, which: int = 0) -> Span:
    start = -1
    for _ in range(which + 1):
        start = TEXT.index(word, start + 1)
    return Span(start, start + len(word), label, 1.0, REVIEWED)


def test_marked_place_is_replaced() -> None:
    marked = ReviewMarks((place("pump", PhiLabel.DEVICE),))
    assert "pump" in text_of(ReviewMarks())
    assert "pump" not in text_of(marked)


def test_marked_identifier_may_not_be_left_elsewhere() -> None:
    one = place("Zorbo", PhiLabel.PATIENT)
    outcome = run(ReviewMarks((one,)))
    assert isinstance(outcome, Failed)
    assert outcome.leak is LeakKind.REPEATED
    both = (one, place("Zorbo", PhiLabel.PATIENT, 1))
    assert "Zorbo" not in text_of(ReviewMarks(both))


def test_cleared_place_stays_and_only_it() -> None:
    made = text_of(ReviewMarks((), (place("419-555-0137", PhiLabel.PHONE),)))
    assert made.count("419-555-0137") == 1
    assert "Phone 419-555-0137" in made


def test_mark_outweighs_the_label_that_was_found() -> None:
    name = place("John Foust", PhiLabel.DOCTOR)
    outcome = run(ReviewMarks((name,)))
    assert isinstance(outcome, Anonymized)
    spans = [one.span for one in outcome.note.permit.replacements]
    assert name in spans


def test_rest_of_a_span_stays_found() -> None:
    found = Span(4, 14, PhiLabel.PATIENT, 0.9, "rules")
    detected = as_detected(NOTE, (found,))
    marked = apply_marks(detected, ReviewMarks((), (Span(4, 8, PhiLabel.PATIENT),)))
    assert marked.spans == (Span(9, 14, PhiLabel.PATIENT, 0.9, "rules"),)


def test_mark_beyond_the_text_is_refused() -> None:
    marks = ReviewMarks((Span(0, 10_000, PhiLabel.DATE),))
    with pytest.raises(InvalidSpan):
        apply_marks(as_detected(NOTE), marks)


@st.composite
def spans(draw: st.DrawFn) -> tuple[Span, ...]:
    cuts = sorted(draw(st.sets(st.integers(0, len(TEXT)), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    label = st.sampled_from([PhiLabel.DATE, PhiLabel.PATIENT])
    return tuple(Span(start, end, draw(label)) for start, end in pairs)


@given(spans(), spans(), st.data())
def test_marks_hold_and_all_else_stays_found(
    found: tuple[Span, ...], judged: tuple[Span, ...], data: st.DataObject
) -> None:
    kept = data.draw(st.sets(st.sampled_from(judged))) if judged else set[Span]()
    marked = tuple(span for span in judged if span in kept)
    cleared = tuple(span for span in judged if span not in kept)
    made = apply_marks(as_detected(NOTE, found), ReviewMarks(marked, cleared))

    def covered(spans: tuple[Span, ...]) -> set[int]:
        return {at for span in spans for at in range(span.start, span.end) if TEXT[at].isalnum()}

    assert set(marked) <= set(made.spans)
    assert covered(made.spans) == (covered(found) - covered(cleared)) | covered(marked)
    assert all(a.end <= b.start for a, b in zip(made.spans, made.spans[1:], strict=False))
