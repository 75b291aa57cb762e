"""A Redis that refuses is told from one that is away."""

import asyncio
from pathlib import Path

import pytest
import redis as blocking

from deidstream.schemas.errors import DeidError, InvalidSettings, Unavailable
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.schemas.wire import encode_note
from deidstream.stream.observing.logs import FIELD
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.pipeline import service
from support.ports import free_port
from support.redis_server import running_redis
from support.reversible_site import TEXT, quick

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


def replace_hashes(url: str, pattern: str) -> None:
    with blocking.Redis.from_url(url) as client:
        for name in list(client.scan_iter(pattern)):
            client.delete(name)
            client.set(name, "of something else")


@pytest.mark.usefixtures("expects_errors")
def test_a_name_of_another_type_holds_back_its_own_patient_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    notes = [encode_note(RawNote(f"n{n}", f"P{n % 2}", TEXT)) for n in range(6)]

    async def run(url: str) -> list[Outcome]:
        store = RedisSurrogateStore.connect(url)
        site = service(quick())
        site.store = store
        try:
            first = await site.run(notes[:1])
            assert isinstance(first[0], Anonymized)
            replace_hashes(url, "deid:of:*")
            return await asyncio.wait_for(site.run(notes[1:]), 20)
        finally:
            await store.close()

    with running_redis(tmp_path) as server:
        outcomes = asyncio.run(run(server.url))
    ends = [one.reason if isinstance(one, Failed) else "out" for one in outcomes]
    assert ends == ["out", "STAGE_FAILED", "out", "STAGE_FAILED", "out"]
    named = [vars(one)[FIELD] for one in caplog.records if one.msg == "redis-wrong-type"]
    assert {one["name"][:8] for one in named} == {"deid:of:"}


@pytest.mark.usefixtures("expects_errors")
def test_a_common_name_of_another_type_is_a_wrong_setting(tmp_path: Path) -> None:
    async def recall(url: str) -> None:
        store = RedisSurrogateStore.connect(url)
        try:
            await store.claim([(bytes(20), b"value")])
            replace_hashes(url, "deid:marks")
            for ask in (store.recall([bytes(20)]), store.claim([(bytes(20), b"value")])):
                with pytest.raises(InvalidSettings, match="deid:marks holds a value"):
                    await ask
        finally:
            await store.close()

    with running_redis(tmp_path) as server:
        asyncio.run(recall(server.url))


def test_nobody_at_the_port_is_an_outage() -> None:
    assert isinstance(pinged(f"redis://127.0.0.1:{free_port()}/0"), Unavailable)
