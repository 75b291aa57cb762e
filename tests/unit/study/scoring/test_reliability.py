"""Scores against the share of spans that are right."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.scoring.match import Extent
from deidstream.study.scoring.reliability import BINS, judge_scores, measure_reliability

GOLD = (Extent(5, 9, PhiLabel.CITY), Extent(12, 14, PhiLabel.ZIP))


@pytest.mark.parametrize(
    ("start", "end", "touched"),
    [(0, 5, 0), (0, 6, 1), (8, 10, 1), (9, 12, 0), (9, 13, 1), (14, 20, 0)],
)
def test_a_span_is_right_if_it_shares_a_character_with_gold(
    start: int, end: int, touched: int
) -> None:
    span = Span(start, end, PhiLabel.DATE, 0.7)
    assert judge_scores(GOLD, [span]) == [(0.7, bool(touched))]


def test_the_order_of_equal_scores_is_no_error() -> None:
    judged = [(0.5, place < 50) for place in range(100)]
    assert measure_reliability(judged).error == measure_reliability(judged[::-1]).error == 0


def test_the_error_is_the_mean_distance() -> None:
    judged = [(0.9, place < 60) for place in range(100)]
    found = measure_reliability(judged, bins=1)
    assert found.error == pytest.approx(0.3)
    assert found.spans == 100


def test_bins_hold_equally_many() -> None:
    found = measure_reliability([(place / 100, place % 2 == 0) for place in range(100)], bins=3)
    assert [one.spans for one in found.bins] == [33, 33, 34]
    assert [one.score for one in found.bins] == sorted(one.score for one in found.bins)


def test_no_spans_have_no_error() -> None:
    assert measure_reliability([]).error is None


@settings(max_examples=50)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_every_span_is_in_one_bin(judged: list[tuple[float, bool]]) -> None:
    found = measure_reliability(judged)
    assert found.spans == len(judged)
    assert len(found.bins) <= BINS
    assert 0 <= (found.error or 0) <= 1
