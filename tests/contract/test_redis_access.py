"""Redis by TLS, and what the users of the shipped list may do on a real server."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest
import redis as blocking
from redis.exceptions import NoPermissionError

from deidstream.agents.runtime.connections import connect_reversible, connect_store
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import DeidError, InvalidSettings
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.certificates import Authority
from support.ports import LOOPBACK, free_port
from support.redis_server import running_redis

pytestmark = pytest.mark.broker
RULES = Path(__file__).parents[2] / "deploy/redis/users.acl"
PASSWORD = "drawn"
NAME = bytes(range(32))
TRIES = 20


def rules(deployment: str = "deid") -> list[str]:
    """The shipped users, with a digest as ``users.sh`` puts it, for one deployment."""
    text = RULES.read_text().replace("~deid:", f"~{deployment}:")
    for user in ("worker", "forget"):
        text = text.replace(f"@{user}@", sha256(PASSWORD.encode()).hexdigest())
    return text.splitlines()


@dataclass(frozen=True, slots=True)
class Site:
    """A Redis that speaks TLS and knows the shipped users, and those of another deployment."""

    authority: Authority
    port: int
    plain: int

    def environment(self, user: str = "worker", **more: str) -> dict[str, str]:
        """Settings of a client."""
        url = f"rediss://{user}:{PASSWORD}@{LOOPBACK}:{self.port}/0"
        given = {"url": url, "tls_ca": str(self.authority.ca), **more}
        given.setdefault("tls_certificate", str(self.authority.folder / "client.pem"))
        return {f"DEIDSTREAM_REDIS_{name.upper()}": value for name, value in given.items()}

    def store(self, user: str = "worker", **more: str) -> RedisSurrogateStore:
        """A store of ours."""
        return connect_store(read_settings(self.environment(user, **more)).redis)

    def client(self, user: str) -> blocking.Redis:
        """A client of Redis itself, without TLS."""
        return blocking.Redis.from_url(f"redis://{user}:{PASSWORD}@{LOOPBACK}:{self.plain}/0")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("redis")
    authority = Authority(home / "authority")
    server, port = authority.issue("redis"), free_port()
    authority.issue("client")
    others = [line.replace("user ", "user mercy-") for line in rules("mercy")[1:]]
    (home / "users.acl").write_text("\n".join([*rules(), *others]) + "\n")
    options = ("--tls-port", str(port), "--tls-ca-cert-file", str(authority.ca))
    files = ("--tls-cert-file", str(server), "--tls-key-file", str(server))
    users = ("--aclfile", str(home / "users.acl"))
    with running_redis(home, options=(*options, *files, *users)) as running:
        yield Site(authority, port, running.port)


def claim(store: RedisSurrogateStore, value: bytes) -> list[bytes]:
    async def body() -> list[bytes]:
        try:
            return await store.claim([(NAME, value)])
        finally:
            await store.close()

    return asyncio.run(body())


def test_the_store_speaks_tls_with_a_certificate_of_its_own(site: Site) -> None:
    assert claim(site.store(), b"surrogate") == [b"surrogate"]


def test_a_certificate_is_asked_for(site: Site) -> None:
    # In TLS 1.3 the server refuses after the handshake, and its reason is easily lost.
    for _ in range(TRIES):
        with pytest.raises(InvalidSettings, match="DEIDSTREAM_REDIS_TLS_CERTIFICATE: "):
            claim(site.store(tls_certificate=""), b"")


def test_another_authority_is_not_trusted(site: Site, tmp_path: Path) -> None:
    other = Authority(tmp_path)
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_REDIS_TLS_CA: "):
        claim(site.store(tls_ca=str(other.ca)), b"")


def test_a_certificate_of_another_host_is_not_accepted(site: Site, tmp_path: Path) -> None:
    elsewhere, port = site.authority.issue("elsewhere", hosts=["elsewhere.example"]), free_port()
    options = ("--tls-port", str(port), "--tls-ca-cert-file", str(site.authority.ca))
    files = ("--tls-cert-file", str(elsewhere), "--tls-key-file", str(elsewhere))
    with running_redis(tmp_path, options=(*options, *files)):
        url = f"rediss://{LOOPBACK}:{port}/0"
        with pytest.raises(InvalidSettings, match="another host name"):
            claim(site.store(url=url), b"")
        assert claim(site.store(url=url, tls_check_hostname="false"), b"value") == [b"value"]


def test_reversible_records_take_their_own_files(site: Site) -> None:
    named = {name: value for name, value in site.environment().items() if "_TLS_" in name}
    given = {name.replace("REDIS", "REVERSE"): value for name, value in named.items()}
    url = site.environment()["DEIDSTREAM_REDIS_URL"]
    given["DEIDSTREAM_REVERSE_REDIS_URL"] = url
    store = connect_reversible(read_settings(given).reverse)

    async def body() -> None:
        try:
            await store.ping()
        finally:
            await store.close()

    asyncio.run(body())


def test_files_without_tls_are_refused(site: Site) -> None:
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_REDIS_TLS_"):
        site.store(url=f"redis://{LOOPBACK}:{site.plain}/0")
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_REDIS_DEPLOYMENT"):
        site.store(deployment="a*")


ENUMERATING = (
    ("KEYS", "*"),
    ("SCAN", "0"),
    ("RANDOMKEY",),
    ("DBSIZE",),
    ("HGETALL", "deid:of:x"),
    ("HKEYS", "deid:of:x"),
    ("HSCAN", "deid:of:x", "0"),
    ("DUMP", "deid:of:x"),
    ("SORT", "deid:of:x"),
    ("MONITOR",),
    ("SLOWLOG", "GET"),
)
DESTROYING = (
    ("FLUSHALL",),
    ("FLUSHDB",),
    ("EXPIRE", "deid:of:x", "1"),
    ("RENAME", "deid:of:x", "deid:of:y"),
    ("HSET", "deid:of:x", "a", "b"),
    ("HDEL", "deid:of:x", "a"),
    ("SWAPDB", "0", "1"),
    ("SHUTDOWN",),
)
COMMANDING = (
    ("EVAL", "return 1", "0"),
    ("EVALSHA", "0" * 40, "0"),
    ("SCRIPT", "LOAD", "return 1"),
    ("FUNCTION", "LIST"),
    ("FCALL", "f", "0"),
    ("CONFIG", "GET", "*"),
    ("CONFIG", "SET", "dir", "elsewhere"),
    ("ACL", "LIST"),
    ("ACL", "SETUSER", "worker", "+@all"),
    ("MODULE", "LIST"),
    ("REPLICAOF", "NO", "ONE"),
    ("SAVE",),
    ("CLIENT", "LIST"),
    ("SUBSCRIBE", "channel"),
    ("PUBLISH", "channel", "text"),
)
FOREIGN = (
    ("GET", "deid:rv:record"),
    ("GET", "deid"),
    ("GET", "other"),
    ("HGET", "deid:off", "a"),
    ("HGET", "mercy:of:x", "a"),
    ("HMGET", "mercy:of:x", "a"),
    ("HSETNX", "mercy:of:x", "a", "b"),
    ("GET", "mercy:key:1"),
    ("HLEN", "mercy:of:x"),
    ("DEL", "mercy:of:x"),
)


def name_of(words: tuple[str, ...]) -> str:
    return " ".join(words)


@pytest.mark.parametrize("user", ["worker", "forget"])
@pytest.mark.parametrize("words", [*ENUMERATING, *DESTROYING, *COMMANDING, *FOREIGN], ids=name_of)
def test_no_user_may_enumerate_destroy_command_or_leave_its_names(
    site: Site, user: str, words: tuple[str, ...]
) -> None:
    with site.client(user) as client, pytest.raises(NoPermissionError):
        client.execute_command(*words)


@pytest.mark.parametrize(
    "words",
    [
        ("DEL", "deid:of:x"),
        ("HLEN", "deid:of:x"),
        ("MULTI",),
        ("BGREWRITEAOF",),
        ("DEL", "deid:engines"),
        ("HSET", "deid:engines", "a", "b"),
    ],
    ids=name_of,
)
def test_a_worker_may_not_forget(site: Site, words: tuple[str, ...]) -> None:
    with site.client("worker") as client, pytest.raises(NoPermissionError):
        client.execute_command(*words)


@pytest.mark.parametrize(
    "words",
    [
        ("HGET", "deid:of:x", "a"),
        ("HMGET", "deid:of:x", "a"),
        ("HSETNX", "deid:of:x", "a", "b"),
        ("HINCRBY", "deid:marks", "a", "1"),
        ("SET", "deid:key:1", "a"),
        ("DEL", "deid:key:1"),
    ],
    ids=name_of,
)
def test_who_forgets_may_neither_read_nor_write(site: Site, words: tuple[str, ...]) -> None:
    with site.client("forget") as client, pytest.raises(NoPermissionError):
        client.execute_command(*words)


def test_deployments_share_a_redis_and_read_nothing_of_each_other(site: Site) -> None:
    assert claim(site.store(), b"surrogate") == [b"surrogate"]
    theirs = {"deployment": "mercy"}
    assert claim(site.store("mercy-worker", **theirs), b"of mercy") == [b"of mercy"]
    for user, deployment in (("mercy-worker", "deid"), ("worker", "mercy")):
        with pytest.raises(DeidError):
            claim(site.store(user, deployment=deployment), b"taken over")
    assert claim(site.store(), b"other") == [b"surrogate"]
