"""A small model of workers that take waiting notes in groups, and a simulation of it.

A worker takes what waits for it, at most ``batch`` notes, and is busy with them for
``base + notes * each`` seconds; each note then needs ``delay`` more until its output is read, in
which the worker is free for others. Bailey's bulk service queue (J. R. Statist. Soc. B 16, 1954)
with a service time that grows with the group.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PROFILE = (
    0.25, 0.2, 0.2, 0.2, 0.25, 0.4, 0.8, 1.3, 1.7, 1.9, 2.0, 1.9,
    1.6, 1.7, 1.8, 1.8, 1.6, 1.3, 1.0, 0.8, 0.6, 0.5, 0.4, 0.3,
)  # fmt: skip
"""Notes of each hour by those of a mean hour: an assumption about a hospital's working day."""
HOUR = 3_600.0
SPLITS = 21
"""Ways to split the latency of a lone note into busy time and delay that are tried."""

Times = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupService:
    """How long a worker takes for a group of notes."""

    base: float
    each: float
    delay: float
    batch: int

    def busy_seconds(self, notes: int) -> float:
        """Return how long a group keeps the worker busy."""
        return self.base + notes * self.each

    @property
    def speed(self) -> float:
        """Notes a second when there are always enough."""
        return self.batch / self.busy_seconds(self.batch)


@dataclass(frozen=True, slots=True)
class WorkerDay:
    """What a simulation saw."""

    p50: float
    p95: float
    worst: float
    busy_share: float


def draw_arrivals(rates: Sequence[float], seconds: float, seed: int = 1) -> Times:
    """Draw a Poisson process whose rate is constant in each of several spans of ``seconds``."""
    draws = np.random.default_rng(seed)
    spans = [
        number * seconds + np.sort(draws.uniform(0, seconds, draws.poisson(rate * seconds)))
        for number, rate in enumerate(rates)
    ]
    return np.concatenate(spans)


def simulate(arrivals: Times, service: GroupService) -> WorkerDay:
    """Let one worker take arrivals, sorted and at least one, in groups."""
    moments = arrivals.tolist()
    latencies = np.empty(len(moments))
    free = busy = 0.0
    first = 0
    while first < len(moments):
        start = max(free, moments[first])
        last = min(bisect_right(moments, start, lo=first), first + service.batch)
        free = start + service.busy_seconds(last - first)
        busy += free - start
        latencies[first:last] = free + service.delay - arrivals[first:last]
        first = last
    p50, p95, worst = np.quantile(latencies, (0.5, 0.95, 1.0)).tolist()
    return WorkerDay(p50, p95, worst, busy / max(free, moments[-1]))


def fit_service(
    speed: float, lone_seconds: float, loaded: tuple[float, float], batch: int
) -> GroupService:
    """Fit the times of a group to measurements.

    Args:
        speed: Notes a second when all wait.
        lone_seconds: Latency of a note that comes alone.
        loaded: Notes a second of a loaded worker, and its median latency.
        batch: Most notes of a group.

    Returns:
        Of the services with that speed and that latency alone, the one nearest under load.
    """
    arrivals = draw_arrivals([loaded[0]], max(600.0, 2_000 / loaded[0]))
    nearest, least = None, math.inf
    for delay in np.linspace(0, lone_seconds, SPLITS).tolist():
        service = _service_of(speed, lone_seconds, delay, batch)
        error = abs(simulate(arrivals, service).p50 - loaded[1])
        if nearest is None or error < least:
            nearest, least = service, error
    assert nearest is not None  # noqa: S101  at least one was tried
    return nearest


def _service_of(speed: float, lone_seconds: float, delay: float, batch: int) -> GroupService:
    """Return the service with this speed in full groups and this latency of a lone note.

    A note in a group takes no longer than alone: what the base cannot explain is delay.
    """
    each = 1 / speed
    if batch > 1:
        each = min(each, max(0.0, (batch / speed - lone_seconds + delay) / (batch - 1)))
    base = batch * (1 / speed - each)
    return GroupService(base, each, max(0.0, lone_seconds - base - each), batch)


@dataclass(frozen=True, slots=True)
class Sizing:
    """The fewest workers that keep a target."""

    workers: int
    partitions: int
    day: WorkerDay
    """Of the worker with the most partitions, around the busiest hour."""
    one_lost: WorkerDay | None
    """The same when one worker is gone; ``None`` where there is only one."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the workers must keep."""

    p95_seconds: float
    most_load: float
    """Share of the speed of a worker."""
    partitions_a_worker: int


def size_feed(peak_rate: float, service: GroupService, target: Target) -> Sizing:
    """Find the fewest workers that keep the target around the busiest hour.

    Args:
        peak_rate: Notes a second of all workers in the busiest hour.
        service: That of one worker.
        target: What they must keep.

    Raises:
        ValueError: A lone note takes longer than the target: no number of workers keeps it.
    """
    if service.busy_seconds(1) + service.delay > target.p95_seconds:
        message = "a note alone takes longer than the target"
        raise ValueError(message)
    workers = max(1, math.ceil(peak_rate / (service.speed * target.most_load)))
    while True:
        partitions = workers * target.partitions_a_worker
        day = simulate_busiest(peak_rate / workers, service)
        if day.p95 <= target.p95_seconds:
            break
        workers += max(1, workers // 50)
    lost = None
    if workers > 1:
        share = math.ceil(partitions / (workers - 1)) / partitions
        lost = simulate_busiest(peak_rate * share, service)
    return Sizing(workers, partitions, day, lost)


def simulate_busiest(peak_rate: float, service: GroupService) -> WorkerDay:
    """Simulate the three hours around the busiest one, of one worker."""
    peak = PROFILE.index(max(PROFILE))
    around = [PROFILE[hour] / PROFILE[peak] for hour in (peak - 1, peak, peak + 1)]
    return simulate(draw_arrivals([peak_rate * part for part in around], HOUR), service)
