"""What needs attention."""

import time
from dataclasses import replace

import pytest

from deidstream.agents.operations.attention import find_concerns
from deidstream.agents.operations.standing_board import Standing, StandingRow
from deidstream.agents.operations.worker_figures import WorkerFigures
from support.sample_figures import sample_worker

GOOD = replace(
    sample_worker("a:1", time.time()),
    counts={"notes": {"emitted": 1_000}},
    redis={"faults": [], "memory_bytes": 1.0, "memory_limit_bytes": 10.0},
)


def runbooks(*workers: WorkerFigures) -> list[str]:
    return [concern.runbook for concern in find_concerns(workers, None)]


def test_of_good_workers_there_is_nothing_to_say() -> None:
    assert runbooks(GOOD, replace(GOOD, name="b:1")) == []
    assert runbooks() == []


@pytest.mark.parametrize(
    ("worker", "runbook"),
    [
        (replace(GOOD, alive=False), "WorkerStalled"),
        (replace(GOOD, away_seconds={"redis": 9.0}), "RedisAway"),
        (replace(GOOD, away_seconds={"kafka": 9.0}), "NoProgress"),
        (replace(GOOD, missing=("topic",)), "NoProgress"),
        (replace(GOOD, redis={"faults": ["evicts"]}), "RedisUnsafe"),
        (replace(GOOD, redis={"faults": ["lax-sync"]}), "RedisLax"),
        (replace(GOOD, redis={"memory_bytes": 9.0, "memory_limit_bytes": 10.0}), "RedisFull"),
        (replace(GOOD, counts={"leaks": {"known": 1.0}}), "LeakScanHit"),
        (
            replace(GOOD, counts={"notes": {"emitted": 97.0}, "quarantine": {"BAD_JSON": 3.0}}),
            "QuarantineSpike",
        ),
        (replace(GOOD, oldest_seconds=61.0), "LagSecondsHigh"),
    ],
)
def test_each_concern_has_its_runbook(worker: WorkerFigures, runbook: str) -> None:
    assert runbooks(worker) == [runbook]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (StandingRow("", "all", 300, 0, 0.0, 0.01), []),
        (StandingRow("", "all", 20, 1, 0.0026, 0.217), []),  # too few to prove anything
        (StandingRow("", "all", 400, 3, 0.002, 0.019), [("LeakBoundOverPlan", "warn")]),
        (StandingRow("", "all", 400, 12, 0.017, 0.048), [("LeaksOverPlan", "alarm")]),
        (StandingRow("", "consult", 40, 6, 0.067, 0.276), [("LeaksOverPlan", "alarm")]),
        (StandingRow("2026-W48", "all", 40, 6, 0.067, 0.276), []),  # one week alone
    ],
)
def test_leaks_over_the_plan_are_said(row: StandingRow, expected: list[tuple[str, str]]) -> None:
    standing = Standing("2026-11-27T10:00+00:00", 0.01, 0.95, 299, 0, (row,))
    found = find_concerns([GOOD], None, standing)
    assert [(one.runbook, one.severity) for one in found] == expected
    assert all(row.note_type == "all" or row.note_type in one.text for one in found)


def test_two_keys_in_one_group_are_said() -> None:
    other = replace(GOOD, name="b:1", runs=({**GOOD.runs[0], "key_version": "2"},))
    assert runbooks(GOOD, other) == ["WorkersDiffer"]
    loading = replace(GOOD, name="b:1", runs=())
    assert runbooks(GOOD, loading) == []


def test_what_all_workers_see_of_redis_is_said_once() -> None:
    lax = replace(GOOD, redis={"faults": ["lax-sync"]})
    assert runbooks(lax, replace(lax, name="b:1")) == ["RedisLax"]


def test_what_another_worker_made_up_is_not_shown() -> None:
    assert runbooks(replace(GOOD, redis={"faults": ["<b>x</b>"], "memory_bytes": "much"})) == []


def test_alarms_come_first() -> None:
    worker = replace(GOOD, alive=False, redis={"faults": ["lax-sync"]})
    assert [c.severity for c in find_concerns([worker], None)] == ["alarm", "warn"]


def test_a_share_of_few_notes_says_nothing() -> None:
    few = replace(GOOD, counts={"notes": {"emitted": 9.0}, "quarantine": {"BAD_JSON": 1.0}})
    assert runbooks(few) == []
