"""Marks of what is in work, on a real Redis, with the rights that are shipped."""

import asyncio
from collections.abc import Iterator

import pytest
from redis import Redis as BlockingRedis
from redis.asyncio import Redis
from redis.exceptions import NoPermissionError

from deidstream.schemas.outcome import Coordinates, Place
from deidstream.stream.redis.crash_marks import CrashMarks, OffsetRange
from support.redis_rights import shipped_rights

PLACE = ("raw", 3)
pytestmark = pytest.mark.broker


@pytest.fixture
def url(redis_url: str) -> Iterator[str]:
    with BlockingRedis.from_url(redis_url) as admin:
        admin.execute_command("ACL", "SETUSER", "worker", *shipped_rights("worker", "secret"))
        yield redis_url.replace("redis://", "redis://worker:secret@")
        admin.delete("deid:begun:g:raw:3", "deid:of:x")
        admin.execute_command("ACL", "DELUSER", "worker")


def test_the_next_worker_sees_what_was_in_work_and_what_was_alone(url: str) -> None:
    async def run() -> None:
        first, second = (CrashMarks(Redis.from_url(url), "g") for _ in range(2))
        whole: dict[Place, OffsetRange] = {PLACE: OffsetRange(10, 73)}
        source = Coordinates(*PLACE, 12)
        early: dict[Place, OffsetRange] = {PLACE: OffsetRange(12, 20)}
        late: dict[Place, OffsetRange] = {PLACE: OffsetRange(80, 90)}
        first.take(whole)
        assert (await first.begin(whole))[PLACE].ranges == ()
        await first.begin_alone(source)
        second.take(early)
        second.take(late)
        # A later range may be begun first.
        assert (await second.begin(late))[PLACE].alone == {12: 1}
        prior = (await second.begin(early))[PLACE]
        assert prior.ranges == (OffsetRange(10, 73),)
        assert prior.alone == {12: 1}
        assert prior.holds(73)
        assert not prior.holds(74)
        second.end(early)
        # What lies before all that is in work has ended, and goes.
        assert (await second.begin(late))[PLACE].ranges == ()
        second.end(late)
        await second.flush()
        assert await first.client.hgetall("deid:begun:g:raw:3") == {}
        for marks in (first, second):
            await marks.client.aclose()

    asyncio.run(run())


def test_the_rights_to_remove_marks_reach_nothing_else(url: str) -> None:
    with BlockingRedis.from_url(url) as client:
        for call in (client.hdel, client.hset):
            with pytest.raises(NoPermissionError):
                call("deid:of:x", "field", "value")
        with pytest.raises(NoPermissionError):
            client.hgetall("deid:of:x")


def test_without_the_rights_notes_go_on_unmarked(
    redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with BlockingRedis.from_url(redis_url) as admin:
        admin.execute_command("ACL", "SETUSER", "old", "on", ">secret", "~deid:of:*", "+hget")

    async def run() -> None:
        client = Redis.from_url(redis_url.replace("redis://", "redis://old:secret@"))
        marks = CrashMarks(client, "g")
        assert await marks.begin({PLACE: OffsetRange(1, 2)}) == {}
        assert await marks.begin({PLACE: OffsetRange(3, 4)}) == {}
        await client.aclose()

    asyncio.run(run())
    assert [record.msg for record in caplog.records] == ["crash-marks-off"]
