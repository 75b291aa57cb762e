"""The shipped rights on a real broker: each principal can do what it must, and not the rest."""

import asyncio
import os
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._config import AlterConfigOpType, ConfigEntry, ConfigResource
from confluent_kafka.admin._resource import ResourceType
from confluent_kafka.cimpl import NewPartitions, NewTopic

from deidstream.agents.runtime.connections import kafka_connection
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import Unavailable
from deidstream.stream.kafka.topic_reader import TopicReader
from support.echo_site import EchoSite, numbered
from support.kafka_acls import put_in_force, shipped_rights
from support.secured_kafka import PASSWORD, SecuredKafka, running_secured_kafka

pytestmark = pytest.mark.broker
ROOT = Path(__file__).parents[2]
DENIED = {
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
    KafkaError.CLUSTER_AUTHORIZATION_FAILED,
    KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
}


@dataclass(frozen=True, slots=True)
class Rights:
    """A broker with the shipped rights, under the names of one site."""

    secured: SecuredKafka
    site: EchoSite

    def options(self, user: str) -> dict[str, Any]:
        """Options of a client of another library, which signs in."""
        return {
            "bootstrap.servers": self.secured.brokers("signed"),
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.username": user,
            "sasl.password": PASSWORD,
            "ssl.ca.location": str(self.secured.authority.ca),
            "log_level": 0,
        }

    def write(self, user: str, kind: str, transaction: str = "") -> int | None:
        """Write a record; the code of the error, if any."""
        more = {"transactional.id": transaction} if transaction else {}
        failed: list[int] = []

        def done(error: KafkaError | None, _: object) -> None:
            if error is not None:
                failed.append(error.code())

        producer = Producer(self.options(user) | more | {"message.timeout.ms": 10_000})
        try:
            if transaction:
                producer.init_transactions(20)
                producer.begin_transaction()
            producer.produce(self.site.topic(kind), b"{}", on_delivery=done)
            producer.flush(15)
            if transaction:
                producer.abort_transaction(20)
        except KafkaException as error:
            return int(error.args[0].code())
        return failed[0] if failed else None

    def read(self, user: str, kind: str, group: str) -> int | None:
        """Read a topic from its beginning in a group; the code of the error, if any."""
        reading = {"group.id": group, "auto.offset.reset": "earliest", "enable.auto.commit": False}
        consumer = Consumer(self.options(user) | reading)
        try:
            consumer.subscribe([self.site.topic(kind)])
            for _ in range(40):
                record = consumer.poll(0.5)
                if record is not None:
                    error = record.error()
                    return int(error.code()) if error else None
        finally:
            consumer.close()
        return -1

    def admin(self, user: str) -> AdminClient:
        """A client for administration."""
        return AdminClient(self.options(user))


@pytest.fixture(scope="module")
def rights(tmp_path_factory: pytest.TempPathFactory, redis_server: Any) -> Iterator[Rights]:
    with running_secured_kafka(tmp_path_factory.mktemp("kafka")) as secured:
        site = EchoSite(secured.kafka, redis_server.url, tmp_path_factory.mktemp("site"))
        secured.kafka.create_topics(site.topic("audit"))
        renamed = {"notes.": site.topic(""), "deidstream": site.group}
        put_in_force(secured.kafka.admin(), renamed)
        yield Rights(secured, site)
        site.stop()


def certified(rights: Rights) -> dict[str, str]:
    mine = str(rights.secured.authority.issue("worker"))
    return rights.secured.environment("mutual", "ssl", tls_certificate=mine)


@pytest.mark.parametrize("way", ["SCRAM-SHA-512", "mTLS"])
def test_a_whole_worker_runs_with_no_more_than_its_rights(rights: Rights, way: str) -> None:
    first = 0 if way == "mTLS" else 100
    site = rights.site
    known = certified(rights) if way == "mTLS" else rights.secured.signed_in("worker", way)
    before = len(set(site.ids()))
    worker = site.start_worker(**known)
    try:
        site.send(numbered(first, first + 20))
        site.wait_for(before + 20, 300)
    finally:
        worker.stop(60)
    assert sum(site.committed().values()) == before + 20


def test_a_worker_without_a_right_says_so(rights: Rights) -> None:
    worker = rights.site.start_worker(**rights.secured.signed_in("nobody"))
    assert worker.wait(300) != 0
    said = worker.last_words()
    assert f"kafka: no topic {rights.site.topic('anonymized')}, " in said
    assert "give this principal its rights" in said


def test_who_sends_cannot_read(rights: Rights) -> None:
    assert rights.write("ingest", "raw") is None
    assert rights.read("ingest", "raw", rights.site.group) in DENIED
    assert rights.write("ingest", "anonymized") in DENIED


