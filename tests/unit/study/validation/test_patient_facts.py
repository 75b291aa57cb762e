"""What a note tells of its patient, for slices."""

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.validation.site.judged_notes import judge_note
from deidstream.study.validation.site.patient_facts import PATIENT_FACTS, describe_patient
from deidstream.study.validation.site.readings import Mark, ReadingOfNote
from deidstream.study.validation.site.sampled_note import FoundSpan, SampledNote


def describe(text: str, missed: str = "", **found: str) -> dict[str, str]:
    """Describe the patient of a text in which some places were found, and one was missed."""
    spans = []
    for label, written in found.items():
        start = text.index(written)
        end = start + len(written)
        spans.append(FoundSpan(start, end, PhiLabel(label), "surrogate", start, end))
    note = SampledNote(1, "o", "p", "all", False, {}, text, text, tuple(spans))  # noqa: FBT003
    at = text.find(missed)
    marks = (Mark(at, at + len(missed), PhiLabel.PATIENT),) if missed else ()
    return describe_patient(judge_note(note, {"anna": ReadingOfNote(1, 1.0, marks)}, None))


def test_a_silent_text_tells_nothing() -> None:
    assert describe("Slept well.") == dict.fromkeys(PATIENT_FACTS, "unknown")


@pytest.mark.parametrize(
    ("text", "sex"),
    [
        ("She took her pills.", "female"),
        ("Mr. X says he is well.", "male"),
        ("He came with his wife; she waits, she says.", "unknown"),
        ("HE IS WELL. HIS LEG. HE EATS. Sister: she came.", "male"),
    ],
)
def test_sex_is_what_most_words_tell(text: str, sex: str) -> None:
    assert describe(text)["sex"] == sex


@pytest.mark.parametrize(
    ("age", "band"),
    [("17", "0 to 17"), ("18", "18 to 39"), ("64-year", "40 to 64"), ("93", "90 and over")],
)
def test_ages_are_bands(age: str, band: str) -> None:
    assert describe(f"Aged {age} old.", AGE=age)["age"] == band


@pytest.mark.parametrize(
    ("name", "people"),
    [
        ("Ana Martinez", "hispanic"),
        ("Nguyen", "vietnamese"),
        ("John Ashgrove", "english"),
        ("Kowalczyk", "slavic"),
    ],
)
def test_the_people_is_that_of_how_the_name_is_spelled(name: str, people: str) -> None:
    assert describe(f"Patient {name} came.", PATIENT=name)["names"] == people


def test_a_name_that_was_missed_tells_it_too() -> None:
    assert describe("Then Martinez left.", missed="Martinez")["names"] == "hispanic"
