"""Send notes to Kafka and read the output topics."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from aiokafka import AIOKafkaConsumer
from aiokafka.errors import KafkaError

from deidstream.agents.lines import count_lines, progress, read_lines
from deidstream.schemas.errors import InvalidNote, Unavailable
from deidstream.schemas.wire import decode
from deidstream.stream.delivery.failures import DeliveryFailed, OversizeRecords
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord
from deidstream.stream.kafka.connection import KafkaConnection

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

CHUNK = 200


async def produce(path: Path, connection: KafkaConnection, topic: str) -> tuple[int, int]:
    """Send each line of a JSONL file to ``topic``, keyed by patient.

    Lines are sent unchanged, even if they are not notes: the worker reports those.

    Returns:
        How many were sent, and how many are too large for the topic.

    Raises:
        MissingArtefact: The file cannot be read.
        Unavailable: Kafka cannot be reached.
    """
    total, refused = count_lines(path), 0
    producer = await KafkaProducer.start(connection)
    try:
        with progress() as bar:
            task = bar.add_task("produce", total=total)
            for chunk in _chunks(_records(path, topic)):
                refused += await _send(producer, chunk)
                bar.advance(task, len(chunk))
    finally:
        await producer.stop()
    return total - refused, refused


async def _send(producer: KafkaProducer, records: Sequence[TopicRecord]) -> int:
    confirmed: list[TopicRecord] = []
    try:
        await producer.send(records, confirmed)
    except OversizeRecords as oversize:
        known = {id(record) for record in confirmed}
        small = [record for n, record in enumerate(records) if n not in oversize.records]
        left = [record for record in small if id(record) not in known]
        return len(oversize.records) + (await _send(producer, left) if left else 0)
    except DeliveryFailed:
        raise Unavailable("kafka") from None  # noqa: EM101
    return 0


def to_record(value: bytes, topic: str) -> TopicRecord:
    """Make the record of a note, keyed by patient so that the notes of a patient stay in order."""
    try:
        key = decode(value, limit_bytes=len(value)).patient_id.encode()
    except InvalidNote:
        key = None
    return TopicRecord(topic, key, value)


def _records(path: Path, topic: str) -> Iterator[TopicRecord]:
    return (to_record(value, topic) for _, value in read_lines(path))


def _chunks(records: Iterator[TopicRecord]) -> Iterator[Sequence[TopicRecord]]:
    while chunk := list(islice(records, CHUNK)):
        yield chunk


@asynccontextmanager
async def open_consumer(
    connection: KafkaConnection, topics: Sequence[str]
) -> "AsyncGenerator[AIOKafkaConsumer]":
    """Open a consumer that reads committed records from the beginning and commits no position.

    Raises:
        Unavailable: Kafka cannot be reached.
    """
    consumer = AIOKafkaConsumer(
        *topics,
        **connection.client_options(),
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        isolation_level="read_committed",
    )
    try:
        await consumer.start()
    except (KafkaError, OSError):
        await consumer.stop()
        raise Unavailable("kafka") from None  # noqa: EM101
    try:
        yield consumer
    finally:
        await consumer.stop()


async def read_values(
    consumer: AIOKafkaConsumer, idle_seconds: float | None
) -> AsyncIterator[tuple[str, bytes]]:
    """Yield topic and value of each record; stop after ``idle_seconds`` without one."""
    while True:
        timeout = None if idle_seconds is None else idle_seconds
        try:
            record = await asyncio.wait_for(consumer.getone(), timeout)
        except TimeoutError:
            return
        yield record.topic, record.value or b""


async def consume(
    connection: KafkaConnection, topics: Sequence[str], *, most: int | None, follow: bool
) -> int:
    """Write the records of ``topics`` to stdout, one a line; return how many."""
    written = 0
    async with open_consumer(connection, topics) as consumer:
        async for _, value in read_values(consumer, None if follow else 3.0):
            sys.stdout.buffer.write(value + b"\n")
            sys.stdout.buffer.flush()
            written += 1
            if written == most:
                break
    return written
