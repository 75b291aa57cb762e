"""The guard and a real Redis: what it refuses, reports and notices."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
import redis as blocking
from redis.asyncio import Redis as Client

from deidstream.agents.runtime.guards.redis_guard import RedisGuard
from deidstream.agents.runtime.root_keys import RootKeys, seal_canary
from deidstream.schemas.errors import InvalidSettings, UntrustedStore
from deidstream.stream.observing import metrics
from deidstream.stream.redis.redis_checks import Fault, faults
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from deidstream.stream.redis.watermark import Watermark
from support.redis_server import Redis, running_redis

pytestmark = pytest.mark.broker
KEYS = RootKeys(2, {1: bytes(range(32)), 2: bytes(range(1, 33))})
NAMES = [bytes([number]) * 32 for number in range(10)]
Make = Callable[..., RedisGuard]


@dataclass(frozen=True, slots=True)
class Rig:
    redis: Redis
    state: Path

    def guard(
        self, *, random: bool = True, keys: RootKeys = KEYS, epoch_notes: int = 0
    ) -> RedisGuard:
        """A worker's guard, as after a start."""
        mark = Watermark.on_disk(self.state, strict=random)
        store = RedisSurrogateStore.connect(self.redis.url, mark)
        return RedisGuard(store, keys, random, self.state, epoch_notes=epoch_notes)

    def saved(self, to: Path) -> None:
        """Stop Redis and copy all it has on disk."""
        self.redis.stop()
        shutil.copytree(self.redis.home, to)
        self.redis.start()

    def restored(self, saved: Path) -> None:
        """Stop Redis and bring back what was copied."""
        self.redis.stop()
        shutil.rmtree(self.redis.home)
        shutil.copytree(saved, self.redis.home)
        self.redis.start()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    (tmp_path / "redis").mkdir()
    options = ("--appendfsync", "always")
    with running_redis(tmp_path / "redis", appendonly=True, options=options) as server:
        yield Rig(server, tmp_path / "state")


def claimed(guard: RedisGuard, value: bytes) -> list[bytes]:
    """Claim all names, as a worker does: after it has recalled them."""

    async def body() -> list[bytes]:
        try:
            await guard.store.recall(NAMES)
            return await guard.store.claim([(name, value) for name in NAMES])
        finally:
            await guard.store.close()

    return asyncio.run(body())


def admitted(guard: RedisGuard) -> None:
    async def body() -> None:
        try:
            await guard.admit()
        finally:
            await guard.store.close()

    asyncio.run(body())


def gone(guard: RedisGuard) -> None:
    """End a worker: whoever starts next may take its place."""
    assert guard.store.watermark.file
    guard.store.watermark.file.release()


def found(url: str) -> set[Fault]:
    async def body() -> set[Fault]:
        client = Client.from_url(url)
        try:
            return set(await faults(client))
        finally:
            await client.aclose()

    return asyncio.run(body())


def test_one_that_keeps_everything_is_admitted_in_both_modes(rig: Rig) -> None:
    for random in (True, False):
        guard = rig.guard(random=random)
        admitted(guard)
        assert guard.seen == set()


