"""A real worker and a Redis that goes away, goes back, or begins to evict."""

import json
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import redis as blocking

from support.kafka import Kafka
from support.profiles import PROFILE
from support.redis_server import Redis, running_redis
from support.service import Service, judge, many_notes

QUARTER = PROFILE.chaos_notes // 16
NOTES = 4 * QUARTER
SECONDS = 600
POLICY = """\
technique = "surrogate"
recognizers = ["rules", "known"]
"""
"""Its worker loads no models: what it does about its Redis is the same."""
pytestmark = [pytest.mark.broker, pytest.mark.chaos, pytest.mark.slow]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Redis]:
    """A Redis that keeps every write."""
    (tmp_path / "redis").mkdir()
    options = ("--appendfsync", "always")
    with running_redis(tmp_path / "redis", appendonly=True, options=options) as running:
        yield running


@pytest.fixture
def service(kafka: Kafka, server: Redis, tmp_path: Path) -> Iterator[Service]:
    """A service in mode random that looks at its Redis every second."""
    (tmp_path / "rules.toml").write_text(POLICY)
    settings = {
        "DEIDSTREAM_POLICY": str(tmp_path / "rules.toml"),
        "DEIDSTREAM_REDIS_MODE": "random",
        "DEIDSTREAM_REDIS_STATE": str(tmp_path / "state"),
        "DEIDSTREAM_REDIS_CHECK_SECONDS": "1",
    }
    made = Service(kafka, server.url, tmp_path, settings)
    yield made
    made.stop()


def events(service: Service) -> list[str]:
    """What workers have logged, in order."""
    lines = (line for line in service.logs().splitlines() if line.startswith("{"))
    return [str(json.loads(line).get("event")) for line in lines]


def test_a_redis_that_is_away_stops_the_feed_and_is_told_once(
    service: Service, server: Redis
) -> None:
    notes = many_notes(NOTES)
    worker = service.start_worker()
    service.send(notes[: 2 * QUARTER])
    service.wait(lambda: service.count("anonymized") > 0, SECONDS)
    server.stop()
    service.send(notes[2 * QUARTER :])
    service.wait(lambda: "breaker-open" in events(service), SECONDS)
    time.sleep(1)
    out = service.count("anonymized")
    time.sleep(5)
    assert service.count("anonymized") == out
    assert service.count("quarantine") == 0
    server.start()
    service.wait_for(NOTES, SECONDS)
    verdict = judge(service, notes)
    assert (verdict.emitted, verdict.lost, verdict.differing, verdict.inconsistent) == (
        NOTES,
        0,
        0,
        0,
    )
    assert [events(service).count(f"breaker-{state}") for state in ("open", "closed")] == [1, 1]
    worker.send(signal.SIGTERM)
    assert worker.wait(30) == 0


def test_a_redis_that_went_back_ends_the_worker_and_makes_no_second_mapping(
    service: Service, server: Redis, tmp_path: Path
) -> None:
    notes = many_notes(NOTES)
    worker = service.start_worker()
    service.send(notes[:QUARTER])
    service.wait_for(QUARTER, SECONDS)
    server.stop()
    shutil.copytree(server.home, tmp_path / "backup")
    server.start()
    strangers = [replace(note, patient_id=f"other-{note.patient_id}") for note in notes]
    service.send([replace(n, note_id=f"o-{n.note_id}") for n in strangers[:QUARTER]])
    service.wait_for(2 * QUARTER, SECONDS)
    server.stop()
    shutil.rmtree(server.home)
    shutil.copytree(tmp_path / "backup", server.home)
    server.start()
    service.send([replace(n, note_id=f"p-{n.note_id}") for n in strangers[:QUARTER]])
    assert worker.wait(SECONDS) == 78
    assert service.count("anonymized") == 2 * QUARTER
    assert "older state" in service.logs()
    again = service.start_worker()
    assert again.wait(SECONDS) == 78
    assert service.count("anonymized") == 2 * QUARTER


def test_a_redis_that_begins_to_evict_ends_the_worker(service: Service, server: Redis) -> None:
    notes = many_notes(QUARTER)
    worker = service.start_worker()
    service.send(notes)
    service.wait_for(len(notes), SECONDS)
    with blocking.Redis.from_url(server.url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
    assert worker.wait(60) == 78
    assert "noeviction" in service.logs()
