"""The simulation of workers agrees with queues that have a formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from queue_model import (
    GroupService,
    Target,
    draw_arrivals,
    fit_service,
    simulate,
    size_feed,
)

from support.profiles import few

RATES = st.floats(0.5, 20)


def test_notes_taken_alone_wait_as_in_a_queue_of_constant_service() -> None:
    service = GroupService(base=0.0, each=0.07, delay=0.0, batch=1)
    arrivals = draw_arrivals([10.0], 6_000)
    busy = 10.0 * 0.07
    mean = 0.07 + 0.07 * busy / (2 * (1 - busy))  # Pollaczek and Khinchine, M/D/1
    moments, free, spent = arrivals.tolist(), 0.0, 0.0
    for moment in moments:
        free = max(free, moment) + 0.07
        spent += free - moment
    assert spent / len(moments) == pytest.approx(mean, rel=0.05)
    day = simulate(arrivals, service)
    assert day.busy_share == pytest.approx(busy, rel=0.03)
    assert day.p50 < mean < day.p95 <= day.worst


def test_groups_share_the_base_of_their_time() -> None:
    service = GroupService(base=1.0, each=0.01, delay=0.0, batch=64)
    alone = simulate(np.array([0.0, 10.0, 20.0]), service)
    assert alone.worst == pytest.approx(1.01)
    together = simulate(np.zeros(64), service)
    assert together.worst == pytest.approx(1.64)


def test_a_full_group_is_not_exceeded() -> None:
    service = GroupService(base=0.0, each=1.0, delay=0.5, batch=4)
    assert simulate(np.zeros(8), service).worst == 8.5


@few(5)
@given(RATES, st.integers(2, 64))
def test_a_fit_keeps_speed_and_latency_alone(speed: float, batch: int) -> None:
    lone = 1.5 / speed
    service = fit_service(speed, lone, (0.5 * speed, 2 * lone), batch)
    assert service.speed == pytest.approx(speed)
    assert service.busy_seconds(1) + service.delay == pytest.approx(lone)
    assert min(service.base, service.each, service.delay) >= -1e-9


def test_a_service_is_found_again_by_its_latencies() -> None:
    real = GroupService(base=0.2, each=0.03, delay=0.1, batch=32)
    arrivals = draw_arrivals([0.7 * real.speed], 2_000, seed=2)
    lone = real.busy_seconds(1) + real.delay
    fitted = fit_service(real.speed, lone, (0.7 * real.speed, simulate(arrivals, real).p50), 32)
    assert fitted.delay == pytest.approx(real.delay, abs=0.1)
    assert simulate(arrivals, fitted).p95 == pytest.approx(simulate(arrivals, real).p95, rel=0.3)


def test_more_notes_need_more_workers_and_one_may_be_lost() -> None:
    service = GroupService(base=0.1, each=0.04, delay=0.05, batch=64)
    target = Target(p95_seconds=5, most_load=0.7, partitions_a_worker=4)
    small, large = (size_feed(rate, service, target) for rate in (20.0, 60.0))
    assert math.ceil(20 / (service.speed * 0.7)) <= small.workers < large.workers
    assert large.partitions == 4 * large.workers
    assert large.one_lost is not None
    assert large.day.p95 <= large.one_lost.p95 <= target.p95_seconds


def test_a_target_below_the_time_of_one_note_is_refused() -> None:
    service = GroupService(base=3.0, each=0.1, delay=0.0, batch=64)
    with pytest.raises(ValueError, match="alone"):
        size_feed(10.0, service, Target(2.0, 0.7, 4))
