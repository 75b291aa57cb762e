"""The crash guard: the note that kills is found, its neighbours come out."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from deidstream.agents.runtime.guards.crash_guard import CrashGuard
from deidstream.schemas.errors import Reason, UntrustedStore
from deidstream.schemas.outcome import Coordinates, Failed, Outcome
from deidstream.stream.redis.crash_marks import CrashMarks
from support.outcomes import anonymized


class Killed(BaseException):
    """The process ends here; nothing that runs later in it counts."""


@dataclass(slots=True)
class Hashes:
    """The hashes of a Redis, and its round trips."""

    held: dict[str, dict[bytes, bytes]] = field(default_factory=dict[str, dict[bytes, bytes]])
    trips: int = 0
    away: bool = False

    def pipeline(self, transaction: bool) -> "Calls":  # noqa: FBT001
        assert not transaction
        return Calls(self)


@dataclass(slots=True)
class Calls:
    """A pipeline of the few commands that marks use."""

    redis: Hashes
    queue: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])

    def hgetall(self, name: str) -> None:
        self.queue.append(("hgetall", name))

    def hset(self, name: str, key: bytes, value: str) -> None:
        self.queue.append(("hset", name, key, value))

    def hincrby(self, name: str, key: str, by: int) -> None:
        self.queue.append(("hincrby", name, key, by))

    def hdel(self, name: str, *keys: bytes) -> None:
        self.queue.append(("hdel", name, *keys))

    def expire(self, name: str, seconds: int) -> None:
        self.queue.append(("expire", name, seconds))

    async def execute(self) -> list[object]:
        if self.redis.away:
            raise TimeoutError
        self.redis.trips += 1
        await asyncio.sleep(0)
        return [self._apply(*call) for call in self.queue]

    def _apply(self, verb: str, name: str, *rest: Any) -> object:
        held = self.redis.held.setdefault(name, {})
        if verb == "hgetall":
            return dict(held)
        if verb == "hset":
            held[rest[0]] = rest[1].encode()
        if verb == "hincrby":
            key = rest[0].encode()
            held[key] = b"%d" % (int(held.get(key, b"0")) + rest[1])
        if verb == "hdel":
            for key in rest:
                held.pop(key, None)
        return 1


@dataclass(slots=True)
class Fragile:
    """A service that dies on one value, and keeps what it was given together."""

    redis: Hashes
    fatal: bytes = b"never"
    groups: list[list[bytes]] = field(default_factory=list[list[bytes]])

    async def run(self, values: Sequence[bytes]) -> list[Outcome]:
        self.groups.append(list(values))
        if self.fatal in values:
            # A process that has ended writes nothing any more.
            self.redis.away = True
            raise Killed
        return [anonymized(value.decode()) for value in values]


def guard(redis: Hashes, deliveries: int = 3) -> CrashGuard:
    return CrashGuard(CrashMarks(cast("Any", redis), "g"), deliveries)


def sources(*offsets: int, partition: int = 0) -> list[Coordinates]:
    return [Coordinates("raw", partition, offset) for offset in offsets]


def deliver(redis: Hashes, service: Fragile, offsets: Sequence[int]) -> list[Outcome] | None:
    """Let a fresh process take messages; ``None`` if it ends."""
    values = [b"%d" % offset for offset in offsets]
    redis.away = False
    try:
        return asyncio.run(guard(redis).run(service, sources(*offsets), values))
    except Killed:
        return None


@pytest.mark.usefixtures("expects_errors")
def test_a_note_that_kills_is_quarantined_after_three_ends_and_its_neighbours_are_not() -> None:
    redis = Hashes()
    service = Fragile(redis, b"2")
    assert [deliver(redis, service, range(5)) for _ in range(3)] == [None, None, None]
    outcomes = deliver(redis, service, range(5))
    assert outcomes is not None
    failed = [o for o in outcomes if isinstance(o, Failed)]
    assert [type(o).__name__ for o in outcomes].index("Failed") == 2
    assert [(f.reason, f.attempts) for f in failed] == [(Reason.PROCESS_KILLED, 3)]
    assert sum(b"2" in group for group in service.groups) == 3


@pytest.mark.usefixtures("expects_errors")
def test_a_note_that_kills_is_found_where_the_next_group_is_begun_before_it() -> None:
    redis = Hashes()
    service = Fragile(redis, b"2")

    async def work() -> list[list[Outcome]]:
        one = guard(redis)
        groups = (range(4), range(4, 8))
        runs = [one.run(service, sources(*group), [b"%d" % n for n in group]) for group in groups]
        return await asyncio.gather(*runs)

    for _ in range(3):
        redis.away = False
        with pytest.raises(Killed):
            asyncio.run(work())
    redis.away = False
    outcomes, _ = asyncio.run(work())
    assert [isinstance(outcome, Failed) for outcome in outcomes] == [False, False, True, False]


def test_a_calm_worker_marks_a_group_in_one_round_trip_and_leaves_nothing_behind() -> None:
    redis = Hashes()
    service = Fragile(redis)
    one = guard(redis)

    async def work() -> None:
        for start in range(0, 50, 10):
            offsets = range(start, start + 10)
            await one.run(service, sources(*offsets), [b"x"] * 10)
        assert redis.trips == 5
        await one.marks.flush()

    asyncio.run(work())
    assert redis.held == {"deid:begun:g:raw:0": {}}
    assert [len(group) for group in service.groups] == [10] * 5


def test_what_another_end_left_behind_is_run_alone_once() -> None:
    redis = Hashes()
    service = Fragile(redis, b"3")
    assert deliver(redis, service, range(4)) is None
    mended = Fragile(redis)
    # The next process takes them in groups of another shape.
    outcomes = deliver(redis, mended, range(2, 8))
    assert outcomes is not None
    assert mended.groups == [[b"2"], [b"3"], [b"4", b"5", b"6", b"7"]]
    later = Fragile(redis)
    assert deliver(redis, later, range(8, 12)) is not None
    assert len(later.groups) == 1


def test_a_refusal_is_no_crash() -> None:
    redis = Hashes()
    assert deliver(redis, Fragile(redis, b"0"), range(2)) is None

    class Refusing(Fragile):
        async def run(self, values: Sequence[bytes]) -> list[Outcome]:
            assert values
            raise UntrustedStore("redis")  # noqa: EM101

    for _ in range(5):
        with pytest.raises(UntrustedStore):
            deliver(redis, Refusing(redis), range(2))
    outcomes = deliver(redis, Fragile(redis), range(2))
    assert outcomes is not None
    assert not any(isinstance(o, Failed) for o in outcomes)


def test_without_redis_notes_go_on_unmarked() -> None:
    redis = Hashes(away=True)
    run = guard(redis).run(Fragile(redis), sources(0, 1), [b"0", b"1"])
    assert len(asyncio.run(run)) == 2


def test_suspects_run_beside_no_other_group() -> None:
    redis = Hashes()
    assert deliver(redis, Fragile(redis, b"0"), range(2)) is None
    redis.away = False
    running = 0
    watched: list[tuple[int, int]] = []

    class Slow(Fragile):
        async def run(self, values: Sequence[bytes]) -> list[Outcome]:
            nonlocal running
            running += 1
            await asyncio.sleep(0)
            watched.append((len(values), running))
            running -= 1
            return await Fragile.run(self, values)

    async def work() -> None:
        one, service = guard(redis), Slow(redis)
        groups: Mapping[int, range] = {0: range(2), 1: range(2, 4), 2: range(4, 6)}
        runs = [
            one.run(service, sources(*group), [b"%d" % n for n in group])
            for group in groups.values()
        ]
        assert [len(made) for made in await asyncio.gather(*runs)] == [2, 2, 2]

    asyncio.run(work())
    assert [beside for notes, beside in watched if notes == 1] == [1, 1]
    assert len(watched) == 4
