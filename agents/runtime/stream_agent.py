"""The Faust agent: takes messages, keeps a group ahead of the lanes, delivers in order."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from faust.types import EventT, StreamT

from deidstream.agents.runtime.guards.crash_guard import CrashGuard
from deidstream.agents.runtime.guards.failure_circuit import FailureCircuit
from deidstream.agents.runtime.reversible_writer import ReversibleWriter
from deidstream.agents.runtime.service import Service
from deidstream.schemas.errors import Refused
from deidstream.schemas.outcome import Coordinates, Outcome, Place
from deidstream.stream.delivery.faust_reader import reading_of
from deidstream.stream.delivery.kept_outcomes import KeptOutcomes
from deidstream.stream.delivery.note_ages import NoteAges
from deidstream.stream.delivery.outbox import Outbox
from deidstream.stream.delivery.positions import Taken
from deidstream.stream.kafka.retention_gap import RetentionGaps
from deidstream.stream.lanes.gathering import Arrivals, GatherRule
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger

LOG = Logger("agent")
AHEAD = 3
"""Groups in work: one is delivered, one computed, and one decoded, so that its batches can begin.
But for the group after these, all other messages stay in Kafka."""
MOST_KEPT = 1_024
"""Outcomes kept for notes that are read again after a rebalance."""


class Taking(Protocol):
    """The part of a Faust stream that the agent uses."""

    enable_acks: bool

    def events(self) -> AsyncIterator[EventT[bytes]]:
        """Yield events; none is acknowledged while ``enable_acks`` is false."""
        ...


@dataclass(slots=True)
class StreamAgent:
    """Brings messages from the stream to the outbox."""

    service: Service
    outbox: Outbox
    health: Health
    most_notes: int
    wait_seconds: float
    reversible: ReversibleWriter | None = None
    """Writes reversible records; ``None`` when they are off."""
    crash_guard: CrashGuard | None = None
    """Finds notes that kill the process."""
    circuit: FailureCircuit | None = None
    """Stops the worker when most notes fail."""
    gaps: RetentionGaps = field(default_factory=RetentionGaps)
    ages: NoteAges = field(default_factory=NoteAges)
    broken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set after an internal error: the process must stop."""
    refused: Refused | None = None
    """Why it must, if an operator can correct it."""
    kept: KeptOutcomes = field(default_factory=lambda: KeptOutcomes(MOST_KEPT))
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AHEAD))
    _tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _last: asyncio.Task[None] | None = None
    _computing: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    """Groups whose outcomes are not there yet."""
    _arrivals: Arrivals[EventT[bytes]] | None = None
    _draining: bool = False

    @property
    def acked(self) -> dict[Place, int]:
        """By topic and partition, the position that this worker has committed or found."""
        delivered = self.outbox.assignment.positions.delivered
        return {place: at for place, at in delivered.items() if at >= 0}

    async def consume(self, stream: StreamT[bytes]) -> None:
        """Take messages as long as the worker runs.

        ``take`` would acknowledge a batch whose body raised. Here nothing is acknowledged, and
        nothing is acknowledged later: the outbox commits positions itself.
        """
        taking = cast("Taking", stream)
        taking.enable_acks = False
        rule = GatherRule(self.most_notes, self.wait_seconds)
        async with Arrivals(taking.events(), rule, self._computing) as arrivals:
            self._arrivals = arrivals
            while True:
                await self._slots.acquire()
                events = await arrivals.take()
                if not events or self._draining:
                    # What was taken is read again by the next worker.
                    return
                self._start(events)

    async def drain(self, seconds: float) -> bool:
        """Take no more messages and wait for those in work; return whether all were delivered."""
        self._draining = True
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        return not self._tasks

    def refuse(self, refused: Refused) -> None:
        """Stop the process, and keep the reason."""
        self.refused = refused
        self.broken.set()

    def _start(self, events: Sequence[EventT[bytes]]) -> None:
        positions = self.outbox.assignment.positions
        sources = [_source(event) for event in events]
        current = positions.take(sources, [reading_of(event.message) for event in events])
        if not current:
            # All were read before the last rebalance; they are read again.
            self._slots.release()
            return
        chosen = [sources[number] for number in current]
        self.gaps.follow(chosen, positions.taken)
        taken = positions.start(chosen)
        self.ages.take(chosen, [events[number].message.timestamp for number in current])
        self.health.record_taken(len(current))
        group = self._process_group(taken, [events[number] for number in current], self._last)
        task = asyncio.create_task(group)
        task.add_done_callback(lambda _: self.ages.drop(chosen))
        self._last = task
        self._tasks.add(task)
        self._computing.add(task)
        metrics.gauge("deid_lane_queue", len(self._tasks))
        task.add_done_callback(self._end_group)

    def _end_group(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._end_computing(task)
        metrics.gauge("deid_lane_queue", len(self._tasks))
        self._slots.release()
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("group-failed", kind=type(error).__name__)
            self.refused = error if isinstance(error, Refused) else self.refused
            self.broken.set()

    def _end_computing(self, task: asyncio.Task[None] | None) -> None:
        """Let the next group be taken without a wait."""
        self._computing -= {task}
        if self._arrivals is not None:
            self._arrivals.wake()

    async def _process_group(
        self, taken: Taken, events: Sequence[EventT[bytes]], before: asyncio.Task[None] | None
    ) -> None:
        values = [event.value or b"" for event in events]
        outcomes = await self._compute(taken.sources, values)
        self._end_computing(asyncio.current_task())
        if before is not None:
            # Outputs leave in the order of the inputs, so order per patient is kept.
            await before
        # Records of long notes take the event loop longer than a heartbeat may wait.
        notes = await asyncio.to_thread(self.outbox.encode, taken, outcomes)
        if self.reversible is not None:
            await self.reversible.write(values, [note.outcome for note in notes])
        delivered = await self.outbox.deliver(taken, notes)
        _observe_latency([events[number] for number in delivered])
        for number in range(len(events)):
            if number not in delivered:
                self.kept.keep(taken.sources[number], values[number], outcomes[number])
        if delivered:
            self.health.record_acknowledged(len(delivered))
        self.health.record_given_up(len(events) - len(delivered))

    async def _compute(
        self, sources: Sequence[Coordinates], values: Sequence[bytes]
    ) -> list[Outcome]:
        known = [self.kept.take(*pair) for pair in zip(sources, values, strict=True)]
        fresh = [number for number, kept in enumerate(known) if kept is None]
        made = iter(await self._run([sources[n] for n in fresh], [values[n] for n in fresh]))
        return [next(made) if kept is None else kept for kept in known]

    async def _run(self, sources: Sequence[Coordinates], values: Sequence[bytes]) -> list[Outcome]:
        if not values:
            return []
        if self.crash_guard is None:
            outcomes = await self.service.run(values)
        else:
            outcomes = await self.crash_guard.run(self.service, sources, values)
        if self.circuit is not None:
            self.circuit.add(outcomes)
        return outcomes


def _source(event: EventT[bytes]) -> Coordinates:
    message = event.message
    return Coordinates(message.topic, message.partition, message.offset)


def _observe_latency(events: Sequence[EventT[bytes]]) -> None:
    now = time.time()
    for event in events:
        created = event.message.timestamp or now
        metrics.observe("deid_note_e2e_seconds", max(0.0, now - created))
