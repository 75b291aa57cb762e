"""Batches run beside one another, in order, and never more than a few."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from deidstream.stream.lanes.batch_order import BatchOrder, EarlierBatches, cancel_all

Batch = Callable[[EarlierBatches], Coroutine[Any, Any, int]]


def batch(number: int, seen: list[str], free: asyncio.Event) -> Batch:
    async def run(earlier: EarlierBatches) -> int:
        seen.append(f"begun {number}")
        await free.wait()
        await earlier.wait()
        seen.append(f"claimed {number}")
        return number

    return run


def test_a_later_batch_waits_for_the_earlier_one() -> None:
    async def run() -> list[str]:
        seen, order, events = list[str](), BatchOrder(2), [asyncio.Event(), asyncio.Event()]
        tasks = [await order.start(batch(n, seen, events[n])) for n in (0, 1)]
        events[1].set()
        await asyncio.sleep(0.01)
        assert seen == ["begun 0", "begun 1"]
        events[0].set()
        assert [await task for task in tasks] == [0, 1]
        return seen

    assert asyncio.run(run())[2:] == ["claimed 0", "claimed 1"]


def test_no_more_than_the_most_are_in_work() -> None:
    async def run() -> None:
        order, seen, free = BatchOrder(2), list[str](), asyncio.Event()

        async def start(count: int) -> list[asyncio.Task[int]]:
            return [await order.start(batch(number, seen, free)) for number in range(count)]

        starting = asyncio.create_task(start(5))
        await asyncio.sleep(0.01)
        assert seen == ["begun 0", "begun 1"]
        free.set()
        assert [await task for task in await starting] == [0, 1, 2, 3, 4]

    asyncio.run(run())


@pytest.mark.parametrize("way", ["cancelled", "failed"])
def test_a_batch_that_ends_badly_holds_up_no_other(way: str) -> None:
    async def run() -> int:
        order, seen, never, free = BatchOrder(1), list[str](), asyncio.Event(), asyncio.Event()
        free.set()

        async def fail(_: EarlierBatches) -> int:
            raise ValueError

        first = await order.start(batch(0, seen, never) if way == "cancelled" else fail)
        if way == "cancelled":
            await cancel_all([first])
        second = await order.start(batch(1, seen, free))
        await asyncio.gather(first, return_exceptions=True)
        return await second

    assert asyncio.run(asyncio.wait_for(run(), 5)) == 1


def test_a_cancelled_batch_does_not_let_the_next_pass_the_one_before_it() -> None:
    async def run() -> list[str]:
        order, seen, free, never = BatchOrder(2), list[str](), asyncio.Event(), asyncio.Event()
        now = asyncio.Event()
        now.set()
        first = await order.start(batch(0, seen, free))
        await cancel_all([await order.start(batch(1, seen, never))])
        third = await order.start(batch(2, seen, now))
        await asyncio.sleep(0.01)
        assert "claimed 2" not in seen
        free.set()
        await asyncio.gather(first, third)
        return [line for line in seen if line.startswith("claimed")]

    assert asyncio.run(run()) == ["claimed 0", "claimed 2"]
