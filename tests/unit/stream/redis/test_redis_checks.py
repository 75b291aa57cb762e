"""What a Redis says of itself, find_faults."""

import pytest

from deidstream.stream.redis.redis_checks import FATAL, REMEDY, Fault, RedisState, find_faults

GOOD = {"maxmemory_policy": "noeviction", "aof_enabled": 1, "role": "master"}
ALWAYS = {"appendfsync": "always", "save": ""}


def found(config: dict[str, str] | None = None, **info: object) -> set[Fault]:
    return set(find_faults(RedisState(GOOD | info, ALWAYS if config is None else config)))


def test_one_that_keeps_everything_has_no_fault() -> None:
    assert found() == set()


def test_append_only_is_enough_where_config_may_not_be_asked() -> None:
    assert found({}) == set()


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "allkeys-random"])
def test_any_eviction_is_a_fault(policy: str) -> None:
    assert found(maxmemory_policy=policy) == {Fault.EVICTS}


def test_no_persistence_is_a_fault() -> None:
    assert found(aof_enabled=0) == {Fault.VOLATILE}


def test_without_append_only_config_must_be_seen() -> None:
    assert found({}, aof_enabled=0) == {Fault.UNREADABLE}


def test_snapshots_alone_are_a_lesser_fault() -> None:
    assert found({"save": "3600 1"}, aof_enabled=0) == {Fault.SNAPSHOTS_ONLY}
    assert Fault.SNAPSHOTS_ONLY not in FATAL


def test_a_sync_that_is_not_at_once_is_a_lesser_fault() -> None:
    assert found({"appendfsync": "everysec"}) == {Fault.LAX_SYNC}
    assert Fault.LAX_SYNC not in FATAL


def test_a_disk_that_fails_is_a_fault() -> None:
    assert found(aof_last_write_status="err") == {Fault.WRITES_FAIL}
    failing = found({"save": "60 1"}, aof_enabled=0, rdb_last_bgsave_status="err")
    assert Fault.WRITES_FAIL in failing


def test_a_replica_is_a_fault() -> None:
    assert found(role="slave") == {Fault.REPLICA}


def test_one_that_says_nothing_is_a_fault() -> None:
    assert set(find_faults(RedisState({}, {}))) == {Fault.UNREADABLE}


def test_every_fault_says_what_to_do() -> None:
    assert set(REMEDY) == set(Fault)
