"""The circuit breaker: closed, open, half open."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from deidstream.schemas.errors import Unavailable, UntrustedStore
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from deidstream.stream.retrying.breaker import Breaker, BreakerState, GuardedStore
from deidstream.stream.retrying.retry import Backoff

QUICK = Backoff(0.001, 0.002)


@dataclass(slots=True)
class Asked:
    """A service that answers or not, and how often it was asked."""

    away: bool = True
    times: int = 0

    async def __call__(self) -> str:
        self.times += 1
        if self.away:
            raise Unavailable("redis")  # noqa: EM101
        return "there"


@dataclass(slots=True)
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(slots=True)
class Rig:
    asked: Asked = field(default_factory=Asked)
    clock: Clock = field(default_factory=Clock)
    breaker: Breaker = field(init=False)

    def __post_init__(self) -> None:
        self.breaker = Breaker("redis", 2, Backoff(0.001, 8), self.clock)

    async def call(self, ask: Callable[[], Awaitable[str]] | None = None) -> str:
        return await self.breaker.call(ask or self.asked)

    async def fail(self) -> None:
        with pytest.raises(Unavailable):
            await self.call()


def test_a_short_absence_does_not_open_it() -> None:
    rig = Rig()

    async def second_time() -> str:
        rig.asked.times += 1
        if rig.asked.times == 1:
            raise Unavailable("redis")  # noqa: EM101
        return "there"

    assert asyncio.run(rig.call(second_time)) == "there"
    assert rig.breaker.state is BreakerState.CLOSED


def test_while_it_is_open_nobody_is_asked() -> None:
    rig = Rig()

    async def body() -> None:
        for _ in range(50):
            await rig.fail()

    asyncio.run(body())
    assert rig.breaker.state is BreakerState.OPEN
    assert rig.asked.times == 2


def test_when_it_is_due_one_alone_asks_and_all_go_through_again() -> None:
    rig = Rig()

    async def body() -> list[object]:
        await rig.fail()
        rig.clock.now, rig.asked.away = 60.0, False
        gate = asyncio.Event()

        async def slow() -> str:
            await gate.wait()
            return await rig.asked()

        first = asyncio.create_task(rig.call(slow))
        await asyncio.sleep(0)
        assert rig.breaker.state is BreakerState.HALF_OPEN
        await rig.fail()
        gate.set()
        return [await first, await rig.call()]

    assert asyncio.run(body()) == ["there", "there"]
    assert rig.breaker.state is BreakerState.CLOSED


def test_it_stays_open_longer_each_time() -> None:
    rig = Rig()
    waits: list[float] = []

    async def body() -> None:
        for _ in range(12):
            await rig.fail()
            start = rig.clock.now
            asked = rig.asked.times
            while rig.asked.times == asked:
                rig.clock.now += 0.0005
                await rig.fail()
            waits.append(rig.clock.now - start)

    asyncio.run(body())
    assert waits[0] < 0.003
    assert 0.2 < waits[-2] <= 8.1


def test_one_who_asks_and_is_cancelled_leaves_it_open() -> None:
    rig = Rig()

    async def body() -> None:
        await rig.fail()
        rig.clock.now = 60.0
        task = asyncio.create_task(rig.call(asyncio.Event().wait))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(body())
    assert rig.breaker.state is BreakerState.OPEN


def test_what_is_refused_comes_through_and_closes_it() -> None:
    rig = Rig()

    async def refused() -> str:
        raise UntrustedStore("redis")  # noqa: EM101

    async def body() -> None:
        await rig.fail()
        rig.clock.now = 60.0
        with pytest.raises(UntrustedStore):
            await rig.call(refused)

    asyncio.run(body())
    assert rig.breaker.state is BreakerState.CLOSED


def test_opening_and_closing_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    rig = Rig()

    async def body() -> None:
        for _ in range(5):
            await rig.fail()
            rig.clock.now += 60
        rig.asked.away = False
        await rig.call()

    with caplog.at_level(logging.INFO, "deidstream"):
        asyncio.run(body())
    assert [record.msg for record in caplog.records] == ["breaker-open", "breaker-closed"]


def test_a_guarded_store_is_the_store() -> None:
    store = GuardedStore(MemorySurrogateStore(), Breaker("redis", backoff=QUICK))

    async def body() -> list[object]:
        return [await store.claim([(b"a", b"1")]), await store.recall([b"a", b"b"])]

    assert asyncio.run(body()) == [[b"1"], [b"1", None]]
