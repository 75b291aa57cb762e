"""The counts of a worker that the operations page is made of, and what was added to them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from deidstream.stream.observing import metrics


@dataclass(frozen=True, slots=True)
class MeasuredSeries:
    """A series of the catalogue of metrics, and the label that it is split by."""

    name: str
    label: str = ""
    """``""``: the series has no label."""


MEASURED: Mapping[str, MeasuredSeries] = MappingProxyType(
    {
        "notes": MeasuredSeries("deid_notes_total", "outcome"),
        "quarantine": MeasuredSeries("deid_quarantine_total", "reason"),
        "leaks": MeasuredSeries("deid_leak_scan_hits_total", "kind"),
        "levels": MeasuredSeries("deid_risk_level_total", "level"),
        "labels": MeasuredSeries("deid_entities_total", "label"),
        "surrogates": MeasuredSeries("deid_surrogate_lookups_total", "result"),
        "latency": MeasuredSeries("deid_note_e2e_seconds_bucket", "le"),
        "stage_seconds": MeasuredSeries("deid_stage_seconds_sum", "stage"),
        "lanes": MeasuredSeries("deid_lane_busy_seconds_total", "lane"),
        "redis_seconds": MeasuredSeries("deid_redis_seconds_sum", "call"),
        "redis_calls": MeasuredSeries("deid_redis_seconds_count", "call"),
        "batches": MeasuredSeries("deid_batch_notes_count"),
        "batch_notes": MeasuredSeries("deid_batch_notes_sum"),
        "batch_fill": MeasuredSeries("deid_batch_fill_ratio_sum"),
        "unavailable": MeasuredSeries("deid_unavailable_total", "service"),
    }
)
"""The series of each count, by the name of the count on the page."""

Parts = dict[str, float]
"""A count by the value of its label; under ``""`` where it has none."""


@dataclass(frozen=True, slots=True)
class RunningCounts:
    """Counts at one moment, or what was added between two."""

    parts: Mapping[str, Parts]
    """By the names of :data:`MEASURED`."""

    @classmethod
    def read(cls) -> "RunningCounts":
        """Read the counts of this process."""
        series = metrics.read_series()
        found: dict[str, Parts] = {}
        for name, measured in MEASURED.items():
            parts = found.setdefault(name, {})
            for labels, value in series.get(measured.name, {}).items():
                part = dict(labels).get(measured.label, "")
                # A series may have labels beside the one that it is split by here.
                parts[part] = parts.get(part, 0.0) + value
        return cls(found)

    @classmethod
    def add(cls, several: Iterable["RunningCounts"]) -> "RunningCounts":
        """Add counts of several workers."""
        total: dict[str, Parts] = {name: {} for name in MEASURED}
        for counts in several:
            for name, parts in counts.parts.items():
                into = total.setdefault(name, {})
                for part, value in parts.items():
                    into[part] = into.get(part, 0.0) + value
        return cls(total)

    def since(self, before: "RunningCounts") -> "RunningCounts":
        """Return what was added since an earlier moment."""
        added: dict[str, Parts] = {}
        for name, parts in self.parts.items():
            earlier = before.of(name)
            added[name] = {part: value - earlier.get(part, 0.0) for part, value in parts.items()}
        return RunningCounts(added)

    def of(self, name: str) -> Parts:
        """Return one count by its parts."""
        return self.parts.get(name, {})

    def total(self, name: str) -> float:
        """Return one count, its parts added."""
        return sum(self.of(name).values())


def quantile(cumulative: Mapping[str, float], share: float) -> float | None:
    """Estimate a quantile from the buckets of a histogram, as Prometheus does.

    Args:
        cumulative: How many observations were at most ``le``, by ``le`` as text.
        share: In ``[0, 1]``.

    Returns:
        The quantile, linear inside its bucket; the greatest finite bound where it lies beyond;
        ``None`` without observations.
    """
    bounds = sorted((float(bound), count) for bound, count in cumulative.items())
    if not bounds or bounds[-1][1] <= 0:
        return None
    rank = share * bounds[-1][1]
    low, below = 0.0, 0.0
    for bound, count in bounds:
        if count >= rank and count > below:
            if bound == float("inf"):
                return low
            return low + (bound - low) * (rank - below) / (count - below)
        low, below = bound, count
    return low
