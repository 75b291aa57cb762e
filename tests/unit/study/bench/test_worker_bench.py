"""A whole worker, measured."""

import asyncio
import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from deidstream.agents.cli.main import main
from deidstream.schemas.errors import Unavailable
from deidstream.study.bench.bench_figures import Spread
from deidstream.study.bench.engine_limit import EngineRun
from deidstream.study.bench.metric_samples import MetricSamples
from deidstream.study.bench.output_reader import SeenOutputs
from deidstream.study.bench.worker_bench import WaitingRun, summarise_worker
from deidstream.study.bench.worker_site import WorkerServices


def test_a_note_that_comes_twice_counts_once() -> None:
    seen = SeenOutputs()
    seen.add_records([b'{"note_id": "a"}', b'{"note_id": "b"}', b'{"note_id": "a"}'], emitted=True)
    seen.add_records([b"{}"], emitted=False)
    assert (seen.count, seen.quarantined) == (3, 1)


def test_waiting_ends_with_the_worker() -> None:
    ended = Mock(returncode=70)
    with pytest.raises(Unavailable, match="worker"):
        asyncio.run(SeenOutputs().wait_for(1, ended))


def test_the_ratio_is_of_the_speed_in_word_pieces() -> None:
    added = MetricSamples({("deid_notes_total", frozenset()): 50.0})
    waiting = WaitingRun(Spread(10, 8, 12), 5.0, 4.0, added, 900, 0)
    engine = [EngineRun(speed, cpu_seconds=0.4) for speed in (9_000, 10_000, 11_000)]
    path = summarise_worker(waiting, engine, notes_a_round=10, pieces_a_round=5_000)
    assert path.engine_ratio == Spread(0.5, 0.4, 0.6)
    assert path.cpu_ms_a_note == 80
    assert path.engine_cpu_share == Spread(0.5, 0.5, 0.5)
    without = summarise_worker(waiting, [], 10, 0)
    assert (without.engine_ratio, without.engine_cpu_share) == (None, None)


def test_services_are_described_without_their_addresses() -> None:
    described = WorkerServices("broker.example:9092", "redis://redis.example/0").describe()
    assert described == {"broker": "Kafka", "redis": "given", "delivery": "exactly-once"}


@pytest.mark.slow
def test_the_command_measures_a_whole_worker(tmp_path: Path) -> None:
    kept = tmp_path / "worker.json"
    words = ["bench", "--worker", "--most", "8", "--rounds", "3", "--batch", "4"]
    assert main([*words, "--load-seconds", "2", "--json", str(kept)]) == 0
    record: dict[str, Any] = json.loads(kept.read_bytes())
    assert record["path"]["notes_per_second"]["median"] > 0
    assert record["path"]["engine_ratio"]["median"] > 0
    assert record["loads"].keys() == {"70 % load", "nearly idle"}
    assert all(load["p95_ms"] >= load["p50_ms"] > 0 for load in record["loads"].values())
    assert record["memory"]["most_mb"] >= record["memory"]["loaded_mb"] > 0
    assert record["stages"].keys() >= {"detect", "verify", "deliver"}
    assert record["ready_seconds"] > 0
