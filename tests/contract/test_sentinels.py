"""Surrogates in a Redis whose primary changes: real servers, and real Sentinels."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.connections import connect_store
from deidstream.agents.runtime.guards.redis_guard import connect_guard
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.redis.redis_checks import Fault
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.certificates import Authority
from support.ports import LOOPBACK, free_port
from support.processes import start
from support.redis_sentinels import SERVICE, SentinelService, running_sentinels
from support.redis_server import running_redis

pytestmark = pytest.mark.broker
T = TypeVar("T")
LOGIN = "drawn"
OWNER = bytes(range(32))
PATIENCE = 30.0


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentinelService]:
    with running_sentinels(tmp_path_factory.mktemp("service"), login=LOGIN) as running:
        yield running


def store_of(url: str, **more: str) -> RedisSurrogateStore:
    given = {"url": url, **more}
    return connect_store(
        read_settings(
            {f"DEIDSTREAM_REDIS_{name.upper()}": value for name, value in given.items()}
        ).redis
    )


def run(store: RedisSurrogateStore, body: Callable[[RedisSurrogateStore], Awaitable[T]]) -> T:
    async def closing() -> T:
        try:
            return await body(store)
        finally:
            await store.close()

    return asyncio.run(closing())


async def retrying(call: Callable[[], Awaitable[T]]) -> T:
    """Call until Redis is there again."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return await call()
        except Unavailable:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.1)


def test_a_store_follows_the_primary_and_its_replica_has_every_claim(
    service: SentinelService,
) -> None:
    names = [OWNER + bytes([number]) for number in range(200)]

    async def body(store: RedisSurrogateStore) -> tuple[list[bytes], list[bytes | None]]:
        claimed = [(await store.claim([(name, name[-1:])]))[0] for name in names]
        killed = await asyncio.to_thread(service.fail_over)
        found = await retrying(lambda: store.recall(names))
        await asyncio.to_thread(service.return_as_replica, killed)
        # The client that has seen the failover writes to the new primary.
        fresh = await retrying(lambda: store.claim([(OWNER + b"fresh", b"value")]))
        assert fresh == [b"value"]
        return claimed, found

    claimed, found = run(store_of(service.url, replicas="1"), body)
    assert found == claimed


def test_a_claim_that_no_replica_has_does_not_count(service: SentinelService) -> None:
    replicas = service.replicas()
    for replica in replicas:
        replica.stop()

    async def body(store: RedisSurrogateStore) -> None:
        with pytest.raises(Unavailable, match="DEIDSTREAM_REDIS_REPLICAS"):
            await store.claim([(OWNER + b"alone", b"value")])
        assert store.watermark.claims == 0

    run(store_of(service.url, replicas="1"), body)

    async def without(store: RedisSurrogateStore) -> list[bytes]:
        return await store.claim([(OWNER + b"alone", b"other")])

    # It was written, so that the same claim made again finds it.
    assert run(store_of(service.url), without) == [b"value"]
    for replica in replicas:
        service.return_as_replica(replica)


@pytest.mark.parametrize("mode", ["random", "prf"])
def test_surrogates_that_a_failover_may_lose_are_refused_where_nothing_else_has_them(
    service: SentinelService, tmp_path: Path, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "key"
    assert main(["keys", "new", str(key)]) == 0
    given = {
        "DEIDSTREAM_KEY_FILE": str(key),
        "DEIDSTREAM_REDIS_URL": service.url,
        "DEIDSTREAM_REDIS_MODE": mode,
        "DEIDSTREAM_REDIS_STATE": str(tmp_path / "state"),
    }

    async def find(replicas: str) -> tuple[frozenset[Fault], frozenset[Fault]]:
        settings = read_settings({**given, "DEIDSTREAM_REDIS_REPLICAS": replicas})
        guard = connect_guard(settings, writes=False)
        try:
            found = await retrying(guard.find_faults)
            return found, found & guard.fatal
        finally:
            await guard.store.close()

    found, fatal = asyncio.run(find("0"))
    assert Fault.UNREPLICATED in found
    assert (Fault.UNREPLICATED in fatal) == (mode == "random")
    assert Fault.UNREPLICATED not in asyncio.run(find("1"))[0]
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert main(["vault", "check"]) == (78 if mode == "random" else 0)


def test_sentinels_that_are_away_are_named_within_ten_seconds() -> None:
    ports = free_port(), free_port()
    url = f"redis+sentinel://{LOOPBACK}:{ports[0]},{LOOPBACK}:{ports[1]}/{SERVICE}"
    begun = time.monotonic()
    with pytest.raises(Unavailable) as refusal:
        run(store_of(url), lambda store: store.ping())
    assert time.monotonic() - begun < 10.0
    said = str(refusal.value)
    assert SERVICE in said
    assert all(f"{LOOPBACK}:{port}" in said for port in ports)


def test_a_service_that_sentinels_do_not_know_is_named(service: SentinelService) -> None:
    url = service.url.replace(SERVICE, "elsewhere")
    with pytest.raises(Unavailable, match=r"the primary of elsewhere.*they know none that is up"):
        run(store_of(url), lambda store: store.ping())


def test_a_wrong_password_of_sentinels_is_said(service: SentinelService) -> None:
    url = service.url.replace(LOGIN, "another")
    with pytest.raises(InvalidSettings, match="user or the password"):
        run(store_of(url), lambda store: store.ping())


def test_sentinels_and_primary_may_speak_tls(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "authority")
    file, port, watched = authority.issue("redis"), free_port(), free_port()
    files = {"ca-cert-file": authority.ca, "cert-file": file, "key-file": file}
    tls = {**files, "port": port, "replication": "yes", "auth-clients": "no"}
    options = [word for name, value in tls.items() for word in (f"--tls-{name}", str(value))]
    lines = [f"tls-{name} {value}" for name, value in {**tls, "port": watched}.items()]
    watches = f"sentinel monitor {SERVICE} {LOOPBACK} {port} 1"
    settings = tmp_path / "sentinel.conf"
    settings.write_text("\n".join([*lines, "port 0", f"dir {tmp_path}", watches]) + "\n")
    url = f"rediss+sentinel://{LOOPBACK}:{watched}/{SERVICE}/0"

    async def claim(store: RedisSurrogateStore) -> list[bytes]:
        return await retrying(lambda: store.claim([(OWNER + b"tls", b"value")]))

    (tmp_path / "server").mkdir()
    with running_redis(tmp_path / "server", options=tuple(options)):
        words = ("redis-server", str(settings), "--sentinel")
        sentinel = start(words, log=tmp_path / "sentinel.log", cwd=tmp_path)
        try:
            assert run(store_of(url, tls_ca=str(authority.ca)), claim) == [b"value"]
            other = Authority(tmp_path / "other")
            with pytest.raises(InvalidSettings, match="DEIDSTREAM_REDIS_TLS_CA"):
                run(store_of(url, tls_ca=str(other.ca)), claim)
        finally:
            sentinel.stop()
