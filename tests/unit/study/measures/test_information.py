"""JSC and NSDCG, of classes and of levels: their formulas by hand, and what small models tell."""

import math

import numpy as np
import pytest

from deidstream.study.measures.code_groups import CodeGroups
from deidstream.study.measures.code_levels import CodeLevels, LevelScores
from deidstream.study.measures.jsc import Jsc, JscOfLevels, compare_levels, compare_sets
from deidstream.study.measures.measure import Judged, Measure
from deidstream.study.measures.nsdcg import Nsdcg, NsdcgOfLevels, compare_ranks
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


@pytest.mark.parametrize("measure", [Jsc(CodeGroups(NOTES)), Nsdcg(CodeGroups(NOTES))])
def test_plain_outputs_keep_all_and_exchanged_ones_do_not(measure: Measure) -> None:
    plain = judged(NOTES, *(note.text for note in NOTES))
    exchanged = judged(NOTES, *([HEART, KNEE] * 4))
    assert _value(measure, plain) == pytest.approx(1)
    assert _value(measure, exchanged) < 0.8


def test_without_classes_there_is_no_figure() -> None:
    notes = [study_note(KNEE, fold=fold) for fold in (0, 1)]
    plain = judged(notes, KNEE, KNEE)
    groups, levels = CodeGroups(notes), CodeLevels(notes)
    measures = (Jsc(groups), Nsdcg(groups), JscOfLevels(levels), NsdcgOfLevels(levels))
    assert [one.measure(plain) for one in measures] == [None] * 4


# Two classes; two are within the first, one within the second.
BEFORE = LevelScores(np.array([0.6, 0.4]), np.array([0.5, 0.1, 0.4]), np.array([0, 0, 1]))
AFTER = LevelScores(np.array([0.7, 0.3]), np.array([0.1, 0.6, 0.3]), np.array([0, 0, 1]))


def test_jsc_of_levels_compares_the_likely_groups_of_both() -> None:
    # Above: both, and the first alone (.3 is less than half of .7). Below: the first and the last
    # (.5 and .4), and the second and the last (.6 and .3).
    assert compare_levels(BEFORE, AFTER) == pytest.approx((1 + 1) / (2 + 3))


def test_half_of_a_gain_is_for_the_class() -> None:
    gains = (0.6 + 0.5) / 2, (0.6 + 0.1) / 2, (0.4 + 0.4) / 2
    assert BEFORE.gains == pytest.approx(gains)
    # The output ranks the second first, by (.7 + .6) / 2, then the first and the last.
    theirs = gains[1] / 1 + gains[0] / math.log2(3) + gains[2] / 2
    own = gains[0] / 1 + gains[2] / math.log2(3) + gains[1] / 2
    assert compare_ranks(BEFORE.gains, AFTER.gains) == pytest.approx(theirs / own)


CLINIC, SCAN = "seen in clinic today and feels well", "image shows no acute change"
OF_TWO_LEVELS = [
    study_note(f"{text} {more}", kind=kind, fold=fold, subkind=subkind)
    for fold in range(2)
    for kind, text in (("bone", KNEE), ("heart", HEART))
    for subkind, more in (("visit", CLINIC), ("image", SCAN)) * 2
]


def test_a_model_of_each_class_tells_the_class_within_it() -> None:
    scores = CodeLevels(OF_TWO_LEVELS).score([note.text for note in OF_TWO_LEVELS[:2]], 0)
    for one in scores:
        assert one.upper.sum() == pytest.approx(1)
        assert one.lower.sum() == pytest.approx(1)
        assert one.parents.tolist() == [0, 0, 1, 1]
    # The classes within are in alphabetical order: image, visit.
    assert [int(one.lower.argmax()) for one in scores] == [1, 0]


def test_another_type_of_the_class_costs_less_than_another_class() -> None:
    levels = CodeLevels(OF_TWO_LEVELS)
    texts = [note.text for note in OF_TWO_LEVELS]
    other_type = [texts[number ^ 1] for number in range(len(texts))]
    other_class = [texts[number ^ 4] for number in range(len(texts))]
    for measure in (JscOfLevels(levels), NsdcgOfLevels(levels)):
        plain, near, far = (
            _value(measure, judged(OF_TWO_LEVELS, *given))
            for given in (texts, other_type, other_class)
        )
        assert plain == pytest.approx(1)
        assert plain > near > far


def test_a_class_that_nothing_is_within_stands_for_itself() -> None:
    levels = CodeLevels(NOTES)
    assert not levels.usable
    (one,) = levels.score([KNEE], 0)
    assert one.lower == pytest.approx(one.upper)


def _value(measure: Measure, given: Judged) -> float:
    figure = measure.measure(given)
    assert figure is not None
    return figure.value
