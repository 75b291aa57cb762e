"""The clock of a worker's machine may be wrong: what it writes is accepted and kept."""

import asyncio
import time
from uuid import uuid4

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import Topics, create_topics
from support.kafka import Kafka

pytestmark = [pytest.mark.broker, pytest.mark.slow]
_HOUR = 3_600_000


@pytest.mark.parametrize("wrong", [366 * 24 * _HOUR, -366 * 24 * _HOUR])
def test_an_output_gets_its_time_from_the_broker(kafka: Kafka, wrong: int) -> None:
    name = uuid4().hex
    topics = Topics(f"{name}.raw", f"{name}.out", f"{name}.risk", f"{name}.quarantine", None)
    asyncio.run(_create_and_write(KafkaConnection(kafka.bootstrap), topics, wrong))


async def _create_and_write(connection: KafkaConnection, topics: Topics, wrong: int) -> None:
    await create_topics(connection, topics, partitions=1, replication=1)
    now = int(time.time() * 1_000)
    producer = AIOKafkaProducer(**connection.client_options())
    await producer.start()
    try:
        for name in (topics.anonymized, topics.risk, topics.quarantine):
            await producer.send_and_wait(name, b"record", timestamp_ms=now + wrong)
    finally:
        await producer.stop()
    consumer = AIOKafkaConsumer(
        topics.anonymized, auto_offset_reset="earliest", **connection.client_options()
    )
    await consumer.start()
    try:
        record = await asyncio.wait_for(consumer.getone(), 30)
    finally:
        await consumer.stop()
    assert abs(record.timestamp - now) < _HOUR
