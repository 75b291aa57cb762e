"""What two readings of a note say together."""

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.validation.site.judged_notes import JudgedNote, judge_note
from deidstream.study.validation.site.readings import Mark, ReadingOfNote, Ruling
from deidstream.study.validation.site.sampled_note import FoundSpan, SampledNote
from deidstream.study.validation.site.validation_plan import CountedKinds

TEXT = "Ada Quill Brandt, 47, saw Dr. Kowal in Ostrow"
OUTPUT = "Eve Stone Brandt, 47, saw Dr. Marsh in Ostrow"
NOTE = SampledNote(
    number=1,
    output_id="o1",
    patient="p1",
    stratum="green",
    is_extra=False,
    facts={"level": "green"},
    text=TEXT,
    output=OUTPUT,
    spans=(
        FoundSpan(0, 9, PhiLabel.PATIENT, "surrogate", 0, 9),
        FoundSpan(18, 20, PhiLabel.AGE, "keep", 18, 20),
        FoundSpan(30, 35, PhiLabel.DOCTOR, "surrogate", 30, 35, is_control=True),
    ),
)


def judge(*marks: list[tuple[str, PhiLabel]], rulings: list[Ruling] | None = None) -> JudgedNote:
    readings: dict[str, ReadingOfNote] = {}
    for name, own in zip(("anna", "ben"), marks, strict=True):
        places = tuple(
            Mark(TEXT.index(text), TEXT.index(text) + len(text), label) for text, label in own
        )
        readings[name] = ReadingOfNote(1, 30.0, places)
    return judge_note(NOTE, readings, rulings)


def leaks(judged: JudgedNote, kinds: CountedKinds = CountedKinds.ANY) -> list[str]:
    return [TEXT[place.start : place.end] for place in judged.leaks(kinds)]


def test_what_both_mark_is_a_leak() -> None:
    mark = [("Ostrow", PhiLabel.CITY)]
    judged = judge(mark, mark)
    assert judged.is_decided
    assert leaks(judged) == ["Ostrow"]
    assert leaks(judged, CountedKinds.DIRECT) == []


def test_what_was_found_of_a_marked_name_is_no_leak() -> None:
    found = [("Ada Quill", PhiLabel.PATIENT)]
    assert judge(found, found).places == ()


def test_what_is_left_beside_what_was_found_is_decided_by_the_adjudicator() -> None:
    whole, rest = [("Quill Brandt", PhiLabel.PATIENT)], [("Brandt", PhiLabel.PATIENT)]
    assert not judge(whole, rest).is_decided
    decided = judge(whole, rest, rulings=[Ruling(4, 16, PhiLabel.PATIENT)])
    assert leaks(decided) == ["Quill Brandt"]
    title = [("Dr. Kowal", PhiLabel.DOCTOR)]
    assert not judge(title, title).is_decided


def test_what_stays_by_the_policy_is_no_leak() -> None:
    mark = [("47", PhiLabel.AGE)]
    assert judge(mark, mark).places == ()


@pytest.mark.parametrize("label", [PhiLabel.CITY, PhiLabel.HOSPITAL, None])
def test_what_one_marks_is_disputed_until_somebody_decides(label: PhiLabel | None) -> None:
    mark = [("Ostrow", PhiLabel.CITY)]
    judged = judge(mark, [])
    assert not judged.is_decided
    assert leaks(judged) == []
    at = TEXT.index("Ostrow")
    decided = judge(mark, [], rulings=[Ruling(at, at + 6, label)])
    assert decided.is_decided
    assert leaks(decided) == ([] if label is None else ["Ostrow"])


def test_labels_that_differ_are_disputed() -> None:
    judged = judge([("Ostrow", PhiLabel.CITY)], [("Ostrow", PhiLabel.HOSPITAL)])
    assert not judged.is_decided


def test_a_control_that_is_marked_is_seen_and_no_leak() -> None:
    judged = judge([("Kowal", PhiLabel.DOCTOR)], [])
    assert judged.places == ()
    control = NOTE.spans[2]
    assert judged.seen_controls == {"anna": frozenset({control}), "ben": frozenset()}
