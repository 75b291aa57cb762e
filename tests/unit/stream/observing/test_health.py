"""Whether the worker is alive and ready."""

import logging
from dataclasses import dataclass

import pytest

from deidstream.stream.observing.health import Health, Lack
from deidstream.stream.observing.logs import FIELD


@dataclass(slots=True)
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_worker_with_nothing_to_do_is_alive() -> None:
    clock = Clock()
    health = Health(10, clock)
    clock.now = 1e6
    assert health.alive()


def test_a_worker_whose_notes_stand_still_is_not() -> None:
    clock = Clock()
    health = Health(10, clock)
    health.record_taken(3)
    clock.now = 9
    assert health.alive()
    clock.now = 11
    assert not health.alive()
    health.record_acknowledged(1)
    assert health.alive()


def test_a_backlog_that_nobody_takes_is_a_stall() -> None:
    clock = Clock()
    health = Health(10, clock)
    health.record_backlog(5)
    clock.now = 11
    assert not health.alive()


def test_waiting_for_a_service_is_no_stall_but_not_ready() -> None:
    clock = Clock()
    health = Health(10, clock, started=True, assigned=1)
    health.record_taken(1)
    assert health.ready()
    health.record_unavailable("redis")
    clock.now = 1000
    assert health.alive()
    assert not health.ready()
    health.record_available("redis")
    assert health.alive()
    assert health.ready()


def test_a_worker_without_partitions_is_not_ready() -> None:
    assert not Health(10, started=True).ready()
    assert not Health(10, assigned=1).ready()


def test_what_is_missing_is_named() -> None:
    clock = Clock()
    health = Health(10, clock)
    assert health.missing() == (Lack.START,)
    health.started = True
    assert health.missing() == (Lack.PARTITIONS,)
    health.assigned = 2
    assert health.missing() == ()
    health.record_topics(("notes.raw",))
    health.record_unavailable("redis")
    health.record_probe("kafka", answers=False)
    clock.now = 7
    assert health.missing() == ("kafka", "redis", Lack.TOPIC)
    assert health.away_seconds() == {"kafka": 7, "redis": 7}


def test_an_outage_is_logged_once_however_many_calls_wait(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Clock()
    health = Health(10, clock)
    with caplog.at_level(logging.INFO, "deidstream.health"):
        health.record_probe("kafka", answers=False)
        for _ in range(64):
            health.record_unavailable("kafka")
        health.record_probe("kafka", answers=False)
        clock.now = 42
        for _ in range(64):
            health.record_available("kafka")
        health.record_probe("kafka", answers=True)
        health.record_probe("kafka", answers=True)
    said = [(record.msg, getattr(record, FIELD)) for record in caplog.records]
    assert said == [
        ("unavailable", {"service": "kafka"}),
        ("available", {"service": "kafka", "seconds": 42}),
    ]


def test_waiting_for_a_service_that_answers_is_a_stall() -> None:
    clock = Clock()
    health = Health(10, clock, started=True, assigned=1)
    health.record_probe("kafka", answers=True)
    health.record_taken(5)
    health.record_unavailable("kafka")
    clock.now = 9
    assert health.alive()
    clock.now = 11
    assert not health.alive()
    assert health.stalled_seconds() == 11


def test_after_an_outage_the_stall_clock_begins_anew() -> None:
    clock = Clock()
    health = Health(10, clock, started=True, assigned=1)
    health.record_taken(5)
    health.record_unavailable("kafka")
    health.record_probe("kafka", answers=False)
    clock.now = 1000
    assert health.alive()
    health.record_probe("kafka", answers=True)
    assert health.alive()
    clock.now = 1011
    assert not health.alive()
