"""Log one line a minute about what a worker does."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger

LOG = Logger("worker")
_FILL = "deid_batch_fill_ratio"


@dataclass(frozen=True, slots=True)
class RunningTotals:
    """Running totals of a worker."""

    at: float
    emitted: float
    quarantined: float
    filled: float
    """Sum of the fill ratios of all batches."""
    batches: float

    @classmethod
    def read(cls, at: float) -> "RunningTotals":
        """Read the totals from the metrics."""
        return cls(
            at,
            metrics.value("deid_notes_total", "emitted"),
            metrics.value("deid_notes_total", "quarantined"),
            metrics.REGISTRY.get_sample_value(f"{_FILL}_sum") or 0.0,
            metrics.REGISTRY.get_sample_value(f"{_FILL}_count") or 0.0,
        )


@dataclass(slots=True)
class ThroughputLog:
    """Logs what happened since its last line."""

    health: Health
    clock: Callable[[], float] = time.monotonic
    last: RunningTotals = field(init=False)

    def __post_init__(self) -> None:
        """Count from now on."""
        self.last = RunningTotals.read(self.clock())

    def write(self) -> None:
        """Log one line."""
        before, now = self.last, RunningTotals.read(self.clock())
        self.last = now
        notes = now.emitted - before.emitted
        batches = now.batches - before.batches
        LOG.info(
            "throughput",
            notes=int(notes),
            notes_per_second=round(notes / max(now.at - before.at, 1e-9), 2),
            quarantined=int(now.quarantined - before.quarantined),
            lag=self.health.backlog,
            batch_fill=round((now.filled - before.filled) / batches, 2) if batches else None,
            away=",".join(self.health.missing()) or None,
        )
