"""An ops server whose figures are made up, so that its page has every part of it filled."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

from deidstream.agents.operations.drift import LabelCounts
from deidstream.agents.operations.live_figures import LiveFigures
from deidstream.agents.operations.operations_page import operations_pages
from deidstream.agents.operations.recent_counts import SLOT_LENGTHS
from deidstream.agents.operations.standing_board import Standing, StandingBoard, StandingRow
from deidstream.agents.operations.worker_figures import WorkerFigures
from deidstream.stream.http.ops_server import serve
from deidstream.stream.observing.health import Health

LABELS = {"PATIENT": 3_100, "DATE": 5_200, "DOCTOR": 2_000, "PHONE": 480, "MEDICALRECORD": 900}
WEEK = LabelCounts(40_000, {label: 40 * count for label, count in LABELS.items()} | {"URL": 900})
STANDING = Standing(
    "2026-11-27T10:00+00:00",
    0.01,
    0.95,
    305,
    2,
    (
        StandingRow("", "all", 910, 4, 0.0015, 0.0103),
        StandingRow("", "consult", 60, 4, 0.0231, 0.1483),
        StandingRow("", "progress_note", 850, 0, 0.0, 0.0036),
        StandingRow("2026-W47", "all", 70, 4, 0.0198, 0.1275),
        StandingRow("2026-W48", "all", 40, 0, 0.0, 0.0738),
    ),
)
TODAY = LabelCounts(1_000, LABELS)


def sample_worker(name: str, now: float) -> WorkerFigures:
    """Figures of a busy worker."""
    slots = {
        str(length): {
            str(int(now // length) - back): (12 + 0.6 * (back % 7)) * length
            # This worker was started an hour and a half ago.
            for back in range(min(181, 5_400 // length))
        }
        for length in SLOT_LENGTHS
    }
    counts = {
        "notes": {"emitted": 11_400, "quarantined": 180},
        "quarantine": {"BAD_JSON": 120, "MISSING_FIELD": 45, "LEAK_DETECTED": 15},
        "leaks": {"known": 15},
        "levels": {"green": 6_000, "yellow": 4_000, "red": 1_400},
        "labels": LABELS,
        "surrogates": {"recalled": 90_000, "claimed": 20_000, "shared": 0, "displaced": 12},
        "latency": {"0.25": 9_000, "0.5": 11_000, "1.0": 11_390, "+Inf": 11_400},
        "stage_seconds": {"decode": 9, "detect": 412, "plan": 60, "verify": 20, "deliver": 14},
        "lanes": {"models": 610, "text": 420},
        "redis_seconds": {"recall": 2.1, "claim": 3.2},
        "redis_calls": {"recall": 700, "claim": 640},
        "batches": {"": 700},
        "batch_notes": {"": 11_400},
        "batch_fill": {"": 430},
    }
    info = {"policy": "surrogate", "policy_sha256": "ab" * 32, "version": "0.1.0"}
    return WorkerFigures(
        name=name,
        version="0.1.0",
        up_seconds=86_000,
        alive=True,
        missing=(),
        away_seconds={},
        partitions=6,
        lag=420,
        oldest_seconds=3.5,
        in_flight=96,
        now_seconds=15,
        now={"emitted": 210, "quarantined": 3},
        window_seconds=900,
        counts=cast("dict[str, dict[str, float]]", counts),
        slots=slots,
        hour={**LABELS, "PATIENT": 900},
        hour_notes=1_000,
        totals={"emitted": 812_345, "quarantined": 912},
        runs=({**info, "index": "cd" * 32, "tagger": "ef" * 32 + ":int8", "key_version": "1"},),
        engine="tagger by openvino (the faster one, as measured)",
        redis={
            "away": False,
            "faults": ["lax-sync"],
            "memory_bytes": 9e8,
            "memory_limit_bytes": 1e9,
            "evicted": 0,
        },
    )


def sample_live_figures(now: float) -> LiveFigures:
    """Figures of a group of three, two of which show theirs; one of those is stalled."""
    figures = LiveFigures(Health(10, started=True, assigned=6), "deidstream", name="worker-0:8080")
    away = sample_worker("worker-2:8080", now)
    stalled = replace(away, alive=False, away_seconds={"redis": 12.0}, missing=("redis",))
    figures.others = (sample_worker("worker-1:8080", now), stalled)
    figures.days = cast("Any", _SampleDays())
    figures.standing = StandingBoard(cast("Any", None), shown=STANDING)
    return figures


class _SampleDays:
    today, week = TODAY, WEEK

    async def add(self, _: object) -> None:
        """Add nothing."""


@contextmanager
def served(figures: LiveFigures, token: str = "") -> Generator[str]:
    """Serve the page of some figures, in another thread; yield its address."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        pages = operations_pages(figures.figures)
        started = serve(figures.health, host="127.0.0.1", port=0, token=token, pages=pages)
        server = asyncio.run_coroutine_threadsafe(started, loop).result(10)
        try:
            yield server.url
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
