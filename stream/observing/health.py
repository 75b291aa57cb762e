"""Whether the worker is alive (it makes progress) and ready (it has what it needs)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import Logger

LOG = Logger("health")
PROBE_PATHS = frozenset({"/livez", "/readyz"})
"""Pages that need no token: probes of orchestrators have none."""


class Lack(StrEnum):
    """What a worker that is not ready lacks, beside services that are unavailable."""

    START = "starting"
    """Models load, or the worker joins its group."""
    PARTITIONS = "partitions"
    """No partition of the input topic is this worker's."""
    TOPIC = "topic"
    """A topic that it reads or writes does not exist, or a partition of it has no leader."""


@dataclass(slots=True)
class Health:
    """The state that the ops server reports. All times are of the monotonic clock, in seconds."""

    stall_seconds: float
    clock: Callable[[], float] = time.monotonic
    consumes: bool = True
    """Whether notes come from Kafka; otherwise they come with requests."""
    started: bool = False
    assigned: int = 0
    """Partitions this worker holds."""
    unserved: tuple[str, ...] = ()
    """Topics of the worker that do not exist, or of which a partition has no leader."""
    backlog: int = 0
    """Messages not yet acknowledged, those still in Kafka included."""
    oldest_seconds: float = 0.0
    """Age of the oldest message not yet acknowledged; 0 where all are."""
    in_flight: int = 0
    """Notes taken and not yet acknowledged."""
    away: dict[str, int] = field(default_factory=dict[str, int])
    """Services that calls are waiting for, and how many wait."""
    away_since: dict[str, float] = field(default_factory=dict[str, float])
    probed: dict[str, bool] = field(default_factory=dict[str, bool])
    """Services that are asked regularly, and whether they answered last time."""
    last_progress: float | None = None

    def record_taken(self, notes: int) -> None:
        """Record that messages were taken; the first ones start the stall clock."""
        if self.in_flight == 0:
            self.last_progress = self.clock()
        self._set_in_flight(self.in_flight + notes)

    def record_progress(self) -> None:
        """Record that a batch has its outcomes: a long group is slow, not stalled."""
        self.last_progress = self.clock()

    def record_acknowledged(self, notes: int) -> None:
        """Record that messages were acknowledged: this is progress."""
        self.record_progress()
        metrics.gauge("deid_last_progress_timestamp_seconds", time.time())
        self._set_in_flight(self.in_flight - notes)

    def record_given_up(self, notes: int) -> None:
        """Record that messages were left to the new owner of their partition."""
        self._set_in_flight(self.in_flight - notes)

    def record_unavailable(self, service: str) -> None:
        """Record that a call waits for ``service``; the first of an outage is logged."""
        metrics.count("deid_unavailable_total", service)
        if service not in self.away:
            self.away_since[service] = self.clock()
            LOG.warning("unavailable", service=service)
        self.away[service] = self.away.get(service, 0) + 1

    def record_available(self, service: str) -> None:
        """Record that a call waits no longer; the stall clock starts again."""
        self.last_progress = self.clock()
        self.away[service] -= 1
        if not self.away[service]:
            del self.away[service]
            seconds = round(self.clock() - self.away_since.pop(service), 1)
            LOG.info("available", service=service, seconds=seconds)

    def record_probe(self, service: str, *, answers: bool) -> None:
        """Record whether a service answers the question that it is asked regularly.

        One that does not is unavailable. Calls that go on waiting for one that does are a stall.
        """
        before, self.probed[service] = self.probed.get(service, True), answers
        if before and not answers:
            self.record_unavailable(service)
        elif answers and not before:
            self.record_available(service)

    def record_topics(self, unserved: tuple[str, ...]) -> None:
        """Record which topics do not exist, or have a partition without a leader."""
        for topic in sorted(set(unserved) - set(self.unserved)):
            LOG.warning("topic-unserved", topic=topic)
        for topic in sorted(set(self.unserved) - set(unserved)):
            LOG.info("topic-served", topic=topic)
        self.unserved = unserved

    def record_backlog(self, messages: int) -> None:
        """Record how many messages wait; the first ones start the stall clock."""
        if self.backlog == 0 and self.in_flight == 0:
            self.last_progress = self.clock()
        self.backlog = messages

    def stalled_seconds(self) -> float:
        """Return for how long nothing came out although there is work and every service answers."""
        idle = self.in_flight == 0 and self.backlog == 0
        excused = any(not self.probed.get(service, False) for service in self.away)
        if idle or excused or self.last_progress is None:
            return 0.0
        return self.clock() - self.last_progress

    def alive(self) -> bool:
        """Return whether there is progress, or nothing to do, or a service to wait for."""
        return self.stalled_seconds() < self.stall_seconds

    def ready(self) -> bool:
        """Return whether notes would be taken now."""
        return not self.missing()

    def missing(self) -> tuple[str, ...]:
        """Return what this worker lacks to take notes: services, or what :class:`Lack` lists."""
        if not self.started:
            return (Lack.START, *sorted(self.away))
        if not self.consumes:
            return tuple(sorted(self.away))
        lacks = (
            *((Lack.TOPIC,) if self.unserved else ()),
            *(() if self.assigned else (Lack.PARTITIONS,)),
        )
        return (*sorted(self.away), *lacks)

    def away_seconds(self) -> dict[str, float]:
        """Return for how long each service has been unavailable."""
        now = self.clock()
        return {name: round(now - since, 1) for name, since in sorted(self.away_since.items())}

    def describe_life(self) -> dict[str, object]:
        """Return what ``/livez`` shows."""
        return {
            "alive": self.alive(),
            "stalled_seconds": round(self.stalled_seconds(), 1),
            "notes_in_flight": self.in_flight,
            "backlog": self.backlog,
        }

    def describe_readiness(self) -> dict[str, object]:
        """Return what ``/readyz`` shows."""
        return {
            "ready": self.ready(),
            "missing": self.missing(),
            "away_seconds": self.away_seconds(),
        }

    def _set_in_flight(self, notes: int) -> None:
        self.in_flight = notes
        metrics.gauge("deid_notes_in_flight", notes)
