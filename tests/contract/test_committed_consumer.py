"""Consumers without a group on real Kafka: what they read first, and a topic that is missing."""

import asyncio
from uuid import uuid4

import pytest
from confluent_kafka import Producer

from deidstream.schemas.errors import Unavailable
from deidstream.stream.kafka.committed_consumer import Beginning, open_committed_consumer
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.partition_reader import PartitionReader
from deidstream.stream.kafka.topic_reader import TopicReader
from support.kafka import Kafka

pytestmark = pytest.mark.broker


def send(kafka: Kafka, topic: str, value: str) -> None:
    producer = Producer({"bootstrap.servers": kafka.bootstrap})
    producer.produce(topic, value)
    assert producer.flush(20) == 0


@pytest.mark.parametrize(("beginning", "first"), [("earliest", b"old"), ("latest", b"new")])
def test_the_first_record_is_the_one_asked_for(
    kafka: Kafka, beginning: Beginning, first: bytes
) -> None:
    topic = f"begin-{uuid4().hex}"
    kafka.create_topics(topic)
    send(kafka, topic, "old")

    async def read_first() -> bytes:
        connection = KafkaConnection(kafka.bootstrap)
        async with open_committed_consumer(connection, [topic], beginning=beginning) as consumer:
            # Sent as soon as it is open: the ends are known by then.
            await asyncio.to_thread(send, kafka, topic, "new")
            record = await asyncio.wait_for(consumer.getone(), 20)
        return record.value or b""

    assert asyncio.run(read_first()) == first


def test_readers_name_a_missing_topic(kafka: Kafka) -> None:
    there, missing = f"there-{uuid4().hex}", f"missing-{uuid4().hex}"
    kafka.create_topics(there)
    connection = KafkaConnection(kafka.bootstrap)

    async def open_both() -> None:
        async with TopicReader.open(connection, there):
            pass
        with pytest.raises(Unavailable, match=f"cannot reach kafka topic {missing}"):
            async with TopicReader.open(connection, missing):
                pass
        async with PartitionReader.open(connection, [there]) as reader:
            assert reader.places() == [(there, 0)]
        with pytest.raises(Unavailable, match=f"cannot reach kafka topic {missing}"):
            async with PartitionReader.open(connection, [there, missing]):
                pass

    asyncio.run(open_both())
