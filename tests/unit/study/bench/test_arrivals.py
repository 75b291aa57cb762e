"""What the moments of outputs say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.study.bench.arrivals import (
    Burst,
    group_bursts,
    measure_latency,
    quantile,
    rate_of,
    spread_rates,
)

MOMENTS = st.lists(st.floats(0, 1e4), min_size=1, max_size=60)


@given(MOMENTS)
def test_every_output_is_in_one_burst_and_bursts_are_in_order(moments: list[float]) -> None:
    bursts = group_bursts(moments)
    assert sum(burst.notes for burst in bursts) == len(moments)
    assert [burst.moment for burst in bursts] == sorted(burst.moment for burst in bursts)
    assert bursts[-1].moment == max(moments)


def test_the_notes_of_the_first_burst_do_not_count() -> None:
    assert rate_of([Burst(0, 100), Burst(1, 10), Burst(2, 30)]) == 20
    assert rate_of([Burst(5, 7)]) == 0


@given(MOMENTS, st.integers(1, 5))
def test_the_whole_lies_between_its_parts(moments: list[float], parts: int) -> None:
    bursts = group_bursts(moments)
    spread = spread_rates(bursts, parts)
    assert spread.least <= spread.median <= spread.most
    assert spread.median == rate_of(bursts)


def test_a_slow_part_is_seen() -> None:
    bursts = [Burst(moment, 10) for moment in (0.0, 1.0, 2.0, 6.0, 10.0)]
    spread = spread_rates(bursts, 2)
    assert (spread.least, spread.median, spread.most) == (2.5, 4.0, 10.0)


def test_latency_counts_from_when_a_note_was_due() -> None:
    due = {"a": 10.0, "b": 11.0, "lost": 12.0}
    load = measure_latency(due, {"a": 10.5, "b": 13.0, "other": 1.0}, 1.0, 0.01)
    assert (load.notes, load.p50_ms, load.p95_ms, load.lag_p99_ms) == (2, 2000, 2000, 10)


@pytest.mark.parametrize(("share", "value"), [(0.0, 1), (0.5, 3), (0.95, 4), (1.0, 4)])
def test_a_quantile_is_one_of_the_values(share: float, value: float) -> None:
    assert quantile([1, 2, 3, 4], share) == value
    assert quantile([], share) == 0
