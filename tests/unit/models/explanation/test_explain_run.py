"""What is asked of a note is found, and how each place ended is said."""

from dataclasses import replace

import pytest

from deidstream.models.explanation.explain_run import AskedPlace, PlaceQuestion
from deidstream.models.explanation.explained_note import PlaceEnd
from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Decision
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.outcome import Anonymized, Failed
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import POSSIBLE
from support.explaining import Listed, explained
from support.reversible_site import quick

TEXT = "Mr. Quentin Vanterpool was seen on 03/04/2024. Pain 3/10. Vanterpool left."


def reporting(one: Recognizer) -> Pipeline:
    """A pipeline with one recognizer more."""
    made = quick()
    detector = replace(made.detector, recognizers=(*made.detector.recognizers, one))
    return replace(made, detector=detector)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (PlaceQuestion(at=5), ["Quentin"]),
        (PlaceQuestion(at=11), [" "]),
        (PlaceQuestion(at=len(TEXT)), []),
        (PlaceQuestion(word="vanterpool"), ["Vanterpool", "Vanterpool"]),
        (PlaceQuestion(word=" quentin  vanterpool "), ["Quentin Vanterpool"]),
        (PlaceQuestion(word="Vanter"), []),
        (PlaceQuestion(word="3/10."), ["3/10."]),
        (PlaceQuestion(word=" "), []),
        (PlaceQuestion(), []),
    ],
)
def test_a_question_names_places(question: PlaceQuestion, texts: list[str]) -> None:
    places = question.find_places(TEXT)
    assert [TEXT[one.start : one.end] for one in places] == texts
    assert places == sorted(places)


def test_without_a_question_every_replaced_span_is_explained() -> None:
    note = explained(TEXT)
    assert isinstance(note.outcome, Anonymized)
    found = note.outcome.note.permit.replacements
    assert [(one.start, one.end) for one in note.places] == [
        (one.span.start, one.span.end) for one in found
    ]
    assert [[r.text for r in one.replacements] for one in note.places] == [
        [one.text] for one in found
    ]
    assert {one.ended for one in note.places} == {PlaceEnd.REPLACED}


def test_a_word_within_a_span_has_the_replacement_of_the_span() -> None:
    first, _ = explained(TEXT, word="Vanterpool").places
    (one,) = first.replacements
    assert one.original == "Quentin Vanterpool"
    assert (first.text, first.ended) == ("Vanterpool", PlaceEnd.REPLACED)


def test_a_value_says_which_decision_dropped_it() -> None:
    made = reporting(Listed("tagger", (("3/10", PhiLabel.DATE, 0.9),)))
    (place,) = explained("Pain 3/10 today.", made, word="3/10").places
    assert place.ended is PlaceEnd.DROPPED
    assert [one.decision for one in place.decisions] == [Decision.CLINICAL]
    assert place.replacements == ()


def test_a_word_that_nothing_reported_says_so() -> None:
    (place,) = explained(TEXT, word="seen").places
    assert (place.ended, place.reports, place.decisions) == (PlaceEnd.UNREPORTED, (), ())


def test_a_word_may_be_possible_to_the_tagger_and_no_more() -> None:
    made = reporting(Listed(POSSIBLE, (("ward", PhiLabel.PATIENT, 0.1),)))
    (place,) = explained("On the ward.", made, word="ward").places
    assert (place.ended, place.decisions) == (PlaceEnd.POSSIBLE, ())
    assert [span.score for span in place.reports] == [0.1]
    assert [(span.start, span.end) for span in place.doubts] == [(7, 11)]


def test_a_note_that_fails_is_explained_as_far_as_it_came() -> None:
    known = KnownIdentifiers(names=("Quentin Vanterpool",))
    # Without the recognizer of known identifiers, the second mention stays.
    note = explained(RawNote("n", "p", TEXT, known=known))
    assert isinstance(note.outcome, Failed)
    assert note.outcome.leak is LeakKind.KNOWN
    assert [place.text for place in note.places] == ["Quentin Vanterpool", "03/04/2024"]


def test_what_is_no_note_has_no_places() -> None:
    note = explained(RawNote("n", "p", " "))
    assert isinstance(note.outcome, Failed)
    assert (note.places, note.policy, note.text) == ((), None, "")


def test_nothing_of_the_note_is_in_a_repr() -> None:
    note = explained(TEXT)
    assert all(word not in repr(note) for word in ("Quentin", "Vanterpool", "seen", "03/04"))
    assert "Quentin" not in repr(PlaceQuestion(word="Quentin"))
    assert repr(AskedPlace(1, 2)) == "AskedPlace(start=1, end=2)"
