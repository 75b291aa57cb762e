"""What workers show each other in Redis, with the rights that are shipped."""

import asyncio
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import orjson
import pytest
from redis import Redis as BlockingRedis
from redis.asyncio import Redis

from deidstream.agents.operations import group_board
from deidstream.agents.operations.group_board import GroupBoard
from deidstream.agents.operations.label_days import LabelDays
from deidstream.agents.operations.live_figures import LiveFigures
from deidstream.agents.operations.running_counts import RunningCounts
from deidstream.agents.operations.worker_figures import FORM, WorkerFigures
from deidstream.agents.runtime.monitor import refresh_figures
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from support.redis_rights import shipped_rights

USER = "board"
DAY = 86_400.0
pytestmark = pytest.mark.broker


@pytest.fixture
def url(redis_url: str) -> Iterator[str]:
    with BlockingRedis.from_url(redis_url) as admin:
        admin.execute_command("ACL", "SETUSER", USER, *shipped_rights("worker", "secret"))
        yield redis_url.replace("redis://", f"redis://{USER}:secret@")
        for name in admin.scan_iter("deid:*"):
            admin.delete(name)
        admin.execute_command("ACL", "DELUSER", USER)


def worker(client: Redis, name: str) -> LiveFigures:
    health = Health(10, started=True, assigned=2)
    return LiveFigures(health, "g", name=name, board=GroupBoard(client, "g"))


def test_each_worker_shows_all(url: str) -> None:
    async def run() -> None:
        client = Redis.from_url(url)
        first, second = worker(client, "a:1"), worker(client, "b:1")
        second.health.record_backlog(7)
        for each in (first, second, first):
            await each.refresh()
        figures = first.figures()
        assert [row["name"] for row in figures["workers"]] == ["a:1", "b:1"]
        assert figures["group"]["lag"] == 7
        assert figures["group"]["partitions"] == 4
        assert figures["shared"] is True
        await client.aclose()

    asyncio.run(run())


@pytest.mark.slow  # it waits until the name has expired
def test_a_worker_that_is_gone_is_not_shown(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_board, "KEPT_SECONDS", 1)

    async def run() -> None:
        client = Redis.from_url(url)
        board = GroupBoard(client, "g")
        await board.show("gone:1", b"1")
        assert await board.read(but="a:1") == [b"1"]
        await asyncio.sleep(1.1)
        assert await board.read(but="a:1") == []
        assert await client.hgetall("deid:figures:g") == {}
        await client.aclose()

    asyncio.run(run())


def test_another_form_of_figures_is_passed_over(url: str) -> None:
    async def run() -> None:
        client = Redis.from_url(url)
        figures = worker(client, "a:1")
        for odd in (b"", b"[]", b'{"form":99}', b'{"form":1,"name":"x"}'):
            await GroupBoard(client, "g").show("odd:1", odd)
            await figures.refresh()
            assert figures.others == ()
        await client.aclose()

    asyncio.run(run())


def test_figures_of_wrong_types_do_not_stop_a_worker(url: str) -> None:
    async def run() -> None:
        client = Redis.from_url(url)
        figures = worker(client, "a:1")
        figures.days = LabelDays(client)
        odd = {field.name: 7 for field in fields(WorkerFigures)} | {"form": FORM, "name": "odd:1"}
        await GroupBoard(client, "g").show("odd:1", orjson.dumps(odd))
        task = asyncio.create_task(refresh_figures(figures))
        await asyncio.sleep(0.3)
        assert not task.done()
        assert len(figures.figures()["workers"]) == 1
        task.cancel()
        await client.aclose()

    asyncio.run(run())


def plant(good: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield figures with each figure of every other type, and parts that mean nothing."""
    odds: list[object] = [None, True, 7, -1.5, "x", [], ["x"], [[]], {}, {"a": "x"}]
    for name in good.keys() - {"form"}:
        for odd in (*odds, {"a": {"b": None}}):
            yield good | {name: odd}
    yield good | {"lag": 10**18, "oldest_seconds": 1e300}
    yield good | {"counts": good["counts"] | {"latency": {"soon": 3}}}
    yield good | {"hour": {"NAME": -900.0}, "hour_notes": 900.0}


def test_planted_figures_of_any_type_leave_out_their_own_worker_alone(url: str) -> None:
    async def run() -> None:
        client = Redis.from_url(url)
        figures = worker(client, "a:1")
        figures.days = LabelDays(client)
        good = orjson.loads(figures.own().encode())
        await GroupBoard(client, "g").show("b:1", orjson.dumps(good | {"name": "b:1"}))
        for number, odd in enumerate(plant(good | {"name": "odd:1"})):
            await GroupBoard(client, "g").show(f"odd:{number}", orjson.dumps(odd))
        await figures.refresh()
        shown = figures.figures()
        assert {"a:1", "b:1"} <= {each["name"] for each in shown["workers"]}
        assert orjson.dumps(shown, option=orjson.OPT_NON_STR_KEYS)
        await client.aclose()

    asyncio.run(run())


def test_without_redis_a_worker_shows_itself() -> None:
    async def run() -> None:
        client = Redis.from_url("redis://127.0.0.1:1/0")
        figures = worker(client, "a:1")
        figures.days = LabelDays(client)
        await figures.refresh()
        said = figures.figures()
        assert said["shared"] is False
        assert len(said["workers"]) == 1
        await client.aclose()

    asyncio.run(run())


def test_counts_of_labels_are_those_of_a_week_and_of_today(url: str) -> None:
    now = 1_800_000_000.0

    async def run() -> None:
        nonlocal now
        client = Redis.from_url(url)
        days = LabelDays(client, clock=lambda: now)
        for _ in range(9):
            metrics.count("deid_entities_total", "PATIENT", by=3)
            metrics.count("deid_notes_total", "emitted", by=2)
            await days.add(RunningCounts.read())
            now += DAY
        now -= DAY
        # Two workers add to the same counts; this one has nothing new.
        other = LabelDays(client, clock=lambda: now)
        await other.add(RunningCounts.read())
        for each in (days, other):
            await each.add(RunningCounts.read())
            assert (each.today.notes, each.today.labels) == (2, {"PATIENT": 3})
            assert (each.week.notes, each.week.labels) == (14, {"PATIENT": 21})
        await client.aclose()

    asyncio.run(run())


def test_a_fall_of_patients_is_seen_within_the_hour(url: str) -> None:
    now = 1_800_000_000.0

    async def run() -> None:
        nonlocal now
        client = Redis.from_url(url)
        figures = worker(client, "a:1")
        figures.days = LabelDays(client, clock=lambda: now)
        metrics.count("deid_notes_total", "emitted", by=1_000)
        for label, count in {"PATIENT": 3_000, "DATE": 5_000}.items():
            metrics.count("deid_entities_total", label, by=count)
        await figures.days.add(RunningCounts.read())
        now += DAY
        figures.recent.clock = lambda: now
        figures.recent.look()
        metrics.count("deid_notes_total", "emitted", by=300)
        metrics.count("deid_entities_total", "DATE", by=1_500)
        await figures.refresh()
        concerns = {each["runbook"]: each for each in figures.figures()["concerns"]}
        assert concerns["EntityRateDrift"]["severity"] == "alarm"
        said = metrics.REGISTRY.get_sample_value(
            "deid_drift_psi", {"scope": "group", "window": "hour"}
        )
        assert (said or 0) > 0.25
        await client.aclose()

    asyncio.run(run())
