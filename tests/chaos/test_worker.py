"""Real workers on real Kafka and Redis: no note is lost or differs when a process is killed."""

import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.kafka import Kafka
from support.profiles import PROFILE
from support.service import Service, Verdict, judge, many_notes

NOTES = PROFILE.chaos_notes
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


def test_every_note_comes_out_once_with_its_risk(make: Make) -> None:
    service, notes = make(), many_notes(NOTES)
    service.send(notes)
    worker = service.start_worker()
    service.wait_for(NOTES, SECONDS)
    worker.send(signal.SIGTERM)
    assert worker.wait(30) == 0
    verdict = judge(service, notes)
    complete(verdict, NOTES)
    assert verdict.duplicates == 0
    assert verdict.quarantined == 0


def test_a_worker_killed_three_times_loses_nothing(make: Make) -> None:
    service, notes = make(), many_notes(NOTES)
    service.send(notes)
    for turn in (1, 2, 3):
        worker = service.start_worker()
        service.wait(lambda: service.count("anonymized") >= turn * NOTES // 5, SECONDS)  # noqa: B023 - called at once
        worker.kill9()
    service.start_worker()
    service.wait_for(NOTES, SECONDS)
    complete(judge(service, notes), NOTES)


def test_two_workers_share_a_group_and_one_dies(make: Make) -> None:
    service, notes = make(), many_notes(NOTES)
    first, second = service.start_worker(), service.start_worker()
    service.send(notes)
    service.wait(lambda: service.count("anonymized") >= NOTES // 4, SECONDS)
    random.choice([first, second]).kill9()
    service.wait_for(NOTES, SECONDS)
    complete(judge(service, notes), NOTES)


def test_two_workers_that_live_both_work(make: Make) -> None:
    service, notes = make(), many_notes(NOTES // 4)
    workers = [service.start_worker(), service.start_worker()]
    time.sleep(1)
    service.send(notes)
    service.wait_for(len(notes), SECONDS)
    for worker in workers:
        worker.send(signal.SIGTERM)
    assert [worker.wait(30) for worker in workers] == [0, 0]
    complete(judge(service, notes), len(notes))


def test_a_worker_told_to_stop_in_mid_run_drains_and_ends(make: Make) -> None:
    service, notes = make(), many_notes(NOTES // 4)
    service.send(notes)
    worker = service.start_worker()
    service.wait(lambda: service.count("anonymized") > 0, SECONDS)
    asked = time.monotonic()
    worker.send(signal.SIGTERM)
    assert worker.wait(30) == 0
    assert time.monotonic() - asked < 28
    service.start_worker()
    service.wait_for(len(notes), SECONDS)
    complete(judge(service, notes), len(notes))


def test_a_frozen_redis_stops_the_feed_and_loses_nothing(make: Make, tmp_path: Path) -> None:
    from support.redis_server import running_redis  # noqa: PLC0415

    (tmp_path / "redis").mkdir()
    with running_redis(tmp_path / "redis") as redis:
        service, notes = make(DEIDSTREAM_REDIS_URL=redis.url), many_notes(NOTES // 4)
        service.send(notes)
        service.start_worker()
        service.wait(lambda: service.count("anonymized") > 0, SECONDS)
        redis.stop()
        time.sleep(3)
        redis.start()
        service.wait_for(len(notes), SECONDS)
        complete(judge(service, notes), len(notes))


def test_a_replay_of_everything_writes_the_same_bytes(make: Make) -> None:
    service, notes = make(), many_notes(NOTES // 8)
    service.send(notes)
    first = service.start_worker()
    service.wait_for(len(notes), SECONDS)
    first.stop()
    # Another group reads all of it again, in batches of another shape.
    again = {"DEIDSTREAM_KAFKA_GROUP": f"again-{service.run}", "DEIDSTREAM_BATCH_TOKENS": "900"}
    service.start_worker(**again)
    service.wait(lambda: service.count("risk") >= 2 * len(notes), SECONDS)
    verdict = judge(service, notes)
    complete(verdict, len(notes))
    assert verdict.duplicates == len(notes)
