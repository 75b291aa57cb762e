"""Find by a probe what a Redis user may do with reversible records.

The worker's user may only write, by Redis's own rules: ``%W~`` refuses even ``SET`` with ``GET``
(Redis 7). The user of ``deidstream reidentify`` may only read. The user of ``deidstream vault
forget`` may read which records a patient has, and delete them, and read no record.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import cast

from redis.exceptions import NoPermissionError, RedisError, ResponseError

from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.schemas.ports import SealedRecord
from deidstream.stream.redis.redis_url import read_redis_url
from deidstream.stream.redis.reversible_store import (
    KEYS,
    NO_URL,
    PATIENTS,
    PREFIX,
    PROBE,
    SERVICE,
    ReversibleStore,
)

WRITER = (
    "on >SECRET resetkeys %W~deid:rv:* %W~deid:rp:* %W~deid:rk -@all "
    "+set +zadd +zremrangebyscore +expire +multi +exec +time +info +ping +select"
)
READER = "on >SECRET resetkeys %R~deid:rv:* %R~deid:rk -@all +get +mget +zrange +info +ping +select"
FORGETTER = (
    "on >SECRET resetkeys %W~deid:rv:* %RW~deid:rp:* %R~deid:rk -@all "
    "+zrange +zrem +del +info +ping +select"
)
_PROBE_SECONDS = 5
_RECORD, _LIST = PREFIX + PROBE, PATIENTS + PROBE
_READING: Sequence[tuple[str | bytes, ...]] = (
    ("GET", _RECORD),
    ("MGET", _RECORD),
    ("GETRANGE", _RECORD, "0", "0"),
    ("SUBSTR", _RECORD, "0", "0"),
    ("GETEX", _RECORD),
    ("GETDEL", _RECORD),
    ("DUMP", _RECORD),
    ("SET", _RECORD, "", "EX", "1", "GET"),
)
"""The ways that show the value of a record."""
_LISTING: Sequence[tuple[str | bytes, ...]] = (
    ("ZRANGE", _LIST, "0", "0"),
    ("ZSCAN", _LIST, "0"),
    ("DUMP", _LIST),
)
_DELETING: Sequence[tuple[str | bytes, ...]] = (
    ("ZRANGE", KEYS, "0", "0"),
    ("ZRANGE", _LIST, "0", "0"),
    ("DEL", _RECORD),
    ("ZREM", _LIST, PROBE),
)


@dataclass(frozen=True, slots=True)
class Address:
    """Which user of which database of which server a URL names."""

    server: tuple[str | tuple[str, int], ...]
    """The service that Sentinels know, if any, and the addresses."""
    database: int
    user: str


def address(url: str) -> Address:
    """Read a URL of a Redis.

    Raises:
        InvalidSettings: It is not one.
    """
    try:
        where = read_redis_url(url)
    except ValueError:
        raise InvalidSettings(NO_URL) from None
    servers = where.servers or ((where.socket, 0),)
    return Address((where.service, *servers), where.database, where.user)


async def may_read(store: ReversibleStore) -> bool:
    """Return whether this user can read a record in any of the ways that show its value.

    Raises:
        Unavailable: Redis is unavailable.
    """
    return any([await _is_allowed(store, words) for words in _READING])


async def may_list(store: ReversibleStore) -> bool:
    """Return whether this user can read which records a patient has.

    Raises:
        Unavailable: Redis is unavailable.
    """
    return any([await _is_allowed(store, words) for words in _LISTING])


async def may_forget(store: ReversibleStore) -> bool:
    """Return whether this user can do all that forgetting a patient takes.

    Raises:
        Unavailable: Redis is unavailable.
    """
    return all([await _is_allowed(store, words) for words in _DELETING])


async def may_write(store: ReversibleStore) -> bool:
    """Return whether this user can write a record, in the way in which the worker does.

    Raises:
        Unavailable: Redis is unavailable.
    """
    try:
        await store.keep([SealedRecord(PROBE, PROBE, PROBE, b"")], PROBE, _PROBE_SECONDS)
    except InvalidSettings:
        return False
    return True


async def can_see(other: ReversibleStore, writer: ReversibleStore) -> bool:
    """Return whether another user reads what a writer writes, by whatever name it calls the server.

    Raises:
        Unavailable: Redis is unavailable.
    """
    name, value = PREFIX + PROBE + secrets.token_bytes(8), secrets.token_bytes(16)
    try:
        await writer.client.set(name, value, ex=_PROBE_SECONDS)
        return await other.client.get(name) == value
    except ResponseError:
        # No permission, or no such database.
        return False
    except (RedisError, OSError, TimeoutError):
        raise Unavailable(SERVICE) from None


async def _is_allowed(store: ReversibleStore, words: Sequence[str | bytes]) -> bool:
    command = cast("Callable[..., Awaitable[object]]", store.client.execute_command)
    try:
        await command(*words)
    except NoPermissionError:
        return False
    except (RedisError, OSError, TimeoutError):
        raise Unavailable(SERVICE) from None
    return True
