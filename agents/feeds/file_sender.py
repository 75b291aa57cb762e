"""Send the records of a file to a topic, in groups that the broker confirms."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from deidstream.agents.runtime.progress_bar import progress
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.delivery.failures import KAFKA, DeliveryFailed, OversizeRecords
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import describe_missing, list_topics

CHUNK = 200
PATIENCE_SECONDS = 60
"""The command ends when the broker has not confirmed a chunk after this time."""


@dataclass(slots=True)
class SendTally:
    """Counts the records that the broker has, those too large for the topic, and what is none."""

    sent: int = 0
    oversize: int = 0
    unread: int = 0
    """Rows and files of which no record could be made."""


async def send_all(
    records: Iterator[TopicRecord],
    connection: KafkaConnection,
    topic: str,
    *,
    skip: int,
    sent: SendTally,
    total: int | None = None,
) -> None:
    """Send the records of files but for the first ones, with a bar of progress.

    Args:
        records: Of all files, in an order that is the same in each run.
        connection: How Kafka is reached.
        topic: Where they go.
        skip: How many records are not sent.
        sent: Counts the others, also when the run ends early.
        total: How many there are; ``None``: nobody has counted.

    Raises:
        InvalidSettings: The topic does not exist, or Kafka refuses this client.
        Unavailable: Kafka cannot be reached.
    """
    if topic not in await list_topics(connection):
        raise InvalidSettings(describe_missing([topic], connection))
    producer = await KafkaProducer.start(connection)
    try:
        with progress("records") as bar:
            task = bar.add_task("ingest", total=total)
            for _ in islice(records, skip):
                bar.advance(task)
            while chunk := list(islice(records, CHUNK)):
                await send_records(producer, chunk, sent)
                bar.advance(task, len(chunk))
    finally:
        await producer.stop()


async def send_records(
    producer: KafkaProducer, records: Sequence[TopicRecord], tally: SendTally
) -> None:
    """Send records in order, and wait until the broker has all but those that are too large.

    Raises:
        Unavailable: The broker did not confirm them in time.
        InvalidSettings: It does not accept records for this topic.
    """
    confirmed: list[TopicRecord] = []
    left: list[TopicRecord] = []
    try:
        # Without a limit, an idempotent client retries for ever.
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
        await send_records(producer, left, tally)
