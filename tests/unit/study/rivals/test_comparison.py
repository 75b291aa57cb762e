import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.study.rivals.comparison import (
    TypeScore,
    count_pairs,
    draw_heat_map,
    group_labels,
    intersect,
    score_touched,
    score_types,
    unite,
    weigh,
)

TRUTH = [["AGE", "AGE", "DATE", "O", "O"]]
TOLD = [["AGE", "O", "AGE", "DATE", "O"]]
labels = st.sampled_from(["O", "AGE", "DATE"])
two = st.lists(st.tuples(labels, labels), max_size=9).map(
    lambda pairs: ([[one for one, _ in pairs]], [[other for _, other in pairs]])
)


def test_types_are_counted_by_token() -> None:
    scores = score_types(count_pairs(TRUTH, TOLD))
    assert scores == {"AGE": TypeScore(1, 2, 2), "DATE": TypeScore(0, 1, 1)}
    assert (scores["AGE"].precision, scores["AGE"].recall, scores["AGE"].f1) == (0.5, 0.5, 0.5)
    assert scores["DATE"].f1 == 0.0
    # By hand: two of the three tokens are AGE.
    assert weigh(scores) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert weigh({}) == (0.0, 0.0, 0.0)


def test_a_token_with_another_label_is_touched() -> None:
    assert score_touched(count_pairs(TRUTH, TOLD)) == TypeScore(2, 3, 3)
    assert (TypeScore(0, 0, 0).precision, TypeScore(0, 0, 0).recall, TypeScore(0, 0, 0).f1) == (
        *(0.0, 0.0, 0.0),
    )


@given(two)
def test_a_union_finds_what_either_does_and_an_intersection_what_both_do(
    pair: tuple[list[list[str]], list[list[str]]],
) -> None:
    (first,), (second,) = pair
    (united,), (met,) = unite(*pair), intersect(*pair)
    for one, other, either, both in zip(first, second, united, met, strict=True):
        assert (either == "O") is (one == other == "O")
        assert (both != "O") is (one == other != "O")
        assert both in {one, "O"}


def test_the_heat_map_has_shares_of_the_true_type() -> None:
    svg = draw_heat_map("found <by> CRF", count_pairs(TRUTH, TOLD))
    assert "found &lt;by&gt; CRF" in svg
    assert re.findall(r">(\d+)</text>", svg) == ["50", "50", "100"]


def test_labels_of_one_type_of_deidclinic_count_as_one() -> None:
    pairs = count_pairs(
        [["PATIENT", "DOCTOR", "CITY", "O", "SSN"]], [["DOCTOR", "DOCTOR", "O", "ZIP", "IDNUM"]]
    )
    assert group_labels(pairs) == {
        ("Name", "Name"): 2,
        ("Location", "O"): 1,
        ("O", "Location"): 1,
        ("ID", "ID"): 1,
    }
