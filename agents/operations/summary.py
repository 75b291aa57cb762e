"""Summarize counts for the page: those of one worker, or of a whole group."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deidstream.agents.operations.recent_counts import SLOT_SECONDS, SLOTS
from deidstream.agents.operations.running_counts import Parts, RunningCounts, quantile
from deidstream.agents.operations.worker_figures import WorkerFigures
from deidstream.schemas.errors import Stage

Figures = dict[str, Any]
"""A part of ``/figures``, as JSON has it."""


def summarize_counts(counts: RunningCounts, seconds: float) -> Figures:
    """Return latency, batches, stages, risk, quarantine, surrogates and calls of a window.

    Args:
        counts: What was counted.
        seconds: Length of the window; of a group, the sum over its workers.
    """
    notes = counts.total("notes")
    latency = counts.of("latency")
    return {
        "notes": _whole(counts.of("notes")),
        "latency_seconds": {
            "p50": quantile(latency, 0.5),
            "p95": quantile(latency, 0.95),
            "p99": quantile(latency, 0.99),
        },
        "batch_fill": _ratio(counts.total("batch_fill"), counts.total("batches")),
        "batch_notes": _ratio(counts.total("batch_notes"), counts.total("batches")),
        "stage_ms_a_note": {
            stage: 1_000 * counts.of("stage_seconds")[stage] / notes
            for stage in Stage
            if notes and stage in counts.of("stage_seconds")
        },
        "lanes_busy": {
            lane: _ratio(each, seconds) for lane, each in sorted(counts.of("lanes").items())
        },
        "levels": _whole(counts.of("levels")),
        "quarantine": _some(counts.of("quarantine")),
        "quarantine_share": _ratio(counts.total("quarantine"), notes),
        "leaks_stopped": _some(counts.of("leaks")),
        "surrogates": _whole(counts.of("surrogates")),
        "redis_ms_a_call": {
            call: _ratio(1_000 * each, counts.of("redis_calls").get(call, 0.0))
            for call, each in sorted(counts.of("redis_seconds").items())
        },
        "unavailable": _some(counts.of("unavailable")),
    }


def summarize_worker(worker: WorkerFigures) -> Figures:
    """Return the row of one worker."""
    counts = worker.window()
    return {
        "name": worker.name,
        "version": worker.version,
        "up_seconds": worker.up_seconds,
        "alive": worker.alive,
        "missing": worker.missing,
        "away_seconds": worker.away_seconds,
        "partitions": worker.partitions,
        "lag": worker.lag,
        "oldest_seconds": worker.oldest_seconds,
        "in_flight": worker.in_flight,
        "notes_per_second": _speed([worker]),
        "totals": _whole(worker.totals),
        "engine": worker.engine,
        "runs": worker.runs,
        "redis": worker.redis,
        **summarize_counts(counts, worker.window_seconds),
    }


def summarize_group(workers: Sequence[WorkerFigures]) -> Figures:
    """Return the sums over all workers."""
    counts = RunningCounts.add(worker.window() for worker in workers)
    return {
        "workers": len(workers),
        "partitions": sum(worker.partitions for worker in workers),
        "lag": sum(worker.lag for worker in workers),
        "oldest_seconds": max((worker.oldest_seconds for worker in workers), default=0.0),
        "in_flight": sum(worker.in_flight for worker in workers),
        "notes_per_second": _speed(workers),
        "totals": _whole(_add(worker.totals for worker in workers)),
        **summarize_counts(counts, sum(worker.window_seconds for worker in workers)),
    }


def summarize_range(workers: Iterable[WorkerFigures], length: int, now: float) -> Figures:
    """Return the notes of all workers in each slot of a range, the oldest first.

    A slot in which no worker counted has ``None``.

    Args:
        workers: All workers.
        length: Seconds of a slot.
        now: The wall clock.
    """
    # The slot that has just ended may not have come from the other workers yet.
    last = int((now - SLOT_SECONDS) // length) - 1
    total: Parts = _add(worker.slots.get(str(length), {}) for worker in workers)
    numbers = [str(slot) for slot in range(last - SLOTS + 1, last + 1)]
    notes = [round(total[one], 2) if one in total else None for one in numbers]
    return {"slot_seconds": length, "until": (last + 1) * length, "notes": notes}


def _speed(workers: Iterable[WorkerFigures]) -> float:
    speeds = (_ratio(sum(each.now.values()), each.now_seconds) or 0.0 for each in workers)
    return round(sum(speeds), 2)


def _add(several: Iterable[Mapping[str, float]]) -> Parts:
    total: Parts = {}
    for parts in several:
        for part, value in parts.items():
            total[part] = total.get(part, 0.0) + value
    return total


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _whole(parts: Mapping[str, float]) -> dict[str, int]:
    return {part: round(value) for part, value in sorted(parts.items())}


def _some(parts: Mapping[str, float]) -> dict[str, int]:
    """Return the parts that are not 0, the greatest first."""
    found = sorted(_whole(parts).items(), key=lambda each: -each[1])
    return {part: value for part, value in found if value}
