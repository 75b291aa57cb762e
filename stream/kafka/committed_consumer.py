"""Open a consumer that belongs to no group and reads what was committed."""

from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from typing import Literal

from aiokafka import AIOKafkaConsumer
from aiokafka.errors import KafkaError

from deidstream.schemas.errors import Unavailable
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.diagnosis import check_access
from deidstream.stream.kafka.fetched_records import read_tolerantly
from deidstream.stream.kafka.topics import list_topics

Beginning = Literal["earliest", "latest"]


@asynccontextmanager
async def open_committed_consumer(
    connection: KafkaConnection, topics: Collection[str], *, beginning: Beginning = "earliest"
) -> AsyncGenerator[AIOKafkaConsumer]:
    """Connect a consumer that reads committed records of all partitions and stores no position.

    Args:
        connection: How to reach Kafka.
        topics: What it reads.
        beginning: The record that it reads first in each partition: the ``earliest``, or the first
            that comes after it was opened (``latest``).

    Raises:
        Unavailable: Kafka cannot be reached, or fails a request of the body.
        InvalidSettings: Kafka and this client do not accept each other.
    """
    await check_access(connection)
    read_tolerantly()
    consumer = AIOKafkaConsumer(
        *topics,
        **connection.client_options(),
        auto_offset_reset=beginning,
        enable_auto_commit=False,
        isolation_level="read_committed",
    )
    try:
        await _start(consumer, beginning)
        # An OSError of the body passes on: it is about the body's own files, not about Kafka.
        yield consumer
    except KafkaError:
        raise Unavailable("kafka") from None  # noqa: EM101
    finally:
        await consumer.stop()


async def _start(consumer: AIOKafkaConsumer, beginning: Beginning) -> None:
    try:
        await consumer.start()
        if beginning == "latest":
            # aiokafka looks up an end at its first use: later, it would skip what came meanwhile.
            for partition in consumer.assignment():
                await consumer.position(partition)
    except OSError:
        raise Unavailable("kafka") from None  # noqa: EM101


async def require_topics(connection: KafkaConnection, topics: Collection[str]) -> None:
    """Check that Kafka has topics: a consumer waits for a missing one silently.

    Raises:
        Unavailable: Kafka cannot be reached, or does not have a topic.
        InvalidSettings: Kafka and this client do not accept each other.
    """
    if missing := sorted(set(topics) - await list_topics(connection)):
        away = f"kafka topic {missing[0]}"
        raise Unavailable(away)
