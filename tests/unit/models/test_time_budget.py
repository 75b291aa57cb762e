import time
from types import SimpleNamespace

import pytest

from deidstream.models import time_budget
from deidstream.models.time_budget import TimeBudget, check_time, within_time
from deidstream.schemas.errors import OutOfTime


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def thread_time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time_budget, "time", SimpleNamespace(thread_time=made.thread_time))
    return made


def test_without_a_budget_nothing_is_out_of_time() -> None:
    check_time()
    assert list(within_time([1, 2])) == [1, 2]
    assert list(within_time([1, 2, 3], every=2)) == [1, 2, 3]


def test_a_stage_beyond_its_budget_ends(clock: Clock) -> None:
    with TimeBudget(2.0).running():
        clock.now += 1.9
        check_time()
        clock.now += 0.2
        with pytest.raises(OutOfTime):
            check_time()


def test_stages_share_their_budget(clock: Clock) -> None:
    budget = TimeBudget(2.0)
    for _ in range(2):
        with budget.running():
            clock.now += 0.9
            check_time()
    clock.now += 60
    with budget.running():
        check_time()
        clock.now += 0.3
        with pytest.raises(OutOfTime):
            list(within_time([1]))


def test_the_time_may_be_checked_every_few_items(clock: Clock) -> None:
    with TimeBudget(1.0).running():
        items = within_time([1, 2, 3], every=2)
        next(items)
        clock.now += 5
        assert next(items) == 2
        with pytest.raises(OutOfTime):
            next(items)


def test_a_budget_ends_with_its_stage(clock: Clock) -> None:
    with TimeBudget(1.0).running():
        clock.now += 5
    check_time()


def test_waiting_costs_nothing() -> None:
    budget = TimeBudget(1.0)
    with budget.running():
        time.sleep(0.05)
        check_time()
    assert budget.seconds > 0.97
