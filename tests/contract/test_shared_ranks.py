"""Levels by share of several workers on a real Redis, with the rights that are shipped."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import pytest
from redis import Redis as BlockingRedis
from redis.asyncio import Redis

from deidstream.agents.runtime.shared_ranks import ADD_SECONDS, SharedRanks
from deidstream.schemas.outcome import (
    Anonymized,
    LevelCuts,
    LevelRule,
    Outcome,
    Ranking,
    RiskLevel,
    RiskReport,
)
from deidstream.stream.redis.level_counts import DAY_SECONDS, KEPT_DAYS, LevelCounts
from support.outcomes import anonymized
from support.redis_rights import shipped_rights

USER = "ranks"
GROUP, CONSULT = "a" * 32, "b" * 16
NOTE = anonymized("Calm.")
pytestmark = pytest.mark.broker


@pytest.fixture
def url(redis_url: str) -> Iterator[str]:
    with BlockingRedis.from_url(redis_url) as admin:
        admin.execute_command("ACL", "SETUSER", USER, *shipped_rights("worker", "secret"))
        yield redis_url.replace("redis://", f"redis://{USER}:secret@")
        for name in admin.scan_iter("deid:levels:*"):
            admin.delete(name)
        admin.execute_command("ACL", "DELUSER", USER)


@dataclass(slots=True)
class Clock:
    """A time that tests move."""

    now: float = 20_000.5 * DAY_SECONDS

    def __call__(self) -> float:
        return self.now


@dataclass(slots=True)
class Worker:
    """The ranks of one worker."""

    ranks: SharedRanks
    clock: Clock

    async def rank(self, notes: Sequence[Outcome], created: float | None = None) -> list[Outcome]:
        self.clock.now += ADD_SECONDS
        return await self.ranks.rank(notes, [created] * len(notes))


def run(url: str, body: Callable[[Callable[[], Worker], Clock], Awaitable[None]]) -> None:
    async def main() -> None:
        client, clock = Redis.from_url(url), Clock()
        try:
            await body(
                lambda: Worker(SharedRanks(LevelCounts(client, clock=clock), clock), clock), clock
            )
        finally:
            await client.aclose()

    asyncio.run(main())


def note(score: float, note_type: str = CONSULT, group: str = GROUP) -> Anonymized:
    risk = RiskReport(RiskLevel.GREEN, score, cuts=LevelCuts(0.13, 0.2))
    return replace(NOTE, risk=risk, ranking=Ranking(group, note_type, 0.05, 0.15))


def draw_notes(count: int, mean: float) -> list[Outcome]:
    rng = random.Random(3)
    return [note(round(min(1.0, rng.expovariate(1 / mean)), 4)) for _ in range(count)]


def reports(outcomes: Sequence[Outcome]) -> list[RiskReport]:
    return [one.risk for one in outcomes if isinstance(one, Anonymized)]


def test_workers_share_counts_and_a_new_worker_goes_on_with_them(url: str) -> None:
    async def body(start: Callable[[], Worker], clock: Clock) -> None:
        first, second = start(), start()
        await first.rank(draw_notes(150, 0.01))
        (alone,) = reports(await second.rank([note(0.05)]))
        assert alone.rule is LevelRule.THRESHOLD  # 151 notes are too few for a twentieth
        await second.rank(draw_notes(150, 0.01))
        clock.now += 60
        (known,) = reports(await start().rank([note(0.05)]))
        assert known.rule is LevelRule.SHARE_OF_TYPE
        assert known.level is RiskLevel.RED
        assert known.cuts is not None
        assert known.cuts.red < 0.05

    run(url, body)


def test_a_message_that_is_read_again_has_the_level_that_it_had(url: str) -> None:
    async def body(start: Callable[[], Worker], clock: Clock) -> None:
        created = clock.now
        worker = start()
        await worker.rank(draw_notes(400, 0.01), created)
        clock.now += 60
        before = reports(await worker.rank([note(0.05)], created))
        clock.now += 3 * DAY_SECONDS
        await worker.rank(draw_notes(4_000, 0.3))  # notes have become far riskier
        again, today = start(), start()
        assert reports(await again.rank([note(0.05)], created)) == before
        assert reports(await today.rank([note(0.05)]))[0].level is RiskLevel.GREEN

    run(url, body)


def test_a_message_older_than_what_is_kept_has_the_cuts_of_today(url: str) -> None:
    async def body(start: Callable[[], Worker], clock: Clock) -> None:
        worker = start()
        await worker.rank(draw_notes(400, 0.01))
        clock.now += 60
        today = reports(await worker.rank([note(0.05)]))
        for days in (-KEPT_DAYS - 1, 5):
            moment = clock.now + days * DAY_SECONDS
            assert reports(await worker.rank([note(0.05)], moment)) == today

    run(url, body)


def test_tenants_are_apart_in_redis(url: str) -> None:
    async def body(start: Callable[[], Worker], clock: Clock) -> None:
        worker = start()
        await worker.rank(draw_notes(400, 0.01))
        clock.now += 60
        (other,) = reports(await worker.rank([note(0.05, group="c" * 32)]))
        assert other.rule is LevelRule.THRESHOLD

    run(url, body)


def test_redis_holds_numbers_alone(url: str, redis_url: str) -> None:
    async def body(start: Callable[[], Worker], clock: Clock) -> None:
        worker = start()
        await worker.rank(draw_notes(400, 0.01))
        clock.now += 60
        await worker.rank([note(0.05)])

    run(url, body)
    with BlockingRedis.from_url(redis_url) as admin:
        names = sorted(admin.scan_iter("deid:levels:*"))
        assert len(names) == 2
        for name in names:
            assert 0 < admin.ttl(name) <= 42 * DAY_SECONDS
            for field, value in cast("dict[bytes, bytes]", admin.hgetall(name)).items():
                assert set(field.decode()) <= set("0123456789abcdef: .")
                assert set(value.decode()) <= set("0123456789 ")


def test_without_the_right_thresholds_make_the_level_and_nothing_waits(url: str) -> None:
    with BlockingRedis.from_url(url.replace(f"{USER}:secret@", "")) as admin:
        admin.execute_command("ACL", "SETUSER", USER, "clearselectors")

    async def body(start: Callable[[], Worker], clock: Clock) -> None:
        before = draw_notes(400, 0.01)
        assert reports(await start().rank(before)) == reports(before)
        assert clock.now

    run(url, body)


def test_what_redis_did_not_take_is_added_later(url: str) -> None:
    with BlockingRedis.from_url(url.replace(f"{USER}:secret@", "")) as admin:
        admin.execute_command("ACL", "SETUSER", USER, "clearselectors")

        async def body(start: Callable[[], Worker], clock: Clock) -> None:
            worker = start()
            await worker.rank(draw_notes(400, 0.01))
            admin.execute_command("ACL", "SETUSER", USER, *shipped_rights("worker", "secret"))
            clock.now += 60
            (ranked,) = reports(await worker.rank([note(0.05)]))
            assert ranked.rule is LevelRule.SHARE_OF_TYPE

        run(url, body)
