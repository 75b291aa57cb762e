"""Send notes to Kafka and read the output topics."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import islice

from aiokafka import AIOKafkaConsumer

from deidstream.agents.feeds.file_sender import CHUNK, SendTally, send_records
from deidstream.agents.note_files.note_source import InputNote, NoteSource
from deidstream.agents.runtime.progress_bar import progress
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import InvalidSettings, Rejected
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord
from deidstream.stream.kafka.committed_consumer import open_committed_consumer
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import describe_missing, list_topics


async def produce(
    source: NoteSource, connection: KafkaConnection, topic: str, tally: SendTally
) -> None:
    """Send each note of an input to ``topic``, keyed by patient.

    Lines of JSONL are sent unchanged, even if they are not notes: the worker reports those. What
    has no message, such as a torn row, is counted.

    Args:
        source: The input.
        connection: How to reach Kafka.
        topic: Where the notes go.
        tally: Counts them, also when the command ends early.

    Raises:
        MissingArtefact: The input cannot be read.
        InvalidSettings: The topic does not exist, or Kafka refuses this client.
        Unavailable: Kafka cannot be reached.
    """
    total = source.count()
    if topic not in await list_topics(connection):
        raise InvalidSettings(describe_missing([topic], connection))
    producer = await KafkaProducer.start(connection)
    try:
        with progress() as bar:
            task = bar.add_task("produce", total=total)
            for notes in _chunks(source.read()):
                values = [note.message for note in notes if isinstance(note.message, bytes)]
                tally.unread += len(notes) - len(values)
                await send_records(producer, [to_record(value, topic) for value in values], tally)
                bar.advance(task, len(notes))
    finally:
        await producer.stop()


def to_record(value: bytes, topic: str) -> TopicRecord:
    """Make the record of a note, keyed by patient so that the notes of a patient stay in order."""
    try:
        key = read_message(value, limit_bytes=len(value)).patient_id.encode()
    except Rejected:
        key = None
    return TopicRecord(topic, key, value)


def _chunks(notes: Iterator[InputNote]) -> Iterator[Sequence[InputNote]]:
    while chunk := list(islice(notes, CHUNK)):
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
