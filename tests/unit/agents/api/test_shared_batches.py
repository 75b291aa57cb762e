"""Notes of several requests are computed together, in turns, and each gets its own outcome."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from deidstream.agents.api.shared_batches import SharedBatches
from deidstream.schemas.errors import UntrustedStore
from deidstream.stream.lanes.gathering import GatherRule
from deidstream.stream.observing.health import Health


@dataclass
class RecordingService:
    """Answers each note with itself, once it may."""

    health: Health = field(default_factory=lambda: Health(60))
    groups: list[list[bytes]] = field(default_factory=list[list[bytes]])
    open: asyncio.Event = field(default_factory=asyncio.Event)
    error: Exception | None = None

    async def run(self, values: Sequence[bytes]) -> list[Any]:
        self.groups.append(list(values))
        await self.open.wait()
        if self.error:
            raise self.error
        return list(values)


def in_batches(
    talk: Callable[[SharedBatches, RecordingService], Coroutine[Any, Any, None]], most: int = 4
) -> RecordingService:
    async def run() -> RecordingService:
        service = RecordingService()
        batches = SharedBatches(cast("Any", service), cast("Any", service), GatherRule(most, 0.01))
        work = asyncio.create_task(batches.work())
        try:
            await asyncio.wait_for(talk(batches, service), 5)
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        return service

    return asyncio.run(run())


def name(letter: str, count: int) -> list[Any]:
    return [f"{letter}{number}".encode() for number in range(count)]


def test_each_request_gets_its_own_outcomes_in_order() -> None:
    async def talk(batches: SharedBatches, service: RecordingService) -> None:
        service.open.set()
        asked = [name("a", 7), name("b", 1), [], name("c", 5)]
        assert await asyncio.gather(*map(batches.run, asked)) == asked

    service = in_batches(talk)
    assert sum(map(len, service.groups)) == 13
    assert service.health.in_flight == 0


def test_a_short_request_does_not_wait_for_all_of_a_long_one() -> None:
    async def talk(batches: SharedBatches, service: RecordingService) -> None:
        long = asyncio.create_task(batches.run(name("a", 40)))
        short = asyncio.create_task(batches.run(name("b", 2)))
        await asyncio.sleep(0.05)
        service.open.set()
        await short
        assert not long.done()
        await long

    service = in_batches(talk)
    places = [number for number, group in enumerate(service.groups) if set(group) & {b"b0", b"b1"}]
    assert max(places) <= 1
    assert max(map(len, service.groups)) <= 4


def test_notes_of_a_request_that_is_given_up_are_not_computed() -> None:
    async def talk(batches: SharedBatches, service: RecordingService) -> None:
        given_up = asyncio.create_task(batches.run(name("a", 40)))
        await asyncio.sleep(0.05)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        service.open.set()
        assert await batches.run(name("b", 2)) == name("b", 2)

    service = in_batches(talk)
    assert sum(map(len, service.groups)) < 20


def test_an_error_reaches_the_requests_of_its_group_and_no_others() -> None:
    async def talk(batches: SharedBatches, service: RecordingService) -> None:
        service.open.set()
        service.error = UntrustedStore("redis")
        with pytest.raises(UntrustedStore):
            await batches.run(name("a", 20))
        service.error = None
        assert await batches.run(name("b", 2)) == name("b", 2)

    service = in_batches(talk)
    assert sum(map(len, service.groups)) < 20
