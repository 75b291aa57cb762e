"""Measure what exactly-once costs: groups of records delivered both ways, in turns, on one Kafka.

    make services && .venv/bin/python benchmarks/delivery.py --groups 200

Each group is 64 notes of two records, as a worker delivers it. The ways take turns group by group,
so that whatever else the machine does falls on both.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.stream.delivery.group_offsets import GroupOffsets
from deidstream.stream.delivery.plain import PlainDelivery
from deidstream.stream.delivery.positions import Membership
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord
from deidstream.stream.delivery.transactions import TransactionalDelivery
from deidstream.stream.kafka.connection import KafkaConnection
from support.kafka import Kafka, running_kafka

if TYPE_CHECKING:
    from deidstream.stream.delivery.outbox import Delivery

NOTES = 64
NOTE_BYTES = 2_000
WARM_UP = 5
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


def report(seconds: dict[str, list[float]]) -> None:
    """Print rate and latency of each way."""
    for name, found in seconds.items():
        cuts = statistics.quantiles(found, n=20)
        rate = NOTES * len(found) / sum(found)
        half = statistics.median(found) * 1000
        print(f"{name:14} {rate:8.0f} notes/s  p50 {half:6.1f} ms  p95 {cuts[-1] * 1000:6.1f} ms")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_kafka(Path(folder)) as kafka:
        kafka.create_topics(*TOPICS, partitions=4)
        report(asyncio.run(measure(kafka, arguments.groups)))


if __name__ == "__main__":
    main()
