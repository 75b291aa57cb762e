"""Measure what exactly-once costs: groups of records delivered both ways, in turns, on one Kafka.

    make services && PYTHONPATH=tests .venv/bin/python benchmarks/delivery.py --groups 200
    make services && PYTHONPATH=tests .venv/bin/python benchmarks/delivery.py --rounds 10

Each group is 64 notes of two records, as a worker delivers it. With ``--rounds`` two real workers
run, one for each way, and de-identify the same notes. The ways take turns group by group or round
by round, so that whatever else the machine does falls on both.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from confluent_kafka import Consumer, TopicPartition

from deidstream.schemas.note import RawNote
from deidstream.stream.delivery.group_offsets import GroupOffsets
from deidstream.stream.delivery.plain import PlainDelivery
from deidstream.stream.delivery.positions import Membership
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord
from deidstream.stream.delivery.transactions import TransactionalDelivery
from deidstream.stream.kafka.connection import KafkaConnection
from support.kafka import Kafka, running_kafka
from support.redis_server import Redis, running_redis
from support.service import PARTITIONS, Service, many_notes

if TYPE_CHECKING:
    from deidstream.stream.delivery.outbox import Delivery

NOTES = 64
NOTE_BYTES = 2_000
WARM_UP = 5
ROUND_SECONDS = 300
TOPICS = ("raw", "anonymized", "risk")


def group_of_records(number: int) -> list[TopicRecord]:
    """The records of one group."""
    keys = [f"patient-{(number * NOTES + note) % 97}".encode() for note in range(NOTES)]
    note, risk = b"n" * NOTE_BYTES, b"r" * 200
    return [
        record
        for key in keys
        for record in (TopicRecord("anonymized", key, note), TopicRecord("risk", key, risk))
    ]


async def measure(kafka: Kafka, groups: int) -> dict[str, list[float]]:
    """Deliver groups both ways; return the seconds of each."""
    connection = KafkaConnection(kafka.bootstrap)
    stable = await GroupOffsets.connect(connection, "exactly", stable=True)
    plain = await GroupOffsets.connect(connection, "at-least", stable=False)
    ways: dict[str, Delivery] = {
        "exactly-once": TransactionalDelivery(connection, stable, 15),
        "at-least-once": PlainDelivery(KafkaProducer(connection), plain),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for way in ways.values():
        await way.renew()
    for number in range(groups + WARM_UP):
        for name, way in ways.items():
            start = time.perf_counter()
            await way.deliver(group_of_records(number), {("raw", 0): number}, Membership())
            if number >= WARM_UP:
                seconds[name].append(time.perf_counter() - start)
    for way in ways.values():
        await way.stop()
    await asyncio.gather(stable.close(), plain.close())
    return seconds


@dataclass(slots=True)
class WorkerRun:
    """A real worker of one way, and a reader of its outputs."""

    service: Service
    outputs: Consumer
    seconds: list[float] = field(default_factory=list[float])

    @classmethod
    def start(cls, kafka: Kafka, redis: Redis, folder: Path, way: str) -> "WorkerRun":
        """Start a worker whose input is empty."""
        home = folder / way
        home.mkdir()
        service = Service(kafka, redis.url, home, {"DEIDSTREAM_KAFKA_DELIVERY": way})
        service.start_worker()
        outputs = Consumer(
            {
                "bootstrap.servers": kafka.bootstrap,
                "group.id": "reader",
                "auto.offset.reset": "earliest",
                "isolation.level": "read_committed",
            }
        )
        topic = service.topic("anonymized")
        outputs.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])
        return cls(service, outputs)

    def run_round(self, notes: Sequence[RawNote]) -> float:
        """Send notes and wait for as many outputs; return the seconds.

        Raises:
            TimeoutError: They did not come out within five minutes.
        """
        start = time.perf_counter()
        self.service.send(notes)
        left = len(notes)
        while left:
            left -= sum(not m.error() for m in self.outputs.consume(left, timeout=1.0))
            if time.perf_counter() - start > ROUND_SECONDS:
                raise TimeoutError
        return time.perf_counter() - start


def measure_workers(kafka: Kafka, folder: Path, rounds: int) -> dict[str, list[float]]:
    """De-identify the same notes both ways, in turns; return the seconds of each round."""
    notes = many_notes(NOTES)
    with ExitStack() as started:
        runs: dict[str, WorkerRun] = {}
        for way in ("exactly-once", "at-least-once"):
            home = folder / f"redis-{way}"
            home.mkdir()
            redis = started.enter_context(running_redis(home))
            runs[way] = WorkerRun.start(kafka, redis, folder, way)
            started.callback(runs[way].service.stop)
        for number in range(rounds + 1):
            order = list(runs.values())
            for run in order if number % 2 else reversed(order):
                seconds = run.run_round(notes)
                if number:  # the first waits for the worker to start
                    run.seconds.append(seconds)
    return {way: run.seconds for way, run in runs.items()}


def report(seconds: dict[str, list[float]]) -> None:
    """Print rate and latency of each way."""
    for name, found in seconds.items():
        cuts = statistics.quantiles(found, n=20)
        rate = NOTES * len(found) / sum(found)
        half = statistics.median(found) * 1000
        print(f"{name:14} {rate:8.1f} notes/s  p50 {half:6.1f} ms  p95 {cuts[-1] * 1000:6.1f} ms")
    exactly, at_least = seconds.values()
    ratios = [least / once for once, least in zip(exactly, at_least, strict=True)]
    print(f"rate of exactly-once: {statistics.median(ratios):.3f} of the other (median of pairs)")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=0, help="rounds of two real workers")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "kafka").mkdir()
        with running_kafka(folder / "kafka") as kafka:
            if arguments.rounds:
                report(measure_workers(kafka, folder, arguments.rounds))
            else:
                kafka.create_topics(*TOPICS, partitions=4)
                report(asyncio.run(measure(kafka, arguments.groups)))


if __name__ == "__main__":
    main()
