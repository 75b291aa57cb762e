"""Send notes to Kafka and read the output topics."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import islice
from pathlib import Path

from aiokafka import AIOKafkaConsumer

from deidstream.agents.feeds.file_sender import CHUNK, SendTally, send_records
from deidstream.agents.runtime.lines import count_lines, read_lines
from deidstream.agents.runtime.progress_bar import progress
from deidstream.schemas.errors import InvalidNote, InvalidSettings
from deidstream.schemas.wire import decode
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord
from deidstream.stream.kafka.committed_consumer import open_committed_consumer
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import describe_missing, list_topics


async def produce(path: Path, connection: KafkaConnection, topic: str, tally: SendTally) -> None:
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
                await send_records(producer, chunk, tally)
                bar.advance(task, len(chunk))
    finally:
        await producer.stop()


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


async def read_values(
    consumer: AIOKafkaConsumer, idle_seconds: float | None
) -> AsyncIterator[tuple[str, bytes]]:
    """Yield topic and value of each record; stop after ``idle_seconds`` without one."""
    while True:
        try:
            record = await asyncio.wait_for(consumer.getone(), idle_seconds)
        except TimeoutError:
            return
        yield record.topic, record.value or b""


async def consume(
    connection: KafkaConnection, topics: Sequence[str], *, most: int | None, follow: bool
) -> int:
    """Write the records of ``topics`` to stdout, one a line; return how many."""
    written = 0
    async with open_committed_consumer(connection, topics) as consumer:
        async for _, value in read_values(consumer, None if follow else 3.0):
            sys.stdout.buffer.write(value + b"\n")
            sys.stdout.buffer.flush()
            written += 1
            if written == most:
                break
    return written
