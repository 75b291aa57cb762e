"""Waiting for services."""

import asyncio

import pytest

from deidstream.schemas.errors import LeakDetected, LeakKind, Unavailable
from deidstream.stream.observing.health import Health
from deidstream.stream.retrying.retry import Backoff, Deadline, few_times, until_available

QUICK = Backoff(0.001, 0.002)


def test_a_call_is_repeated_until_the_service_is_back() -> None:
    health = Health(60)
    away_while_waiting: list[bool] = []
    tries = 0

    async def call() -> str:
        nonlocal tries
        tries += 1
        if tries < 4:
            away_while_waiting.append(bool(health.away))
            raise Unavailable("redis")  # noqa: EM101
        return "there"

    answer = until_available(call, health=health, backoff=QUICK)
    assert asyncio.run(answer) == "there"
    assert tries == 4
    assert away_while_waiting == [False, True, True]
    assert not health.away


def test_what_is_wrong_with_a_note_is_not_retried() -> None:
    tries = 0

    async def call() -> None:
        nonlocal tries
        tries += 1
        raise LeakDetected(LeakKind.KNOWN)

    with pytest.raises(LeakDetected):
        asyncio.run(until_available(call, health=Health(60), backoff=QUICK))
    assert tries == 1


def test_waits_double_and_are_bounded() -> None:
    backoff = Backoff(0.1, 5.0)
    assert [backoff.wait_seconds(n) for n in (1, 2, 3)] == [0.1, 0.2, 0.4]
    assert backoff.wait_seconds(1000) == 5.0


def test_a_deadline_runs_out_and_never_below_zero() -> None:
    assert 9 < Deadline.after(10).left_seconds() <= 10
    assert Deadline.after(-1).left_seconds() == 0


def test_few_times_is_few_times() -> None:
    tries = 0

    async def call() -> None:
        nonlocal tries
        tries += 1
        raise Unavailable("redis")  # noqa: EM101

    with pytest.raises(Unavailable):
        asyncio.run(few_times(call, 3, QUICK))
    assert tries == 3


def test_jitter_is_half_the_wait_to_all_of_it() -> None:
    waits = [Backoff(0.1, 5.0).jittered_seconds(3) for _ in range(500)]
    assert 0.2 <= min(waits) < 0.25
    assert 0.35 < max(waits) <= 0.4
