"""Measures of sensitivity on two notes whose figures were worked out by hand.

Note 0 has the direct identifiers ``John Doe`` and ``4471998`` and the quasi-identifier ``Boston``;
note 1 has the direct identifier ``Ann Lee``. The outputs have ``Jon Doe`` (distance 1 of 8) and
``Boston``.
"""

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.measures.alid import Alid
from deidstream.study.measures.entity_recall import EntityRecall
from deidstream.study.measures.lr import Lr
from deidstream.study.measures.lrdi import Lrdi
from deidstream.study.measures.lrqi import Lrqi
from deidstream.study.measures.measure import Judged, Measure
from deidstream.study.measures.smr import Smr
from deidstream.study.techniques.technique import Output
from support.study_notes import judged, study_note

NOTES = [
    study_note(
        "John Doe 4471998 Boston",
        ("John Doe", PhiLabel.PATIENT),
        ("4471998", PhiLabel.MEDICALRECORD),
        ("Boston", PhiLabel.CITY),
    ),
    study_note("Ann Lee", ("Ann Lee", PhiLabel.PATIENT)),
]
OUTPUTS = judged(NOTES, "Jon Doe, yyyyyyy; BOSTON", "qqq qqq")


def test_smr_is_the_share_whose_words_are_gone() -> None:
    _check(Smr(), 3 / 4, of=4)


def test_alid_is_the_mean_distance() -> None:
    # 4471998 shares no sign with any word; of Ann Lee only the space is left.
    _check(Alid(), (1 / 8 + 1 + 0 + 6 / 7) / 4, of=4)


def test_lr_counts_what_resembles_it_as_the_identifier() -> None:
    # John Doe resembles Jon Doe by 7/8.
    _check(Lr(), 2 / 4, of=4)


def test_lrdi_is_all_or_nothing_for_each_note() -> None:
    _check(Lrdi(), 1 / 2, of=2)


def test_lrqi_is_the_share_of_each_note_that_has_some() -> None:
    _check(Lrqi(), 0, of=1)


def test_entity_recall_counts_direct_and_quasi_apart() -> None:
    _check(EntityRecall(direct=True), 3 / 3, of=3)
    _check(EntityRecall(direct=False), 0, of=1)


def test_smr_finds_an_identifier_inside_a_word_and_entity_recall_does_not() -> None:
    notes = [study_note("Dr. Park", ("Park", PhiLabel.DOCTOR))]
    inside = judged(notes, "the sparkling car")
    assert _value(Smr(), inside) == 0
    assert _value(EntityRecall(direct=True), inside) == 1


def test_identifiers_of_all_merged_notes_count() -> None:
    merged = Judged(NOTES, [Output("John Doe, Ann Lee", 0, frozenset({1}))])
    assert _value(Lrdi(), merged) == 0
    assert _value(Smr(), merged) == 2 / 4


@pytest.mark.parametrize("measure", [Smr(), Alid(), Lr(), Lrdi(), Lrqi()], ids=lambda one: one.name)
def test_without_identifiers_there_is_no_figure(measure: Measure) -> None:
    assert measure.measure(judged([study_note("no name")], "x")) is None


def _check(measure: Measure, value: float, *, of: int) -> None:
    figure = measure.measure(OUTPUTS)
    assert figure is not None
    assert figure.value == pytest.approx(value)
    assert figure.of == of


def _value(measure: Measure, given: Judged) -> float:
    figure = measure.measure(given)
    assert figure is not None
    return figure.value
