"""List what needs attention in the figures, in sentences, the most urgent first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from deidstream.agents.operations.drift import ALARM, WARN, Drift
from deidstream.agents.operations.running_counts import RunningCounts
from deidstream.agents.operations.standing_board import ALL_TYPES, ClaimState, Standing
from deidstream.agents.operations.worker_figures import WorkerFigures
from deidstream.stream.redis.redis_checks import Fault

OLDEST_SECONDS = 60.0
"""A note that waits for longer is late."""
QUARANTINE_SHARE = 0.01
LEAST_NOTES = 50
"""A share of fewer notes says nothing."""
MEMORY_SHARE = 0.8
LAX = frozenset(
    {
        Fault.VOLATILE,
        Fault.UNREADABLE,
        Fault.UNREPLICATED,
        Fault.SNAPSHOTS_ONLY,
        Fault.LAX_SYNC,
    }
)
"""Faults by which Redis may lose what it has confirmed; the others are graver."""


class Severity(StrEnum):
    """How urgent it is."""

    ALARM = "alarm"
    WARN = "warn"


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing that needs attention."""

    severity: Severity
    runbook: str
    """Name of the alert for the same state, which is its section of docs/runbooks.md."""
    text: str


def find_concerns(
    workers: Sequence[WorkerFigures], drift: Drift | None, standing: Standing | None = None
) -> list[Concern]:
    """List what needs attention, alarms first."""
    counts = RunningCounts.add(worker.window() for worker in workers)
    found = [
        *(concern for worker in workers for concern in _worker_concerns(worker)),
        *_redis_concerns(workers),
        *_note_concerns(counts),
        *(_drift_concerns(drift) if drift else ()),
        *(_standing_concerns(standing) if standing else ()),
        *_group_concerns(workers),
    ]
    return sorted(found, key=lambda concern: concern.severity is not Severity.ALARM)


def _worker_concerns(worker: WorkerFigures) -> Iterator[Concern]:
    if not worker.alive:
        yield Concern(Severity.ALARM, "WorkerStalled", f"{worker.name} has work and finishes none")
    for service, seconds in worker.away_seconds.items():
        away = f"{worker.name} has been without {service} for {seconds:.0f} s"
        yield Concern(Severity.ALARM, "RedisAway" if service == "redis" else "NoProgress", away)
    if "topic" in worker.missing:
        yield Concern(Severity.ALARM, "NoProgress", "a topic is missing or has no leader")


def _redis_concerns(workers: Sequence[WorkerFigures]) -> Iterator[Concern]:
    found = {Fault(name) for worker in workers for name in _faults(worker)}
    if unsafe := found - LAX:
        text = f"Redis cannot be trusted: {', '.join(sorted(unsafe))}"
        yield Concern(Severity.ALARM, "RedisUnsafe", text)
    if lax := found & LAX:
        text = f"Redis may lose what it has confirmed: {', '.join(sorted(lax))}"
        yield Concern(Severity.WARN, "RedisLax", text)
    shares = [
        _number(worker, "memory_bytes") / limit
        for worker in workers
        if (limit := _number(worker, "memory_limit_bytes"))
    ]
    if max(shares, default=0.0) > MEMORY_SHARE:
        text = f"Redis has used {max(shares):.0%} of its memory"
        yield Concern(Severity.ALARM, "RedisFull", text)


def _note_concerns(counts: RunningCounts) -> Iterator[Concern]:
    if leaks := counts.total("leaks"):
        text = f"{leaks:.0f} outputs with original PHI were stopped in the last 15 minutes"
        yield Concern(Severity.ALARM, "LeakScanHit", text)
    notes, failed = counts.total("notes"), counts.total("quarantine")
    if notes >= LEAST_NOTES and failed / notes > QUARANTINE_SHARE:
        text = f"{failed / notes:.1%} of the notes of the last 15 minutes are in quarantine"
        yield Concern(Severity.ALARM, "QuarantineSpike", text)


def _drift_concerns(drift: Drift) -> Iterator[Concern]:
    for window, psi in drift.psi.items():
        if psi is not None and psi >= WARN:
            text = f"identifiers of the {window} differ from last week's: PSI {psi:.2f}"
            severity = Severity.ALARM if psi >= ALARM else Severity.WARN
            yield Concern(severity, "EntityRateDrift", text)
    for row in drift.labels:
        if row.fell and row.ratio is not None:
            text = f"{row.label} is found {1 - row.ratio:.0%} less often than last week"
            yield Concern(Severity.ALARM, "LabelRateFell", text)


def _standing_concerns(standing: Standing) -> Iterator[Concern]:
    allowed = f"{1_000 * standing.claim:g}"
    for row in standing.totals():
        of = "" if row.note_type == ALL_TYPES else f" of type {row.note_type}"
        state = standing.judge(row)
        if state is ClaimState.OVER:
            text = (
                f"more than {1_000 * row.lower:.1f} of 1,000 outputs{of} leak, the plan allows "
                f"{allowed}: {row.leaking} of {row.read} that were read do"
            )
            yield Concern(Severity.ALARM, "LeaksOverPlan", text)
        elif state is ClaimState.UNPROVED:
            text = (
                f"up to {1_000 * row.upper:.1f} of 1,000 outputs{of} may leak, the plan allows "
                f"{allowed}, though {row.read} were read"
            )
            yield Concern(Severity.WARN, "LeakBoundOverPlan", text)


def _group_concerns(workers: Sequence[WorkerFigures]) -> Iterator[Concern]:
    oldest = max((worker.oldest_seconds for worker in workers), default=0.0)
    if oldest > OLDEST_SECONDS:
        yield Concern(
            Severity.ALARM, "LagSecondsHigh", f"the oldest note has waited {oldest:.0f} s"
        )
    kinds = {tuple(sorted(tuple(run.items()) for run in worker.runs)) for worker in workers}
    if len({kind for kind in kinds if kind}) > 1:
        yield Concern(
            Severity.WARN, "WorkersDiffer", "workers run different policies, models or keys"
        )


def _faults(worker: WorkerFigures) -> list[str]:
    named = worker.redis.get("faults")
    return [str(name) for name in named if name in set(Fault)] if isinstance(named, list) else []


def _number(worker: WorkerFigures, name: str) -> float:
    value = worker.redis.get(name, 0.0)
    return float(value) if isinstance(value, (int, float)) else 0.0
