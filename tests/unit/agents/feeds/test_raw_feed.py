"""What waits is sent together; one that cannot be stored costs itself alone."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from deidstream.agents.feeds.ingest_mllp import wait_end
from deidstream.agents.feeds.raw_feed import RawFeed
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.delivery.failures import DeliveryFailed, OversizeRecords
from deidstream.stream.delivery.producer import TopicRecord


@dataclass(slots=True)
class Producer:
    """Takes records that are not too long; fails as it is told."""

    fails: Exception | None = None
    sent: list[int] = field(default_factory=list[int])

    async def send(self, records: Sequence[TopicRecord]) -> None:
        await asyncio.sleep(0.01)
        self.sent.append(len(records))
        if self.fails:
            raise self.fails
        large = {n for n, record in enumerate(records) if len(record.value) > 9}
        if large:
            raise OversizeRecords(frozenset(large))


def put_all(values: Sequence[bytes], producer: Producer) -> list[BaseException | None]:
    async def run() -> list[BaseException | None]:
        feed = RawFeed(producer, 0.5)  # type: ignore[arg-type]
        sending = asyncio.create_task(feed.run())
        puts = [feed.put([TopicRecord("t", None, value)]) for value in values]
        try:
            return list(await asyncio.gather(*puts, return_exceptions=True))
        finally:
            sending.cancel()

    return asyncio.run(run())


def test_what_waits_goes_together() -> None:
    producer = Producer()
    assert put_all([b"x"] * 100, producer) == [None] * 100
    assert producer.sent == [100]


def test_a_record_that_is_too_long_costs_itself_alone() -> None:
    made = put_all([b"a", b"x" * 10, b"b"], Producer())
    assert [type(one) for one in made] == [type(None), OversizeRecords, type(None)]


@pytest.mark.parametrize(
    ("error", "seen"),
    [
        (Unavailable("kafka"), Unavailable),
        (DeliveryFailed("NotLeader"), Unavailable),
        (InvalidSettings("token"), InvalidSettings),
    ],
)
def test_nothing_is_stored_that_the_broker_does_not_confirm(
    error: Exception, seen: type[Exception]
) -> None:
    assert [type(one) for one in put_all([b"a", b"b"], Producer(error))] == [seen, seen]


@pytest.mark.usefixtures("expects_errors")
def test_an_error_that_nobody_foresaw_ends_the_listener() -> None:
    async def run() -> bool:
        feed = RawFeed(Producer(RuntimeError("note text")), 0.5)  # type: ignore[arg-type]
        sending = asyncio.create_task(feed.run())
        putting = asyncio.create_task(feed.put([TopicRecord("t", None, b"a")]))
        broken = await asyncio.wait_for(wait_end(asyncio.Event(), sending), 5)
        putting.cancel()
        return broken

    assert asyncio.run(run())
