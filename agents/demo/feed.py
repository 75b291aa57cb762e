"""Send notes to Kafka and read the output topics."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from aiokafka import AIOKafkaConsumer
from aiokafka.errors import KafkaError

from deidstream.agents.lines import count_lines, progress, read_lines
from deidstream.schemas.errors import InvalidNote, InvalidSettings, Unavailable
from deidstream.schemas.wire import decode
from deidstream.stream.delivery.failures import KAFKA, DeliveryFailed, OversizeRecords
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.diagnosis import check_token
from deidstream.stream.kafka.topics import describe_missing, list_topics

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

CHUNK = 200
PATIENCE_SECONDS = 60
"""A chunk that is not confirmed for so long ends the command."""


@dataclass(slots=True)
class Sent:
    """Counts the records of a file that the broker has, and those too large for the topic."""

    sent: int = 0
    oversize: int = 0


async def produce(path: Path, connection: KafkaConnection, topic: str, tally: Sent) -> None:
    """Send each line of a JSONL file to ``topic``, keyed by patient.

    Lines are sent unchanged, even if they are not notes: the worker reports those.

    Args:
        path: The file.
        connection: How to reach Kafka.
        topic: Where the lines go.
        tally: Counts them, also when the command ends early.

    Raises:
        MissingArtefact: The file cannot be read.
        InvalidSettings: The topic does not exist, or Kafka refuses this client.
        Unavailable: Kafka cannot be reached.
    """
    total = count_lines(path)
    if topic not in await list_topics(connection):
        raise InvalidSettings(describe_missing([topic], connection))
    producer = await KafkaProducer.start(connection)
    try:
        with progress() as bar:
            task = bar.add_task("produce", total=total)
            for chunk in _chunks(_records(path, topic)):
                await _send(producer, chunk, tally)
                bar.advance(task, len(chunk))
    finally:
        await producer.stop()


async def _send(producer: KafkaProducer, records: Sequence[TopicRecord], tally: Sent) -> None:
    confirmed: list[TopicRecord] = []
    left: list[TopicRecord] = []
    try:
        # An idempotent client would go on trying for as long as it is left to.
        async with asyncio.timeout(PATIENCE_SECONDS):
            await producer.send(records, confirmed)
    except OversizeRecords as oversize:
        tally.oversize += len(oversize.records)
        known = {id(record) for record in confirmed}
        small = [record for n, record in enumerate(records) if n not in oversize.records]
        left = [record for record in small if id(record) not in known]
    except TimeoutError:
        raise Unavailable(KAFKA) from None
    except DeliveryFailed as failed:
        msg = f"kafka: it does not accept records for this topic ({failed.kind})"
        raise InvalidSettings(msg) from None
    finally:
        tally.sent += len(confirmed)
    if left:
        await _send(producer, left, tally)


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
        InvalidSettings: Kafka does not accept the token.
    """
    await check_token(connection)
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
