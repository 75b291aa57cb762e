from functools import partial

import pytest

from deidstream.study.utility.class_task import (
    ClassNotes,
    answer_classes,
    measure_class_drop,
    score_classes,
)
from deidstream.study.utility.drop import UtilityDrop, measure_drop

TRUTH = ["a", "b"] * 20
GOOD, BAD = TRUTH, ["b", "a"] * 20
TRAIN = ClassNotes(
    [f"the {organ} was seen by us {n}" for n in range(20) for organ in ("heart", "retina")],
    ["cardiology", "ophthalmology"] * 20,
)
TEST = ClassNotes(["his heart", "her retina"], ["cardiology", "ophthalmology"])


def test_differences_are_of_the_same_seed() -> None:
    drop = UtilityDrop((0.8, 0.9), (0.7, 0.6), 1.0)
    assert drop.differences == pytest.approx((-0.1, -0.3))
    assert drop.change == pytest.approx(-0.2 / 0.85)
    # By hand: mean -0.2, deviation 0.1414, half-width 12.706 x 0.1414 / 1.4142 = 1.2706.
    assert drop.interval == pytest.approx((-1.4706, 1.0706))


def test_models_that_differ_everywhere_differ_by_more_than_chance() -> None:
    drop = measure_drop([(GOOD, BAD)] * 2, partial(score_classes, TRUTH))
    assert (drop.plain, drop.anonymized) == ((1.0, 1.0), (0.0, 0.0))
    assert drop.p_value == pytest.approx(1 / 1001)


def test_equal_models_differ_by_chance_alone() -> None:
    assert measure_drop([(GOOD, GOOD)] * 2, partial(score_classes, TRUTH)).p_value == 1.0


def test_a_class_that_is_never_told_counts_as_nothing() -> None:
    assert score_classes(["a", "b"], ["a", "a"]) == pytest.approx((2 / 3 + 0) / 2)


def test_a_classifier_learns_from_outputs_that_keep_the_words() -> None:
    drop = measure_class_drop(TRAIN, [text.upper() for text in TRAIN.texts], TEST)
    assert drop.differences == (0.0,) * 5
    assert drop.plain == (1.0,) * 5


def test_it_learns_nothing_from_outputs_that_lost_them() -> None:
    drop = measure_class_drop(TRAIN, ["the same text of a note"] * 40, TEST, (1, 2))
    assert max(drop.anonymized) < 0.5 < min(drop.plain)


def test_a_seed_gives_the_same_answers_again() -> None:
    assert answer_classes(TRAIN, TEST.texts, 3) == answer_classes(TRAIN, TEST.texts, 3)
    assert "heart" not in repr(TRAIN)
