"""What the moments at which outputs came say about speed and latency."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from deidstream.study.bench.bench_figures import LoadFigures, Spread

SAME_BURST = 0.05
"""Seconds between outputs of one transaction, at most."""


@dataclass(frozen=True, slots=True)
class Burst:
    """Outputs that came together."""

    moment: float
    """When the last of them came."""
    notes: int


def group_bursts(moments: Sequence[float]) -> list[Burst]:
    """Group moments, sorted here, that follow each other closely."""
    bursts: list[Burst] = []
    for moment in sorted(moments):
        if bursts and moment - bursts[-1].moment <= SAME_BURST:
            bursts[-1] = Burst(moment, bursts[-1].notes + 1)
        else:
            bursts.append(Burst(moment, 1))
    return bursts


def rate_of(bursts: Sequence[Burst]) -> float:
    """Return notes a second from the first burst to the last; the notes of the first do not count.

    They were in work before the span began.
    """
    span = bursts[-1].moment - bursts[0].moment
    return sum(burst.notes for burst in bursts[1:]) / span if span > 0 else 0.0


def spread_rates(bursts: Sequence[Burst], parts: int) -> Spread:
    """Return the rate of the whole with the least and the most of its parts."""
    whole = rate_of(bursts)
    size = max(1, (len(bursts) - 1) // parts)
    cuts = [*range(0, len(bursts) - size, size), len(bursts) - 1]
    rates = [rate_of(bursts[start : end + 1]) for start, end in pairwise(cuts)]
    return Spread(whole, min([whole, *rates]), max([whole, *rates]))


def measure_latency(
    due: Mapping[str, float], seen: Mapping[str, float], rate: float, lag_p99_seconds: float
) -> LoadFigures:
    """Return the latencies of the notes that came out.

    Args:
        due: When each note was to be sent, by its pseudonym.
        seen: When each output came.
        rate: Notes a second that were sent.
        lag_p99_seconds: Lag of the event loop.
    """
    latencies = sorted(1000 * (seen[name] - moment) for name, moment in due.items() if name in seen)
    return LoadFigures(
        notes_per_second=rate,
        notes=len(latencies),
        p50_ms=quantile(latencies, 0.50),
        p95_ms=quantile(latencies, 0.95),
        lag_p99_ms=1000 * lag_p99_seconds,
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the least value that is not below a share of all; 0 of no values."""
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
