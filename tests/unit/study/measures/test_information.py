"""JSC, NSDCG and F1: their formulas by hand, and what a small model tells."""

import math

import numpy as np
import pytest

from deidstream.study.measures.code_groups import CodeGroups
from deidstream.study.measures.jsc import Jsc, compare_sets
from deidstream.study.measures.learnt_f1 import (
    LearntChange,
    LearntF1,
    OutputLearner,
    score_answers,
)
from deidstream.study.measures.measure import Judged, Measure
from deidstream.study.measures.nsdcg import Nsdcg, compare_ranks
from support.study_notes import judged, study_note

KNEE, HEART = "knee joint pain knee fracture", "heart rhythm chest murmur heart"
NOTES = [
    study_note(text, kind=kind, fold=fold)
    for fold in range(2)
    for kind, text in (("bone", KNEE), ("heart", HEART), ("bone", KNEE), ("heart", HEART))
]


@pytest.mark.parametrize(
    ("before", "after", "index"),
    [
        # The sets are {0, 1} and {1}.
        ([0.6, 0.3, 0.1], [0.1, 0.8, 0.1], 1 / 2),
        ([0.6, 0.3, 0.1], [0.5, 0.4, 0.1], 1),
        ([0.9, 0.1], [0.1, 0.9], 0),
    ],
)
def test_jsc_compares_the_likely_groups(
    before: list[float], after: list[float], index: float
) -> None:
    assert compare_sets(np.array(before), np.array(after)) == pytest.approx(index)


def test_nsdcg_divides_the_gain_by_that_of_the_own_order() -> None:
    before, after = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.2, 0.7])
    own = 0.5 / 1 + 0.3 / math.log2(3) + 0.2 / 2
    theirs = 0.2 / 1 + 0.3 / math.log2(3) + 0.5 / 2
    assert compare_ranks(before, after) == pytest.approx(theirs / own)
    assert compare_ranks(before, before) == 1


@pytest.mark.parametrize(
    "measure", [Jsc(CodeGroups(NOTES)), Nsdcg(CodeGroups(NOTES)), LearntF1(OutputLearner())]
)
def test_plain_outputs_keep_all_and_exchanged_ones_do_not(measure: Measure) -> None:
    plain = judged(NOTES, *(note.text for note in NOTES))
    exchanged = judged(NOTES, *([HEART, KNEE] * 4))
    assert _value(measure, plain) == pytest.approx(1)
    assert _value(measure, exchanged) < 0.8


def test_without_classes_there_is_no_figure() -> None:
    notes = [study_note(KNEE, fold=fold) for fold in (0, 1)]
    plain = judged(notes, KNEE, KNEE)
    groups = CodeGroups(notes)
    assert [
        one.measure(plain) for one in (Jsc(groups), Nsdcg(groups), LearntF1(OutputLearner()))
    ] == [None] * 3


def test_the_change_of_f1_is_a_share_of_that_of_plain_notes() -> None:
    change = LearntChange(OutputLearner(), seed=1)
    plain = judged(NOTES, *(note.text for note in NOTES))
    assert _value(change, plain) == 0
    exchanged = change.measure(judged(NOTES, *([HEART, KNEE] * 4)))
    assert exchanged is not None
    # Every answer is wrong, whatever notes are drawn.
    assert (exchanged.value, exchanged.low, exchanged.high) == (-1, -1, -1)


def test_f1_is_the_mean_of_the_classes_that_occur() -> None:
    # Class 0: 1 hit of 2 + 1; class 1: 1 hit of 1 + 2; class 2 occurs nowhere.
    assert score_answers(np.array([0, 0, 1]), np.array([0, 1, 1]), 3) == pytest.approx(
        (2 / 3 + 2 / 3) / 2
    )


def _value(measure: Measure, given: Judged) -> float:
    figure = measure.measure(given)
    assert figure is not None
    return figure.value
