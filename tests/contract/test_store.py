"""What every surrogate store keeps to; one body, in memory, embedded and real."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import TypeVar

import pytest

from deidstream.agents.runtime.connections import connect_store
from deidstream.agents.settings import RedisSettings
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.schemas.ports import SurrogateStore
from deidstream.stream.redis.embedded import EmbeddedRedis
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore

T = TypeVar("T")
Use = Callable[[Callable[[SurrogateStore], Coroutine[None, None, T]]], T]


@pytest.fixture(scope="module")
def embedded() -> Iterator[EmbeddedRedis]:
    server = EmbeddedRedis.start()
    yield server
    server.stop()


@pytest.fixture(
    params=["memory", pytest.param("embedded"), pytest.param("real", marks=pytest.mark.broker)]
)
def use(request: pytest.FixtureRequest) -> Use[object]:
    """Run a test's body with a fresh connection."""
    if request.param == "memory":
        return lambda body: asyncio.run(body(MemorySurrogateStore()))
    if request.param == "embedded":
        server: EmbeddedRedis = request.getfixturevalue("embedded")
        return lambda body: asyncio.run(_connected(server.url, body))
    url: str = request.getfixturevalue("redis_url")
    return lambda body: asyncio.run(_connected(url, body))


async def _connected(url: str, body: Callable[[SurrogateStore], Coroutine[None, None, T]]) -> T:
    store = RedisSurrogateStore.connect(url)
    await store.client.flushdb()
    try:
        return await body(store)
    finally:
        await store.close()


def test_an_unknown_name_has_no_value(use: Use[object]) -> None:
    async def body(store: SurrogateStore) -> object:
        return await store.recall([b"a", b"b"])

    assert use(body) == [None, None]


def test_what_was_claimed_is_recalled_in_order(use: Use[object]) -> None:
    async def body(store: SurrogateStore) -> object:
        await store.claim([(b"a", b"1"), (b"b", b"\x00\xff")])
        return await store.recall([b"b", b"x", b"a"])

    assert use(body) == [b"\x00\xff", None, b"1"]


def test_the_first_to_claim_wins_and_everybody_learns_it(use: Use[object]) -> None:
    async def body(store: SurrogateStore) -> object:
        first = await store.claim([(b"a", b"1")])
        second = await store.claim([(b"a", b"2"), (b"b", b"3")])
        return [first, second, await store.recall([b"a", b"b"])]

    assert use(body) == [[b"1"], [b"1", b"3"], [b"1", b"3"]]


def test_claiming_the_same_again_changes_nothing(use: Use[object]) -> None:
    async def body(store: SurrogateStore) -> object:
        return [await store.claim([(b"a", b"1")]) for _ in range(3)]

    assert use(body) == [[b"1"]] * 3


def test_racing_claims_agree(use: Use[object]) -> None:
    names = [str(number).encode() for number in range(200)]

    async def body(store: SurrogateStore) -> object:
        one, two = await asyncio.gather(
            store.claim([(name, b"one") for name in names]),
            store.claim([(name, b"two") for name in names]),
        )
        assert one == two
        return await store.recall(names) == one

    assert use(body) is True


def test_nothing_is_asked_for_nothing(use: Use[object]) -> None:
    async def body(store: SurrogateStore) -> object:
        return [await store.recall([]), await store.claim([])]

    assert use(body) == [[], []]


def test_names_of_one_owner_and_of_many_are_recalled_in_order(use: Use[object]) -> None:
    owners = [bytes([number]) * 16 for number in range(5)]
    names = [owner + bytes([item]) * 16 for item in range(5) for owner in owners]

    async def body(store: SurrogateStore) -> object:
        claimed = await store.claim([(name, name[::-1]) for name in names])
        asked = [*reversed(names), b"unknown", *names]
        return [claimed, await store.recall(asked)]

    values = [name[::-1] for name in names]
    assert use(body) == [values, [*reversed(values), None, *values]]


def test_an_owner_is_forgotten_and_no_other(use: Use[object]) -> None:
    one, two = b"1" * 16, b"2" * 16

    async def body(store: SurrogateStore) -> object:
        assert isinstance(store, MemorySurrogateStore | RedisSurrogateStore)
        await store.claim([(owner + item, b"v") for owner in (one, two) for item in (b"a", b"b")])
        gone = [await store.forget([one, b"3" * 16]), await store.forget([one])]
        return [gone, await store.recall([one + b"a", one + b"b", two + b"a", two + b"b"])]

    assert use(body) == [[2, 0], [None, None, b"v", b"v"]]


def test_what_was_forgotten_can_be_claimed_anew(use: Use[object]) -> None:
    async def body(store: SurrogateStore) -> object:
        assert isinstance(store, MemorySurrogateStore | RedisSurrogateStore)
        await store.claim([(b"1" * 32, b"old")])
        await store.forget([b"1" * 16])
        return await store.claim([(b"1" * 32, b"new")])

    assert use(body) == [b"new"]


def test_a_redis_that_is_away_is_unavailable() -> None:
    store = RedisSurrogateStore.connect("redis://127.0.0.1:1/0")

    async def body() -> None:
        with pytest.raises(Unavailable) as caught:
            await store.claim([(b"name", b"value")])
        assert "name" not in str(caught.value)
        await store.close()

    asyncio.run(body())


@pytest.mark.broker
def test_a_redis_that_evicts_under_us_is_unavailable_and_not_a_second_mapping(
    redis_url: str,
) -> None:
    async def body(store: SurrogateStore) -> None:
        assert isinstance(store, RedisSurrogateStore)
        await store.client.config_set("maxmemory", "1")
        try:
            with pytest.raises(Unavailable):
                await store.claim([(b"new", b"1")])
        finally:
            await store.client.config_set("maxmemory", "0")

    asyncio.run(_connected(redis_url, body))


def test_a_url_that_was_not_read_before_is_refused_with_its_mistake() -> None:
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_REDIS_URL: must name a host"):
        connect_store(RedisSettings(url="redis://one,two/0"))
