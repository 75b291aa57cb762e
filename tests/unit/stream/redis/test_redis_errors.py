"""What Redis or its absence means, in words, with the address and without the password."""

import asyncio

import pytest
from redis.exceptions import AuthenticationError, BusyLoadingError, RedisError, ResponseError
from redis.exceptions import ConnectionError as Disconnected

from deidstream.schemas.errors import DeidError, InvalidSettings, Unavailable
from deidstream.stream.redis.redis_client import redis_client
from deidstream.stream.redis.redis_errors import explain_error
from deidstream.stream.redis.reversible_store import ReversibleStore
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.certificates import distrust
from support.ports import LOOPBACK, free_port

OUT = "r:1 answers with an error"
URL = "DEIDSTREAM_REDIS_URL"
STORES = [RedisSurrogateStore, ReversibleStore]


def pinged(url: str, kind: type[RedisSurrogateStore | ReversibleStore]) -> DeidError:
    async def body() -> None:
        store = kind.connect(url)
        try:
            await store.ping()
        finally:
            await store.close()

    with pytest.raises(DeidError) as raised:
        asyncio.run(body())
    return raised.value


@pytest.mark.parametrize("kind", STORES)
@pytest.mark.parametrize(
    ("at", "url", "why"),
    [
        ("nowhere.invalid:6379", "redis://u:secret@nowhere.invalid", "the host name is not known"),
        (f"{LOOPBACK}:%d", f"redis://u:secret@{LOOPBACK}:%d/0", "nothing listens there"),
        ("/nowhere/redis.sock", "unix:///nowhere/redis.sock", "No such file or directory"),
    ],
)
def test_an_absence_is_said_with_its_address(
    kind: type[RedisSurrogateStore], at: str, url: str, why: str
) -> None:
    port = free_port()
    error = pinged(url.replace("%d", str(port)), kind)
    assert isinstance(error, Unavailable)
    said = str(error)
    assert f": {at.replace('%d', str(port))}: {why}; start Redis, or set DEIDSTREAM_RE" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (AuthenticationError("secret"), InvalidSettings, "the user or the password in it (at r:1)"),
        (
            ResponseError("WRONGTYPE Operation"),
            Unavailable,
            f"{OUT} (WRONGTYPE)",
        ),
        (BusyLoadingError("secret x"), Unavailable, f"{OUT} (BusyLoadingError)"),
        (distrust(), InvalidSettings, "not trusted (at r:1)"),
        (Disconnected("secret"), Unavailable, "r:1: the connection was closed"),
    ],
)
def test_each_error_has_its_words(error: RedisError, kind: type[DeidError], words: str) -> None:
    found = explain_error(error, URL, redis_client("redis://u:secret@r:1/0"))
    assert type(found) is kind
    assert words in str(found)
    assert "secret" not in str(found)


def test_the_service_is_named_alone_in_the_middle_of_work() -> None:
    found = explain_error(Disconnected("secret"), URL)
    assert (str(found), vars(found)["service"]) == ("cannot reach redis", "redis")
