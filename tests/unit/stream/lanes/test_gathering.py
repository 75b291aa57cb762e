"""Groups: taken at once while a lane is free, fuller and later under load."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from deidstream.stream.lanes.gathering import Arrivals, GatherRule

RULE = GatherRule(most=3, wait_seconds=10.0)


@dataclass(slots=True)
class Clock:
    """Tells the time that a test sets."""

    now: float = 100.0

    def read(self) -> float:
        return self.now


@dataclass(slots=True)
class Source:
    """Gives what a test puts in."""

    queue: asyncio.Queue[int | Exception | None] = field(
        default_factory=asyncio.Queue[int | Exception | None]
    )

    async def events(self) -> AsyncIterator[int]:
        while (item := await self.queue.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item

    async def give(self, *items: int | Exception | None) -> None:
        for item in items:
            self.queue.put_nowait(item)
        await settle()


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@dataclass(slots=True)
class Bench:
    """A source, a clock, and the earlier groups that are computed."""

    source: Source = field(default_factory=Source)
    clock: Clock = field(default_factory=Clock)
    computing: set[str] = field(default_factory=lambda: {"first", "second"})

    def arrivals(self) -> Arrivals[int]:
        return Arrivals(self.source.events(), RULE, self.computing, self.clock.read)


def run(check: Callable[[Bench, Arrivals[int]], Awaitable[None]]) -> None:
    async def checked() -> None:
        bench = Bench()
        async with bench.arrivals() as arrivals:
            await check(bench, arrivals)

    asyncio.run(asyncio.wait_for(checked(), 10))


def test_one_note_is_taken_at_once_by_an_idle_worker() -> None:
    async def check(bench: Bench, arrivals: Arrivals[int]) -> None:
        bench.computing.clear()
        await bench.source.give(1)
        assert await arrivals.take() == [1]

    run(check)


def test_a_busy_worker_waits_for_more_and_takes_a_full_group_at_once() -> None:
    async def check(bench: Bench, arrivals: Arrivals[int]) -> None:
        taking = asyncio.create_task(arrivals.take())
        await bench.source.give(1, 2)
        assert not taking.done()
        await bench.source.give(3, 4)
        assert await taking == [1, 2, 3]

    run(check)


def test_the_wait_ends_when_one_of_two_earlier_groups_is_computed() -> None:
    async def check(bench: Bench, arrivals: Arrivals[int]) -> None:
        taking = asyncio.create_task(arrivals.take())
        await bench.source.give(1)
        bench.computing.remove("first")
        arrivals.wake()
        assert await taking == [1]

    run(check)


def test_the_wait_ends_after_its_longest_time() -> None:
    async def check(bench: Bench, arrivals: Arrivals[int]) -> None:
        taking = asyncio.create_task(arrivals.take())
        await bench.source.give(1)
        bench.clock.now += 9.9
        await bench.source.give(2)
        assert not taking.done()
        bench.clock.now += 0.1
        arrivals.wake()
        assert await taking == [1, 2]

    run(check)


def test_no_more_than_one_group_is_read_ahead() -> None:
    async def check(bench: Bench, arrivals: Arrivals[int]) -> None:
        await bench.source.give(*range(10))
        assert bench.source.queue.qsize() == 10 - RULE.most
        assert await arrivals.take() == [0, 1, 2]
        await settle()
        assert await arrivals.take() == [3, 4, 5]

    run(check)


def test_after_the_end_of_the_source_the_rest_comes_and_then_nothing() -> None:
    async def check(bench: Bench, arrivals: Arrivals[int]) -> None:
        bench.computing.clear()
        await bench.source.give(1, None)
        assert await arrivals.take() == [1]
        assert await arrivals.take() == []

    run(check)


def test_what_the_source_raises_is_raised_after_what_it_gave() -> None:
    async def check(bench: Bench, arrivals: Arrivals[int]) -> None:
        bench.computing.clear()
        await bench.source.give(1, ValueError("planted"))
        assert await arrivals.take() == [1]
        with pytest.raises(ValueError, match="planted"):
            await arrivals.take()

    run(check)


def test_reading_ends_with_the_body() -> None:
    async def checked() -> None:
        bench = Bench()
        async with bench.arrivals():
            await bench.source.give(1)
        await bench.source.give(2)
        assert bench.source.queue.qsize() == 1

    asyncio.run(checked())


def test_what_is_put_back_comes_again_before_what_was_read_since() -> None:
    async def check(bench: Bench, arrivals: Arrivals[int]) -> None:
        await bench.source.give(1, 2, 3)
        assert await arrivals.take() == [1, 2, 3]
        await bench.source.give(4)
        arrivals.put_back([2, 3])
        assert await arrivals.take() == [2, 3, 4]

    run(check)


def test_a_group_has_no_more_than_the_most_though_many_were_put_back() -> None:
    async def check(_: Bench, arrivals: Arrivals[int]) -> None:
        arrivals.put_back(range(4))
        assert await arrivals.take() == [0, 1, 2]
        arrivals.computing = ()
        arrivals.wake()
        assert await arrivals.take() == [3]

    run(check)
