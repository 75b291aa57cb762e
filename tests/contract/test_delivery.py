"""Delivery on a real Kafka: what readers of committed records see."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.echo_site import Account, EchoSite, account, numbered
from support.kafka import Kafka

pytestmark = [pytest.mark.broker, pytest.mark.slow, pytest.mark.chaos]
SECONDS = 120
CLEAN = Account(lost=0, duplicates=0, disordered=0)

Make = Callable[..., EchoSite]


@pytest.fixture
def make(kafka: Kafka, redis_url: str, tmp_path: Path) -> Iterator[Make]:
    """Make sites; their workers are stopped at the end."""
    made: list[EchoSite] = []

    def make(**more: Any) -> EchoSite:
        made.append(EchoSite(kafka, redis_url, tmp_path, **more))
        return made[-1]

    yield make
    for site in made:
        site.stop()


def test_every_note_comes_out_once(make: Make) -> None:
    site, notes = make(), numbered(0, 1000)
    site.send(notes)
    worker = site.start_worker()
    site.wait_for(len(notes), SECONDS)
    worker.stop(30)
    assert worker.popen.returncode == 0
    assert account(site, notes) == CLEAN
    assert sum(site.committed().values()) == len(notes)


def test_a_killed_worker_leaves_no_duplicate_to_readers_of_committed_records(make: Make) -> None:
    site, notes = make(), numbered(0, 3000)
    site.send(notes)
    for turn in (1, 2, 3):
        worker = site.start_worker(ECHO_SECONDS="0.05")
        site.wait(lambda: len(set(site.ids())) >= turn * 500, SECONDS)  # noqa: B023 - called at once
        worker.kill9()
    site.start_worker()
    site.wait_for(len(notes), SECONDS)
    assert account(site, notes) == CLEAN
