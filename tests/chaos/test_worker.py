"""A real worker with all its models is killed: no note is lost or differs. Rest: the matrix."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.kafka import Kafka
from support.profiles import PROFILE
from support.service import Service, Verdict, judge, many_notes

NOTES = PROFILE.chaos_notes // 2
SECONDS = 600
pytestmark = [pytest.mark.broker, pytest.mark.chaos, pytest.mark.slow]
Make = Callable[..., Service]


@pytest.fixture
def make(kafka: Kafka, redis_url: str, tmp_path: Path) -> Iterator[Make]:
    made: list[Service] = []

    def service(**settings: str) -> Service:
        made.append(Service(kafka, redis_url, tmp_path, settings))
        return made[-1]

    yield service
    for one in made:
        one.stop()


def complete(verdict: Verdict, notes: int) -> None:
    print(verdict)  # noqa: T201 - the figures of the run
    assert verdict.emitted + verdict.quarantined == notes
    assert verdict.emitted == verdict.risks
    assert (verdict.lost, verdict.differing, verdict.unpaired) == (0, 0, 0)
    assert verdict.inconsistent == 0


def test_a_worker_killed_three_times_loses_nothing(make: Make) -> None:
    # Batches so small that each worker is killed in the middle of its work.
    service, notes = make(DEIDSTREAM_BATCH_NOTES="8"), many_notes(NOTES)
    service.send(notes)
    for turn in (1, 2, 3):
        worker = service.start_worker()
        service.wait(lambda: service.count("anonymized") >= turn * NOTES // 5, SECONDS)  # noqa: B023 - called at once
        worker.kill9()
    service.start_worker()
    service.wait_for(NOTES, SECONDS)
    complete(judge(service, notes), NOTES)
