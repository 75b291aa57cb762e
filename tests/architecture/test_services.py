"""The servers that other tests rely on are real, and do what those tests take for granted."""

from pathlib import Path
from uuid import uuid4

import pytest
import redis
from confluent_kafka import Consumer, KafkaException, Producer

from support.kafka import Kafka
from support.redis_server import embedded, running_redis


def produced(kafka: Kafka, topic: str, *values: bytes) -> None:
    producer = Producer({"bootstrap.servers": kafka.bootstrap, "acks": "all"})
    for value in values:
        producer.produce(topic, value)
    assert producer.flush(20.0) == 0


def consumed(kafka: Kafka, topic: str, count: int) -> list[bytes | None]:
    names = {"group.id": uuid4().hex, "auto.offset.reset": "earliest"}
    consumer = Consumer({"bootstrap.servers": kafka.bootstrap, **names})
    consumer.subscribe([topic])
    try:
        return [message.value() for message in consumer.consume(count, timeout=30.0)]
    finally:
        consumer.close()


@pytest.mark.broker
@pytest.mark.slow
def test_message_outlives_a_killed_broker(kafka: Kafka) -> None:
    topic = uuid4().hex
    kafka.create_topics(topic, partitions=2)
    produced(kafka, topic, b"before")
    assert consumed(kafka, topic, 1) == [b"before"]
    kafka.kill9()
    kafka.restart()
    assert consumed(kafka, topic, 1) == [b"before"]
    produced(kafka, topic, b"after")
    assert sorted(filter(None, consumed(kafka, topic, 2))) == [b"after", b"before"]


@pytest.mark.broker
@pytest.mark.slow
def test_topics_are_never_created_by_use(kafka: Kafka) -> None:
    topic = uuid4().hex
    assert kafka.admin().list_topics(topic, timeout=10.0).topics[topic].error
    assert topic not in kafka.admin().list_topics(timeout=10.0).topics
    kafka.create_topics(topic)
    with pytest.raises(KafkaException):
        kafka.create_topics(topic)


@pytest.mark.broker
def test_first_claim_of_a_name_wins(redis_url: str) -> None:
    name = uuid4().hex
    with redis.Redis.from_url(redis_url) as client:
        assert client.ping()
        assert client.set(name, "first", nx=True, get=True) is None
        assert client.set(name, "second", nx=True, get=True) == b"first"
        assert client.get(name) == b"first"


@pytest.mark.broker
@pytest.mark.parametrize(("appendonly", "kept"), [(True, b"1"), (False, None)])
def test_killed_redis_keeps_what_it_was_told_to(
    tmp_path: Path, kept: bytes | None, *, appendonly: bool
) -> None:
    with running_redis(tmp_path, appendonly=appendonly) as server:
        with redis.Redis.from_url(server.url) as client:
            client.set("name", "1")
        server.kill9()
        server.restart()
        with redis.Redis.from_url(server.url) as client:
            assert client.get("name") == kept


def test_embedded_redis_claims_too(tmp_path: Path) -> None:
    with (
        running_redis(tmp_path, binary=embedded()) as server,
        redis.Redis.from_url(server.url) as client,
    ):
        assert client.set("name", "first", nx=True)
        assert client.set("name", "second", nx=True) is None
        assert client.get("name") == b"first"
    assert server.process
    assert not server.process.running
