"""A Redis that refuses is told from one that is away."""

import asyncio
from pathlib import Path

import pytest
import redis as blocking

from deidstream.schemas.errors import DeidError, InvalidSettings, Unavailable
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.ports import free_port
from support.redis_server import running_redis

pytestmark = pytest.mark.broker


def pinged(url: str) -> DeidError | None:
    async def body() -> None:
        store = RedisSurrogateStore.connect(url)
        try:
            await store.ping()
        finally:
            await store.close()

    try:
        asyncio.run(body())
    except DeidError as error:
        return error
    return None


def test_a_wrong_password_is_a_wrong_setting(tmp_path: Path) -> None:
    with running_redis(tmp_path) as server, blocking.Redis.from_url(server.url) as client:
        client.config_set("requirepass", "right")
        assert pinged(server.url.replace("redis://", "redis://:right@")) is None
        assert isinstance(pinged(server.url), InvalidSettings)
        refused = pinged(server.url.replace("redis://", "redis://:secret@"))
    assert isinstance(refused, InvalidSettings)
    assert "user or the password" in str(refused)
    assert "secret" not in str(refused)


def test_a_user_that_does_not_exist_is_a_wrong_setting(redis_url: str) -> None:
    assert isinstance(pinged(redis_url.replace("redis://", "redis://no:secret@")), InvalidSettings)


def test_nobody_at_the_port_is_an_outage() -> None:
    assert isinstance(pinged(f"redis://127.0.0.1:{free_port()}/0"), Unavailable)
