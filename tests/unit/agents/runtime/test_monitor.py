"""What a worker watches in itself."""

import asyncio
import logging

import pytest

from deidstream.agents.runtime import monitor
from deidstream.agents.runtime.monitor import LagGauges, PartitionState, watch_progress
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health

RAW = "notes.raw"


def lags() -> list[str]:
    exposed = metrics.exposition().decode().splitlines()
    return [line for line in exposed if line.startswith("deid_consumer_lag{")]


def test_a_partition_that_went_to_another_worker_has_no_lag_here() -> None:
    gauges = LagGauges()
    gauges.show({(RAW, 0): PartitionState(0, 542), (RAW, 1): PartitionState(2, 9)})
    gauges.show({(RAW, 1): PartitionState(3, 9, 1.5)})
    assert lags() == ['deid_consumer_lag{partition="1",topic="notes.raw"} 6.0']
    gauges.show({})
    assert lags() == []


def test_a_stall_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, expects_errors: list[logging.LogRecord]
) -> None:
    monkeypatch.setattr(monitor, "LAG_SECONDS", 0.001)
    health = Health(0.0)
    health.record_taken(1)

    async def body() -> None:
        watching = asyncio.create_task(watch_progress(health))
        await asyncio.sleep(0.05)
        watching.cancel()

    asyncio.run(body())
    assert [record.msg for record in expects_errors] == ["stalled"]
