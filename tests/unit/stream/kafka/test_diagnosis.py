"""Kafka is tried before a client starts: what fails is told apart, with the address."""

import asyncio
import socket
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from aiokafka.errors import SaslAuthenticationFailed

from deidstream.schemas.errors import DeidError, InvalidSettings, Unavailable
from deidstream.stream.kafka import diagnosis
from deidstream.stream.kafka.connection import KafkaConnection, Sasl
from deidstream.stream.kafka.diagnosis import check_access
from support.certificates import distrust
from support.ports import LOOPBACK, free_port

REMEDY = "start Kafka, or set DEIDSTREAM_KAFKA_BROKERS"
Brokers = list[tuple[str, int]]


def fault(brokers: str, sasl: Sasl | None = None) -> DeidError | None:
    """What is raised for these bootstrap servers."""
    try:
        asyncio.run(check_access(KafkaConnection(brokers, sasl=sasl)))
    except DeidError as error:
        return error
    return None


@contextmanager
def silent_server() -> Generator[str]:
    """The address of a server that accepts and says nothing."""
    with socket.create_server((LOOPBACK, 0)) as server:
        yield f"{LOOPBACK}:{server.getsockname()[1]}"


def answer_as(known: Mapping[str, Brokers | Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each host answer with brokers, or fail; one that is not listed says nothing."""

    async def ask(address: tuple[str, int], _: dict[str, Any]) -> Collection[tuple[str, int]]:
        found = known.get(address[0])
        if isinstance(found, Exception):
            raise found
        return found if found is not None else await asyncio.Future()

    monkeypatch.setattr(diagnosis, "_ask_for_brokers", ask)


def test_a_name_that_is_not_known_is_said() -> None:
    error = fault("nowhere.invalid:9092")
    assert isinstance(error, Unavailable)
    assert error.service == "kafka"
    said = "cannot reach kafka: nowhere.invalid:9092: the host name is not known; "
    assert str(error) == said + REMEDY


def test_every_address_is_said_with_what_failed_there() -> None:
    port = free_port()
    said = str(fault(f"{LOOPBACK}:{port},nowhere.invalid:9092"))
    assert f"{LOOPBACK}:{port}: nothing listens there" in said
    assert "nowhere.invalid:9092: the host name is not known" in said


def test_silence_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert diagnosis.SECONDS < 10
    monkeypatch.setattr(diagnosis, "SECONDS", 0.2)
    with silent_server() as first, silent_server() as second:
        said = str(fault(f"{first},{second}"))
    assert said.count("no answer") == 2


def test_a_server_that_closes_is_perhaps_another_listener() -> None:
    async def run() -> None:
        async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        async with await asyncio.start_server(hang_up, LOOPBACK, 0) as server:
            port = server.sockets[0].getsockname()[1]
            await check_access(KafkaConnection(f"{LOOPBACK}:{port}"))

    with pytest.raises(Unavailable, match="does DEIDSTREAM_KAFKA_SECURITY match its listener"):
        asyncio.run(run())


def test_one_that_answers_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_as({"a": ConnectionRefusedError(), "c": [("c", 9092), ("d", 9092)]}, monkeypatch)
    assert fault("a:9092,b:9092,c:9092") is None


def test_a_refusal_counts_for_more_than_an_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_as({"a": SaslAuthenticationFailed(), "b": TimeoutError()}, monkeypatch)
    error = fault("a:9092,b:9092", Sasl("PLAIN", "worker", "secret"))
    assert isinstance(error, InvalidSettings)
    assert "the user or the password (at a:9092)" in str(error)
    assert "secret" not in str(error)


def test_a_certificate_that_is_not_trusted_is_a_wrong_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer_as({"a": distrust()}, monkeypatch)
    error = fault("a:9092")
    assert isinstance(error, InvalidSettings)
    assert "DEIDSTREAM_KAFKA_TLS_CA" in str(error)
    assert "(at a:9092)" in str(error)


def test_brokers_that_are_elsewhere_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = socket.gaierror(socket.EAI_NONAME, "x")
    answer_as({"door": [("inner", 29092)], "inner": unknown}, monkeypatch)
    said = str(fault("door:9092"))
    assert said.startswith("cannot reach kafka: inner:29092: the host name is not known; ")
    assert "advertised.listeners" in said


def test_a_door_before_brokers_that_answer_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    brokers = [("one", 9092), ("two", 9092)]
    answer_as({"door": brokers, "one": TimeoutError(), "two": brokers}, monkeypatch)
    assert fault("door:9092") is None


def test_an_address_of_version_6_is_written_in_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_as({"::1": ConnectionRefusedError(111, "x")}, monkeypatch)
    assert "[::1]:9092: nothing listens there" in str(fault("[::1]:9092"))
