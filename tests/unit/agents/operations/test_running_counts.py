"""The counts of the operations page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.agents.operations.running_counts import MEASURED, RunningCounts, quantile
from deidstream.stream.observing import metrics
from deidstream.stream.observing.metric_catalogue import METRIC_NAMES

PARTS = st.dictionaries(st.sampled_from("abc"), st.integers(0, 1_000).map(float))


def test_every_series_is_of_the_catalogue() -> None:
    series = {
        name.removesuffix("_bucket").removesuffix("_sum").removesuffix("_count")
        for name in (measured.name for measured in MEASURED.values())
    }
    assert series <= METRIC_NAMES


def test_what_is_counted_is_read_by_its_label() -> None:
    before = RunningCounts.read()
    metrics.count("deid_quarantine_total", "BAD_JSON", by=3)
    metrics.observe("deid_stage_seconds", 0.5, "detect")
    added = RunningCounts.read().since(before)
    assert added.of("quarantine")["BAD_JSON"] == 3
    assert added.of("stage_seconds")["detect"] == 0.5
    assert added.total("quarantine") == 3


def test_series_that_differ_by_another_label_are_added() -> None:
    before = RunningCounts.read()
    metrics.count("deid_risk_level_total", "red", "threshold", by=2)
    metrics.count("deid_risk_level_total", "red", "share-of-type", by=3)
    assert RunningCounts.read().since(before).of("levels")["red"] == 5


@given(PARTS, PARTS)
def test_what_is_added_can_be_taken_away(first: dict[str, float], second: dict[str, float]) -> None:
    one, two = RunningCounts({"labels": first}), RunningCounts({"labels": second})
    left = RunningCounts.add([one, two]).since(two).of("labels")
    assert {part: value for part, value in left.items() if value} == {
        part: value for part, value in first.items() if value
    }


@pytest.mark.parametrize(
    ("buckets", "share", "expected"),
    [
        ({}, 0.5, None),
        ({"1.0": 0, "+Inf": 0}, 0.5, None),
        ({"1.0": 10, "+Inf": 10}, 0.5, 0.5),
        ({"1.0": 5, "2.0": 10, "+Inf": 10}, 0.75, 1.5),
        ({"1.0": 5, "2.0": 5, "+Inf": 10}, 0.99, 2.0),
    ],
)
def test_a_quantile_lies_inside_its_bucket(
    buckets: dict[str, float], share: float, expected: float | None
) -> None:
    assert quantile(buckets, share) == (expected if expected is None else pytest.approx(expected))