def test_a_worker_reads_notes_and_writes_outputs_alone(rights: Rights) -> None:
    transaction = f"{rights.site.group}-{uuid.uuid4().hex}"
    for kind in ("anonymized", "risk", "quarantine", "audit"):
        assert rights.write("worker", kind, transaction) is None
        assert rights.read("worker", kind, rights.site.group) in DENIED
    assert rights.write("worker", "raw") in DENIED
    assert rights.write("worker", "risk", "other") in DENIED
    assert rights.read("worker", "raw", "other") in DENIED


def test_analytics_reads_outputs_and_never_a_note(rights: Rights) -> None:
    assert rights.write("worker", "anonymized") is None
    assert rights.read("analytics", "anonymized", "analytics-one") is None
    for kind in ("raw", "quarantine", "audit"):
        assert rights.read("analytics", kind, "analytics-one") in DENIED
    for kind in ("raw", "anonymized", "risk"):
        assert rights.write("analytics", kind) in DENIED
    assert rights.read("analytics", "anonymized", rights.site.group) in DENIED


def test_an_operator_sees_lag_and_reads_no_note(rights: Rights) -> None:
    for kind in ("raw", "anonymized", "risk", "audit"):
        assert _reads_at(rights, "operator", kind) in DENIED
    assert rights.write("operator", "raw") in DENIED
    admin = rights.admin("operator")
    (described,) = admin.describe_consumer_groups([rights.site.group]).values()
    assert described.result(20).group_id == rights.site.group
    assert rights.site.topic("raw") in admin.list_topics(timeout=20).topics


def test_the_review_page_reads_notes_and_writes_nothing(rights: Rights) -> None:
    connection = kafka_connection(read_settings(rights.secured.signed_in("review")).kafka)

    async def count(topic: str) -> int:
        async with TopicReader.open(connection, topic) as reader:
            since = await reader.bounds_since(0)
            return sum([len(records) async for records in reader.read_between(since)])

    rights.site.send(numbered(900, 901))
    assert rights.write("worker", "risk") is None
    for kind in ("raw", "risk"):
        assert asyncio.run(count(rights.site.topic(kind)))
    for kind in ("anonymized", "audit"):
        with pytest.raises(Unavailable):
            asyncio.run(count(rights.site.topic(kind)))
    for kind in ("raw", "risk", "quarantine"):
        assert rights.write("review", kind) in DENIED


def _reads_at(rights: Rights, user: str, kind: str) -> int | None:
    # Without a group, as a tool would.
    consumer = Consumer(rights.options(user) | {"group.id": "none", "enable.auto.commit": False})
    try:
        consumer.assign([TopicPartition(rights.site.topic(kind), n, 0) for n in range(4)])
        for _ in range(40):
            record = consumer.poll(0.5)
            if record is not None:
                error = record.error()
                return int(error.code()) if error else None
    finally:
        consumer.close()
    return -1


def retention(topic: str) -> ConfigResource:
    entry = ConfigEntry("retention.ms", "1", incremental_operation=AlterConfigOpType.SET)
    return ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])


@pytest.mark.parametrize("user", ["ingest", "worker", "analytics", "operator", "review"])
def test_nobody_changes_topics_or_rights(rights: Rights, user: str) -> None:
    admin, topic = rights.admin(user), rights.site.topic("risk")
    changes: dict[str, Any] = {
        "create": admin.create_topics([NewTopic("new", 1, 1)]),
        "delete": admin.delete_topics([topic]),
        "grow": admin.create_partitions([NewPartitions(topic, 9)]),
        "alter": admin.incremental_alter_configs([retention(topic)]),
    }
    for name, futures in changes.items():
        for future in futures.values():
            with pytest.raises(KafkaException) as raised:
                future.result(20)
            assert raised.value.args[0].code() in DENIED, name


def test_the_script_gives_what_the_list_says(tmp_path: Path) -> None:
    tool, said = tmp_path / "kafka-acls", tmp_path / "said"
    tool.write_text(f'#!/bin/sh\nprintf "%s|" "$@" >>{said}\necho >>{said}\n')
    tool.chmod(0o755)
    script = str(ROOT / "deploy/kafka/acls.sh")
    command = ["sh", script, "kafka:9092", "--command-config", "a file"]
    env = {"PATH": os.defpath, "KAFKA_ACLS": str(tool)}
    subprocess.run(command, check=True, env=env)  # noqa: S603
    lines = said.read_text().splitlines()
    assert len(lines) == len(shipped_rights())
    for right, line in zip(shipped_rights(), lines, strict=True):
        words = line.split("|")[:-1]
        after = dict(pairwise(words))
        assert after["--allow-principal"] == f"User:{right.principal}"
        assert after["--command-config"] == "a file"
        asked = [words[at + 1] for at, word in enumerate(words) if word == "--operation"]
        assert asked == list(right.operations)
        if right.kind == "cluster":
            assert "--cluster" in words
        else:
            assert after[f"--{right.kind}"] == right.name.removesuffix("*") or right.name == "*"
            pattern = "prefixed" if right.prefixed else "literal"
            assert after["--resource-pattern-type"] == pattern
