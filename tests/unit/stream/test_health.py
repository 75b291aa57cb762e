"""Whether the worker is alive and ready."""

from dataclasses import dataclass

from deidstream.stream.health import Health


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
