"""Every security protocol and mechanism on real listeners, and what a refusal says."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from deidstream.agents.runtime.connections import kafka_connection
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.stream.kafka.committed_consumer import open_committed_consumer
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import Topics, create_topics, list_topics
from deidstream.stream.kafka.transaction import TransactionalSender
from support.certificates import Authority
from support.ports import LOOPBACK, free_port
from support.secured_kafka import SecuredKafka, running_secured_kafka

OF_THE_KEY = "a password of a key"
pytestmark = pytest.mark.broker


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecuredKafka]:
    # Who may do what is not the matter here: whoever is known may do everything.
    everything = {"allow.everyone.if.no.acl.found": "true"}
    with running_secured_kafka(tmp_path_factory.mktemp("kafka"), **everything) as running:
        yield running


def connect(environment: Mapping[str, str]) -> KafkaConnection:
    return kafka_connection(read_settings(environment).kafka)


async def send_and_read(connection: KafkaConnection, topic: str) -> object:
    """One record, by every kind of client."""
    topics = Topics(topic, f"{topic}.out", f"{topic}.risk", f"{topic}.quarantine", None)
    await create_topics(connection, topics, partitions=1, replication=1)
    producer = AIOKafkaProducer(**connection.client_options())
    await producer.start()
    try:
        await producer.send_and_wait(topic, b"record")
    finally:
        await producer.stop()
    group = {"group_id": f"g-{topic}", "auto_offset_reset": "earliest"}
    consumer = AIOKafkaConsumer(topic, **group, **connection.client_options())
    await consumer.start()
    try:
        record = await asyncio.wait_for(consumer.getone(), 30)
    finally:
        await consumer.stop()
    return record.value


def ways(site: SecuredKafka, folder: Path) -> dict[str, dict[str, str]]:
    (folder / "token").write_text(site.issuer.token("worker") + "\n")
    mine = str(site.authority.issue("worker"))
    locked = str(site.authority.issue("worker-locked", password=OF_THE_KEY))
    bearer = {"sasl": "OAUTHBEARER", "token_file": str(folder / "token")}
    clear = site.environment("signedplain", "sasl-plaintext")
    return {
        "PLAIN": site.signed_in("worker", "PLAIN"),
        "SCRAM-SHA-256": site.signed_in("worker", "SCRAM-SHA-256"),
        "SCRAM-SHA-512": site.signed_in("worker"),
        "OAUTHBEARER": site.environment("signed", "sasl-ssl", **bearer),
        "mTLS": site.environment("mutual", "ssl", tls_certificate=mine),
        "mTLS, locked key": site.environment(
            "mutual", "ssl", tls_certificate=locked, tls_key_password=OF_THE_KEY
        ),
        "TLS": site.environment("tls", "ssl"),
        "SASL without TLS": {**site.signed_in("worker"), **clear, "DEIDSTREAM_KAFKA_TLS_CA": ""},
        "name not compared": site.environment("elsewhere", "ssl", tls_check_hostname="false"),
    }


NAMES = (
    "PLAIN",
    "SCRAM-SHA-256",
    "SCRAM-SHA-512",
    "OAUTHBEARER",
    "mTLS",
    "mTLS, locked key",
    "TLS",
    "SASL without TLS",
    "name not compared",
)


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_client_comes_in(site: SecuredKafka, tmp_path: Path, name: str) -> None:
    topic = f"t-{NAMES.index(name)}"
    assert asyncio.run(send_and_read(connect(ways(site, tmp_path)[name]), topic)) == b"record"


async def read(connection: KafkaConnection) -> None:
    async with open_committed_consumer(connection, ["notes"]):
        pass


async def send_in_transactions(connection: KafkaConnection) -> None:
    async with TransactionalSender.open(connection, "refused"):
        pass


CLIENTS: Mapping[str, Callable[[KafkaConnection], Coroutine[None, None, object]]] = {
    "admin": list_topics,
    "consumer": read,
    "producer": KafkaProducer.start,
    "transactional producer": send_in_transactions,
}


def refused(environment: Mapping[str, str]) -> str:
    with pytest.raises((InvalidSettings, Unavailable)) as raised:
        asyncio.run(list_topics(connect(environment)))
    return f"{type(raised.value).__name__}: {raised.value}"


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
@pytest.mark.parametrize("wrong", ["PASSWORD", "USER"])
def test_a_wrong_user_or_password_is_named(site: SecuredKafka, mechanism: str, wrong: str) -> None:
    environment = site.signed_in("worker", mechanism) | {f"DEIDSTREAM_KAFKA_{wrong}": "other"}
    said = refused(environment)
    assert said.startswith(f"InvalidSettings: DEIDSTREAM_KAFKA_SASL={mechanism}: Kafka does not")
    assert "the user or the password" in said
    assert "other" not in said


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_names_a_wrong_password_and_the_address(
    site: SecuredKafka, client: str
) -> None:
    environment = site.signed_in("worker", "SCRAM-SHA-512")
    connection = connect(environment | {"DEIDSTREAM_KAFKA_PASSWORD": "another"})
    with pytest.raises(InvalidSettings) as raised:
        asyncio.run(CLIENTS[client](connection))
    said = "DEIDSTREAM_KAFKA_SASL=SCRAM-SHA-512: Kafka does not accept the user or the password"
    assert str(raised.value) == f"{said} (at {environment['DEIDSTREAM_KAFKA_BROKERS']})"


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_names_an_authority_that_is_not_trusted(
    site: SecuredKafka, tmp_path: Path, client: str
) -> None:
    other = {"DEIDSTREAM_KAFKA_TLS_CA": str(Authority(tmp_path / "other").ca)}
    connection = connect(site.environment("tls", "ssl") | other)
    with pytest.raises(InvalidSettings, match=r"authority that is not trusted \(at .*:\d+\)"):
        asyncio.run(CLIENTS[client](connection))


@pytest.mark.parametrize("token", ["expired", "forged", "none", "empty", "missing"])
def test_a_token_that_is_none_is_named(site: SecuredKafka, tmp_path: Path, token: str) -> None:
    good = site.issuer.token("worker")
    texts = {
        "expired": site.issuer.token("worker", seconds=-600),
        "forged": good[:-8] + "AAAAAAAA",
        "none": "none",
        "empty": "\n",
    }
    file = tmp_path / "token"
    if token in texts:
        file.write_text(texts[token])
    said = refused(site.environment("signed", "sasl-ssl", sasl="OAUTHBEARER", token_file=str(file)))
    remedy = "DEIDSTREAM_KAFKA_TOKEN_FILE" if token in {"empty", "missing"} else "accept the token"
    assert said.startswith("InvalidSettings")
    assert remedy in said


def test_another_authority_is_not_trusted(site: SecuredKafka, tmp_path: Path) -> None:
    other = Authority(tmp_path / "other")
    said = refused(site.environment("tls", "ssl") | {"DEIDSTREAM_KAFKA_TLS_CA": str(other.ca)})
    assert said.startswith("InvalidSettings: DEIDSTREAM_KAFKA_TLS_CA: ")
    assert "authority that is not trusted" in said
    system = refused(site.environment("tls", "ssl") | {"DEIDSTREAM_KAFKA_TLS_CA": ""})
    assert system == said


def test_an_expired_certificate_and_one_of_another_host_are_not_accepted(
    site: SecuredKafka,
) -> None:
    assert "has expired" in refused(site.environment("expired", "ssl"))
    assert "for another host name" in refused(site.environment("elsewhere", "ssl"))


def test_a_certificate_of_the_client_is_asked_for(site: SecuredKafka, tmp_path: Path) -> None:
    stranger = str(Authority(tmp_path / "other").issue("worker"))
    late = str(site.authority.issue("worker-expired", days=-1))
    for given in ({}, {"tls_certificate": stranger}, {"tls_certificate": late}):
        said = refused(site.environment("mutual", "ssl", **given))
        assert said.startswith("InvalidSettings: DEIDSTREAM_KAFKA_TLS_CERTIFICATE")


def test_the_security_of_another_listener_is_suspected(site: SecuredKafka) -> None:
    for listener, security in (("plain", "ssl"), ("signed", "plaintext"), ("tls", "plaintext")):
        said = refused(site.environment(listener, security))
        assert "DEIDSTREAM_KAFKA_SECURITY" in said
    away = f"{LOOPBACK}:{free_port()}"
    assert refused({"DEIDSTREAM_KAFKA_BROKERS": away}).startswith(
        f"Unavailable: cannot reach kafka: {away}: nothing listens there"
    )


def test_a_mechanism_that_is_not_offered_is_named(tmp_path: Path) -> None:
    # A listener that offers one mechanism alone.
    kept = {"listener.name.signed.sasl.enabled.mechanisms": "SCRAM-SHA-512"}
    with running_secured_kafka(tmp_path, **kept) as strict:
        said = refused(strict.signed_in("worker", "PLAIN"))
    assert said.startswith(
        "InvalidSettings: DEIDSTREAM_KAFKA_SASL=PLAIN: Kafka does not offer this mechanism (at "
    )
