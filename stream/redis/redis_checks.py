"""Check from outside whether a Redis may be the only home of surrogates.

``INFO`` answers nearly everything and is allowed where ``CONFIG`` is not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from redis.asyncio import Redis
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.exceptions import NoPermissionError, RedisError, ResponseError

from deidstream.stream.observing import metrics
from deidstream.stream.observing.metric_catalogue import GaugeName
from deidstream.stream.redis.redis_errors import explain_error
from deidstream.stream.redis.watermark import WENT_BACK


class Fault(StrEnum):
    """Faults of a Redis: a closed list, so that they may label a metric."""

    EVICTS = "evicts"
    VOLATILE = "volatile"
    WRITES_FAIL = "writes-fail"
    REPLICA = "replica"
    UNREPLICATED = "unreplicated"
    UNREADABLE = "unreadable"
    WENT_BACK = "went-back"
    OTHER_KEY = "other-key"
    EPOCH_FULL = "epoch-full"
    SNAPSHOTS_ONLY = "snapshots-only"
    LAX_SYNC = "lax-sync"


REMEDY: Mapping[Fault, str] = {
    Fault.EVICTS: "it evicts when memory is full: set maxmemory-policy noeviction",
    Fault.VOLATILE: "it keeps nothing over a restart: set appendonly yes, appendfsync always",
    Fault.WRITES_FAIL: "its last write to disk failed: look at its log and its disk",
    Fault.REPLICA: "it is a replica: name the primary in DEIDSTREAM_REDIS_URL",
    Fault.UNREPLICATED: (
        "a failover of its Sentinels loses what no replica has yet: set DEIDSTREAM_REDIS_REPLICAS "
        "to 1, or to as many replicas as may be away at once and one more"
    ),
    Fault.UNREADABLE: "its state cannot be seen: allow +info and, without AOF, +config|get",
    Fault.WENT_BACK: WENT_BACK,
    Fault.OTHER_KEY: (
        "it was filled under another key of the same version: restore that key file; if lost, "
        "raise DEIDSTREAM_KEY_VERSION: all patients then get other surrogates (docs/vault.md)"
    ),
    Fault.EPOCH_FULL: "the mapping epoch has its notes: set the next DEIDSTREAM_KEY_EPOCH",
    Fault.SNAPSHOTS_ONLY: "a crash loses what came after the last snapshot: set appendonly yes",
    Fault.LAX_SYNC: "a loss of power loses what was not yet on disk: set appendfsync always",
}
"""The meaning of each fault, and its remedy."""

FATAL = frozenset(REMEDY) - {Fault.SNAPSHOTS_ONLY, Fault.LAX_SYNC}
"""Faults that a worker with random draws refuses; losses by the others are at least noticed."""
ALWAYS_FATAL = frozenset({Fault.EPOCH_FULL, Fault.OTHER_KEY})
"""Faults that every worker refuses: a full epoch, as its operator asked for it; and another key,
which would give every patient a second set of surrogates."""


_MEMORY: Mapping[GaugeName, str] = {
    "deid_redis_memory_bytes": "used_memory",
    "deid_redis_memory_limit_bytes": "maxmemory",
    "deid_redis_evicted_keys": "evicted_keys",
}
"""Fields of ``INFO`` that are shown."""


@dataclass(frozen=True, slots=True)
class RedisState:
    """The state and configuration that Redis reports; empty where it reports nothing."""

    info: Mapping[str, object]
    config: Mapping[str, str]


async def faults(client: Redis, *, replicas: int = 0) -> tuple[Fault, ...]:
    """Look at memory, its policy, persistence and role.

    Args:
        client: Of the Redis.
        replicas: How many replicas must have what is written before it counts.

    Raises:
        Unavailable: Redis is unavailable.
    """
    state = await _read_state(client)
    for gauge, field in _MEMORY.items():
        value = state.info.get(field)
        if isinstance(value, int):
            metrics.gauge(gauge, value)
    found = tuple(find_faults(state))
    fails_over = isinstance(client.connection_pool, SentinelConnectionPool)
    return (*found, Fault.UNREPLICATED) if fails_over and not replicas else found


def find_faults(state: RedisState) -> Iterator[Fault]:
    """Yield the faults of a Redis by what it reports of itself."""
    info = state.info
    if not {"maxmemory_policy", "aof_enabled", "role"} <= info.keys():
        yield Fault.UNREADABLE
        return
    if info["maxmemory_policy"] != "noeviction":
        yield Fault.EVICTS
    if info["role"] != "master":
        yield Fault.REPLICA
    yield from _durability_faults(info, state.config)


def _durability_faults(info: Mapping[str, object], config: Mapping[str, str]) -> Iterator[Fault]:
    if info["aof_enabled"]:
        if config.get("appendfsync", "always") != "always":
            yield Fault.LAX_SYNC
        if info.get("aof_last_write_status") == "err":
            yield Fault.WRITES_FAIL
    elif "save" not in config:
        yield Fault.UNREADABLE
    elif not config["save"]:
        yield Fault.VOLATILE
    else:
        yield Fault.SNAPSHOTS_ONLY
        if info.get("rdb_last_bgsave_status") == "err":
            yield Fault.WRITES_FAIL


async def _read_state(client: Redis) -> RedisState:
    try:
        info = cast("Mapping[str, object]", await client.info())
        return RedisState(info, await _read_config(client))
    except (NoPermissionError, ResponseError):
        return RedisState({}, {})
    except (RedisError, OSError, TimeoutError) as error:
        raise explain_error(error, "DEIDSTREAM_REDIS_URL", client) from None


async def _read_config(client: Redis) -> Mapping[str, str]:
    try:
        said = cast("Mapping[str, str]", await client.config_get("save"))
        sync = cast("Mapping[str, str]", await client.config_get("appendfsync"))
    except (NoPermissionError, ResponseError):
        # Managed services rename CONFIG; a user of few rights may not ask.
        return {}
    return {**said, **sync}