def test_one_that_evicts_is_refused_in_mode_random_alone(rig: Rig) -> None:
    with blocking.Redis.from_url(rig.redis.url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
    with pytest.raises(UntrustedStore, match="noeviction"):
        admitted(rig.guard())
    guard = rig.guard(random=False)
    admitted(guard)
    assert guard.seen == {Fault.EVICTS}
    assert metrics.REGISTRY.get_sample_value("deid_redis_fault", {"fault": "evicts"}) == 1


def test_one_that_keeps_nothing_is_refused_in_mode_random_alone(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "volatile").mkdir()
    with running_redis(tmp_path / "volatile") as server:
        volatile = Rig(server, rig.state)
        with pytest.raises(UntrustedStore, match="appendonly"):
            admitted(volatile.guard())
        admitted(volatile.guard(random=False))


def test_one_that_begins_to_evict_is_noticed_while_the_worker_runs(rig: Rig) -> None:
    guard = rig.guard()

    async def body() -> None:
        await guard.admit()
        await guard.store.client.config_set("maxmemory-policy", "volatile-lru")
        with pytest.raises(UntrustedStore):
            await guard.check()
        await guard.store.client.config_set("maxmemory-policy", "noeviction")
        await guard.check()
        await guard.store.close()

    asyncio.run(body())


def test_a_redis_restored_from_an_old_state_stops_the_worker_that_runs(
    rig: Rig, tmp_path: Path
) -> None:
    guard = rig.guard()
    claimed(guard, b"early")
    rig.saved(tmp_path / "backup")
    claimed(guard, b"later")
    rig.restored(tmp_path / "backup")
    before = metrics.value("deid_redis_lost_total")
    with pytest.raises(UntrustedStore):
        claimed(guard, b"second mapping")
    assert metrics.value("deid_redis_lost_total") == before + 1
    assert claimed_in(rig.redis) == {b"early"}


def test_a_redis_restored_from_an_old_state_does_not_admit_the_next_worker(
    rig: Rig, tmp_path: Path
) -> None:
    first, second = rig.guard(), rig.guard()
    claimed(first, b"early")
    rig.saved(tmp_path / "backup")
    claimed(second, b"later")
    gone(first)
    gone(second)
    rig.restored(tmp_path / "backup")
    # The next worker has the place of the first, whose claims are all there; not so the second's.
    with pytest.raises(UntrustedStore, match="older state"):
        admitted(rig.guard())


def test_claims_of_others_do_not_hide_what_was_lost(rig: Rig, tmp_path: Path) -> None:
    mine = rig.guard()
    claimed(mine, b"early")
    rig.saved(tmp_path / "backup")
    claimed(mine, b"later")
    rig.restored(tmp_path / "backup")
    other = RedisSurrogateStore.connect(rig.redis.url)
    for _ in range(20):
        claimed(RedisGuard(other, KEYS, random=True), b"busy")
    with pytest.raises(UntrustedStore):
        claimed(mine, b"second mapping")


def test_a_redis_that_was_killed_and_kept_all_is_admitted(rig: Rig) -> None:
    guard = rig.guard()
    claimed(guard, b"early")
    rig.redis.kill9()
    rig.redis.start()
    assert claimed(guard, b"later") == [b"early"] * len(NAMES)
    gone(guard)
    admitted(rig.guard())


def test_an_empty_redis_is_not_taken_for_the_old_one(rig: Rig) -> None:
    guard = rig.guard()
    claimed(guard, b"early")
    gone(guard)
    with blocking.Redis.from_url(rig.redis.url) as client:
        client.flushall()
    with pytest.raises(UntrustedStore):
        admitted(rig.guard())


def test_mode_prf_goes_on_after_a_flush(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    guard = rig.guard(random=False)
    claimed(guard, b"derived")
    with blocking.Redis.from_url(rig.redis.url) as client:
        client.flushall()
    assert claimed(guard, b"derived") == [b"derived"] * len(NAMES)
    assert [record.msg for record in caplog.records] == ["redis-went-back"]
    admitted(guard)


@pytest.mark.parametrize("random", [True, False])
def test_a_former_key_version_is_refused_once_the_next_is_in_use(rig: Rig, *, random: bool) -> None:
    former = RootKeys(1, {1: KEYS.roots[1]})
    running = rig.guard(keys=former, random=random)
    admitted(running)
    admitted(rig.guard(random=random))
    with pytest.raises(InvalidSettings, match="Redis was filled under version 2"):
        admitted(rig.guard(keys=former, random=random))

    async def check() -> None:
        again = rig.guard(keys=former, random=random)
        await again.check()
        await again.store.close()

    asyncio.run(check())
    admitted(rig.guard(random=random))


@pytest.mark.parametrize("random", [True, False])
def test_another_key_of_the_same_version_is_refused_in_both_modes(
    rig: Rig, *, random: bool
) -> None:
    admitted(rig.guard(random=random))
    other = RootKeys(2, {1: KEYS.roots[1], 2: b"x" * 31 + b"y"})
    with pytest.raises(UntrustedStore, match="restore that key file"):
        admitted(rig.guard(keys=other, random=random))


def test_of_two_keys_that_start_at_once_one_is_refused(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lose_the_race(guard: RedisGuard) -> None:
        await guard.store.canary(1, seal_canary(KEYS.roots[1], 1))

    monkeypatch.setattr(RedisGuard, "check", lose_the_race)
    with pytest.raises(UntrustedStore, match="another key"):
        admitted(rig.guard(random=False, keys=RootKeys(1, {1: b"x" * 31 + b"y"})))


def test_an_older_key_that_is_wrong_is_noticed(rig: Rig) -> None:
    admitted(rig.guard(keys=RootKeys(1, {1: KEYS.roots[1]})))
    admitted(rig.guard())
    with pytest.raises(UntrustedStore, match="another key"):
        admitted(rig.guard(keys=RootKeys(2, {1: b"x" * 31 + b"y", 2: KEYS.roots[2]})))


def test_an_epoch_has_its_notes_and_no_more(rig: Rig) -> None:
    guard = rig.guard(random=False, epoch_notes=10)

    async def body() -> None:
        await guard.admit()
        metrics.count("deid_notes_total", "emitted", by=11)
        with pytest.raises(UntrustedStore, match="EPOCH"):
            await guard.check()
        await guard.store.close()

    asyncio.run(body())


def test_a_user_of_few_rights_is_enough(rig: Rig) -> None:
    limited = rig.redis.url.replace("redis://", "redis://worker:secret@")
    rights = "~deid:* -@all +hget +hmget +hsetnx +hincrby +get +set +wait +ping +info"
    with blocking.Redis.from_url(rig.redis.url) as client:
        client.execute_command("ACL", "SETUSER", "worker", "on", ">secret", *rights.split())
    store = RedisSurrogateStore.connect(limited, Watermark.on_disk(rig.state, strict=True))
    guard = RedisGuard(store, KEYS, random=True, folder=rig.state, epoch_notes=10)

    async def body() -> list[bytes]:
        await guard.admit()
        won = await store.claim([(NAMES[0], b"value")])
        with pytest.raises(InvalidSettings, match="lacks a right"):
            await store.forget([NAMES[0][:16]])
        await store.close()
        return won

    assert asyncio.run(body()) == [b"value"]


def claimed_in(server: Redis) -> set[bytes]:
    """Every value that Redis keeps under a name."""
    with blocking.Redis.from_url(server.url) as client:
        values = (client.hvals(key) for key in client.scan_iter("deid:of:*"))
        return {cast("bytes", value) for some in values for value in some}
