"""An allowed phrase stays where it stands, whoever is named by one of its words."""

import asyncio
from dataclasses import replace

import pytest

from deidstream.models.detection.allowed_phrases import cut_allowed_phrases, find_allowed_phrases
from deidstream.models.detection.review_marks import REVIEWED, MarkedNote, ReviewMarks
from deidstream.models.policy.reader import read_policy
from deidstream.models.records import Decision
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.span import Span
from deidstream.schemas.wire import encode_note
from support.pipeline import pipeline, service

POLICY = """
technique = "surrogate"
recognizers = ["rules", "dictionary", "known"{tagger}]
allow = ["Larkin palsy", "HHA", "Zorbo-Weber scale"]
"""
TEXT = "Dr. Larkin found stable larkin  palsy. Seen by Amos Larkin, MD. Larkin' pupils equal."


def made_of(note: RawNote, tagger: str = "") -> str:
    policy = read_policy(POLICY.format(tagger=tagger).encode(), name="site")
    (outcome,) = asyncio.run(service(pipeline(policy=policy)).run([encode_note(note)]))
    assert isinstance(outcome, Anonymized)
    return outcome.note.text


@pytest.mark.parametrize("tagger", ["", ', "tagger"'])
def test_a_phrase_stays_and_the_physician_of_its_name_goes(tagger: str) -> None:
    out = made_of(RawNote("n", "p", TEXT), tagger)
    assert "found stable larkin  palsy." in out
    assert out.lower().count("larkin") == 1


def test_a_phrase_written_with_entities_stays() -> None:
    out = made_of(RawNote("n", "p", "Dr. Larkin&apos;s: Larkin&#32;palsy. &lt; Told Mr. Larkin."))
    assert "Larkin&#32;palsy" in out
    assert out.count("Larkin") == 1


def test_what_the_sender_knows_goes_from_a_phrase_too() -> None:
    note = RawNote("n", "p", TEXT, known=KnownIdentifiers(names=("Tilda Larkin",)))
    assert "larkin" not in made_of(note).lower()


def test_a_mark_of_a_reviewer_counts_beside_a_phrase() -> None:
    policy = read_policy(POLICY.format(tagger="").encode(), name="site")
    made, note = pipeline(policy=policy), RawNote("n", "p", TEXT)
    start = TEXT.index("pupils")
    marks = {
        MarkedNote.of(note): ReviewMarks((Span(start, start + 6, PhiLabel.CITY, 1, REVIEWED),))
    }
    marked = replace(made, detector=replace(made.detector, marks=marks))
    (outcome,) = asyncio.run(service(marked).run([encode_note(note)]))
    assert isinstance(outcome, Anonymized)
    assert "larkin  palsy" in outcome.note.text
    assert "pupils" not in outcome.note.text


def test_the_decision_is_one_of_notes_with_a_phrase_alone() -> None:
    policy = read_policy(POLICY.format(tagger="").encode(), name="site")
    notes = [RawNote("n", "p", TEXT), RawNote("n", "p", "Dr. Larkin found HHA stable.")]
    decisions = [
        {step.decision for step in detected.steps}
        for detected in pipeline(policy=policy).detector.detect(notes)
    ]
    assert [Decision.ALLOWED in each for each in decisions] == [True, False]


def test_phrases_are_terms_of_several_words() -> None:
    text = "HHA, Zorbo\u2013Weber  Scale, Parkinson's, zorbo-weber scales, Pike sign of Zellig"
    allow = ("HHA", "Zorbo-Weber scale", "Parkinson's", "Pike sign", "sign of Zellig")
    found = [text[one.start : one.end] for one in find_allowed_phrases(text, allow)]
    assert found == ["Zorbo\u2013Weber  Scale", "Pike sign of Zellig"]
    assert find_allowed_phrases(text, ()) == ()


@pytest.mark.parametrize(
    ("start", "end", "left"),
    [
        (4, 10, []),
        (4, 16, []),
        (0, 10, ["Dr"]),
        (0, 25, ["Dr", "clinic"]),
        (18, 24, ["clinic"]),
    ],
)
def test_what_stands_beside_a_phrase_stays_found(start: int, end: int, left: list[str]) -> None:
    text = "Dr. Larkin palsy, clinic."
    phrases = find_allowed_phrases(text, ("Larkin palsy",))
    cut = cut_allowed_phrases(text, [Span(start, end, PhiLabel.DOCTOR)], phrases)
    assert [text[one.start : one.end] for one in cut] == left
