"""A consumer without a group: what ends it, and what becomes of its errors."""

import asyncio
import errno
from unittest.mock import AsyncMock

import pytest
from aiokafka.errors import KafkaConnectionError, KafkaError

from deidstream.schemas.errors import Unavailable
from deidstream.stream.kafka import committed_consumer
from deidstream.stream.kafka.committed_consumer import open_committed_consumer
from deidstream.stream.kafka.connection import KafkaConnection
from support.ports import LOOPBACK, free_port

NOWHERE = KafkaConnection("broker:9092")


class StubConsumer:
    """Starts, or fails to; remembers its options and that it was stopped."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.options: dict[str, object] = {}
        self.asked: list[str] = []
        self.stopped = False

    def __call__(self, *_topics: str, **options: object) -> "StubConsumer":
        self.options = options
        return self

    async def start(self) -> None:
        if self.fault:
            raise self.fault

    def assignment(self) -> frozenset[str]:
        return frozenset({"notes-0", "notes-1"})

    async def position(self, place: str) -> int:
        self.asked.append(place)
        return 0

    async def stop(self) -> None:
        self.stopped = True


def put_in_place(stub: StubConsumer, monkeypatch: pytest.MonkeyPatch) -> StubConsumer:
    monkeypatch.setattr(committed_consumer, "AIOKafkaConsumer", stub)
    monkeypatch.setattr(committed_consumer, "check_access", AsyncMock())
    return stub


async def open_and_raise(fault: Exception) -> None:
    async with open_committed_consumer(NOWHERE, ["notes"]):
        raise fault


def test_it_reads_what_was_committed_and_stores_no_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = put_in_place(StubConsumer(), monkeypatch)

    async def run() -> None:
        async with open_committed_consumer(NOWHERE, ["notes"]):
            assert not stub.stopped

    asyncio.run(run())
    assert stub.stopped
    wanted = {"isolation_level": "read_committed", "enable_auto_commit": False}
    assert wanted.items() <= stub.options.items()
    assert "group_id" not in stub.options
    assert stub.options["auto_offset_reset"] == "earliest"
    assert stub.asked == []


def test_the_latest_records_begin_at_ends_that_are_known_when_it_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = put_in_place(StubConsumer(), monkeypatch)

    async def run() -> None:
        async with open_committed_consumer(NOWHERE, ["notes"], beginning="latest"):
            assert sorted(stub.asked) == ["notes-0", "notes-1"]

    asyncio.run(run())
    assert stub.options["auto_offset_reset"] == "latest"


@pytest.mark.parametrize("fault", [KafkaConnectionError(), ConnectionResetError()])
def test_a_consumer_that_cannot_start_is_stopped(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = put_in_place(StubConsumer(fault), monkeypatch)
    with pytest.raises(Unavailable, match="cannot reach kafka"):
        asyncio.run(open_and_raise(AssertionError()))
    assert stub.stopped


def test_a_request_of_the_body_that_fails_is_said_of_kafka(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = put_in_place(StubConsumer(), monkeypatch)
    with pytest.raises(Unavailable, match="cannot reach kafka"):
        asyncio.run(open_and_raise(KafkaError()))
    assert stub.stopped


def test_a_full_disk_is_not_said_of_kafka(monkeypatch: pytest.MonkeyPatch) -> None:
    stub = put_in_place(StubConsumer(), monkeypatch)
    with pytest.raises(OSError, match="No space") as raised:
        asyncio.run(open_and_raise(OSError(errno.ENOSPC, "No space left on device")))
    assert raised.value.errno == errno.ENOSPC
    assert stub.stopped


def test_a_closed_port_is_unavailable() -> None:
    connection = KafkaConnection(f"{LOOPBACK}:{free_port()}")

    async def run() -> None:
        async with open_committed_consumer(connection, ["notes"]):
            pass

    with pytest.raises(Unavailable, match="cannot reach kafka"):
        asyncio.run(run())
