"""Whether the worker is alive (it makes progress) and ready (it has what it needs)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from deidstream.stream import metrics


@dataclass(slots=True)
class Health:
    """The state that the ops server reports. All times are of the monotonic clock, in seconds."""

    stall_seconds: float
    clock: Callable[[], float] = time.monotonic
    started: bool = False
    assigned: int = 0
    """Partitions this worker holds."""
    backlog: int = 0
    """Messages not yet acknowledged, those still in Kafka included."""
    in_flight: int = 0
    """Notes taken and not yet acknowledged."""
    away: dict[str, int] = field(default_factory=dict[str, int])
    """Services that calls are waiting for, and how many wait."""
    last_progress: float | None = None

    def record_taken(self, notes: int) -> None:
        """Note that messages were taken; the first ones start the stall clock."""
        if self.in_flight == 0:
            self.last_progress = self.clock()
        self._set_in_flight(self.in_flight + notes)

    def record_progress(self) -> None:
        """Note that a batch has its outcomes: a long group is slow, not stalled."""
        self.last_progress = self.clock()

    def record_acknowledged(self, notes: int) -> None:
        """Note that messages were acknowledged: this is progress."""
        self.record_progress()
        metrics.gauge("deid_last_progress_timestamp_seconds", time.time())
        self._set_in_flight(self.in_flight - notes)

    def record_unavailable(self, service: str) -> None:
        """Note that a call waits for ``service``."""
        metrics.count("deid_unavailable_total", service)
        self.away[service] = self.away.get(service, 0) + 1

    def record_available(self, service: str) -> None:
        """Note that a call waits no longer; the stall clock starts again."""
        self.last_progress = self.clock()
        self.away[service] -= 1
        if not self.away[service]:
            del self.away[service]

    def record_backlog(self, messages: int) -> None:
        """Note how many messages wait; the first ones start the stall clock."""
        if self.backlog == 0 and self.in_flight == 0:
            self.last_progress = self.clock()
        self.backlog = messages

    def alive(self) -> bool:
        """Return whether there is progress, or nothing to do, or a service to wait for."""
        idle = self.in_flight == 0 and self.backlog == 0
        if idle or self.away or self.last_progress is None:
            return True
        return self.clock() - self.last_progress < self.stall_seconds

    def ready(self) -> bool:
        """Return whether notes would be taken now."""
        return self.started and self.assigned > 0 and not self.away

    def _set_in_flight(self, notes: int) -> None:
        self.in_flight = notes
        metrics.gauge("deid_notes_in_flight", notes)
