"""Whether Kafka is there is known also to a worker that has nothing to read or send."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from deidstream.agents.runtime import monitor
from deidstream.agents.runtime.monitor import watch_kafka
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.probe import KafkaProbe
from deidstream.stream.observing.health import Health, Lack
from support.kafka import Kafka, running_kafka

pytestmark = [pytest.mark.broker, pytest.mark.chaos, pytest.mark.slow]
SECONDS = 30


async def until(seen: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not seen():  # noqa: ASYNC110 - nobody else would set an event
            await asyncio.sleep(0.1)


def test_an_idle_worker_names_a_broker_that_went_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitor, "PROBE_SECONDS", 0.5)
    with running_kafka(tmp_path) as kafka:
        health = Health(60, started=True, assigned=1)
        probe = KafkaProbe(KafkaConnection(kafka.bootstrap), ("notes.raw", "notes.risk"))

        async def body() -> None:
            watching = asyncio.create_task(watch_kafka(probe, health))
            await until(lambda: health.missing() == (Lack.TOPIC,))
            await blocking(lambda: kafka.create_topics("notes.raw", partitions=2))
            await until(lambda: health.unserved == ("notes.risk",))
            assert health.missing() == (Lack.TOPIC,)
            await blocking(lambda: kafka.create_topics("notes.risk", partitions=2))
            await until(health.ready)
            await blocking(lambda: delete_topic(kafka, "notes.risk"))
            await until(lambda: health.unserved == ("notes.risk",))
            await blocking(lambda: kafka.create_topics("notes.risk", partitions=2))
            await until(health.ready)
            await blocking(kafka.kill9)
            await until(lambda: health.missing() == ("kafka",))
            await blocking(kafka.restart)
            await until(health.ready)
            assert kafka.process
            kafka.process.send(signal.SIGSTOP)
            await until(lambda: health.missing() == ("kafka",))
            kafka.process.send(signal.SIGCONT)
            await until(health.ready)
            watching.cancel()
            await probe.close()

        asyncio.run(body())


def delete_topic(kafka: Kafka, name: str) -> None:
    admin = kafka.admin()
    (deleting,) = admin.delete_topics([name]).values()
    deleting.result(SECONDS)


def blocking(call: Callable[[], object]) -> Awaitable[object]:
    return asyncio.to_thread(call)
