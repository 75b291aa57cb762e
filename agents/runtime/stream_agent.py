"""The Faust agent: takes messages, keeps a group ahead of the lanes, delivers in order.

The order is that of each partition. A group waits for earlier ones with which it shares a
partition. A long note, and a message that merges patients, is a group of its own: what was read
behind it in its partition is held until it has been delivered, and all other partitions go on.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from faust.types import EventT, StreamT

from deidstream.agents.runtime.guards.crash_guard import CrashGuard, OutcomeMaker
from deidstream.agents.runtime.guards.failure_circuit import FailureCircuit
from deidstream.agents.runtime.long_notes import LongNotes, is_long
from deidstream.agents.runtime.patient_merges import may_merge
from deidstream.agents.runtime.reversible_writer import ReversibleWriter
from deidstream.agents.runtime.service import Service
from deidstream.agents.runtime.shared_ranks import SharedRanks
from deidstream.schemas.errors import Refused
from deidstream.schemas.outcome import Coordinates, Outcome, Place
from deidstream.stream.delivery.faust_reader import reading_of
from deidstream.stream.delivery.kept_outcomes import KeptOutcomes
from deidstream.stream.delivery.note_ages import NoteAges
from deidstream.stream.delivery.outbox import Outbox
from deidstream.stream.delivery.positions import Taken
from deidstream.stream.kafka.retention_gap import RetentionGaps
from deidstream.stream.lanes.gathering import Arrivals, GatherRule
from deidstream.stream.lanes.partition_order import PartitionOrder
from deidstream.stream.observing import metrics, tracing
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger

LOG = Logger("agent")
AHEAD = 3
"""Groups in work: one is delivered, one computed, and one decoded, so that its batches can begin.
But for the group after these, long notes, of which a partition has one in work, and what was
fetched behind these before their partitions stopped being read, all messages stay in Kafka."""
MOST_KEPT = 1_024
"""Outcomes kept for notes that are read again after a rebalance."""


Event = EventT[bytes]


def _source(event: Event) -> Coordinates:
    message = event.message
    return Coordinates(message.topic, message.partition, message.offset)


def _order_partitions() -> PartitionOrder[Event]:
    return PartitionOrder(
        place_of=lambda event: _source(event).place,
        is_long=lambda event: is_long(_value(event)) or may_merge(_value(event)),
    )


def _value(event: Event) -> bytes:
    return event.value or b""


class Taking(Protocol):
    """The part of a Faust stream that the agent uses."""

    enable_acks: bool

    def events(self) -> AsyncIterator[Event]:
        """Yield events; none is acknowledged while ``enable_acks`` is false."""
        ...


@dataclass(frozen=True, slots=True)
class Group:
    """Messages that are processed and delivered together."""

    taken: Taken
    events: Sequence[Event]
    before: Collection[asyncio.Task[None]]
    """The groups before it in its partitions."""
    trace: tracing.GroupTrace

    @property
    def values(self) -> list[bytes]:
        """The message of each note, as it came."""
        return [_value(event) for event in self.events]


ProcessGroup = Callable[[Group], Coroutine[Any, Any, None]]
"""Brings a group to its end."""


@dataclass(slots=True)
class StreamAgent:
    """Brings messages from the stream to the outbox."""

    service: Service
    long_notes: LongNotes
    outbox: Outbox
    health: Health
    most_notes: int
    wait_seconds: float
    reversible: ReversibleWriter | None = None
    """Writes reversible records; ``None`` when they are off."""
    crash_guard: CrashGuard | None = None
    """Finds notes that kill the process."""
    ranks: SharedRanks | None = None
    """Gives levels by share."""
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
    _last: dict[Place, asyncio.Task[None]] = field(default_factory=dict[Place, asyncio.Task[None]])
    """By partition, the last group that has messages of it."""
    _partitions: PartitionOrder[Event] = field(default_factory=_order_partitions)
    _computing: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    """Groups of short notes whose outcomes are not there yet."""
    _long_turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by the long note that is computed."""
    _arrivals: Arrivals[Event] | None = None
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

    def _start(self, events: Sequence[Event]) -> None:
        positions = self.outbox.assignment.positions
        # What was read before the last rebalance is read again.
        read = [reading_of(event.message) for event in events]
        current = positions.take([_source(event) for event in events], read)
        due = self._partitions.sort([events[n] for n in current], positions.reading)
        if due.together:
            group = self._begin(due.together, self._process_group)
            self._computing.add(group)
            group.add_done_callback(self._end_computing)
            group.add_done_callback(lambda _: self._slots.release())
        else:
            self._slots.release()
        for event in due.alone:
            self._start_alone(event)

    def _start_alone(self, event: Event) -> None:
        """Begin a long note or a merge, and read no more of its partition until it has ended."""
        place = _source(event).place
        held = self.outbox.assignment.held
        held.add(place)
        process = self._process_long if is_long(_value(event)) else self._process_merge
        task = self._begin((event,), process)

        def end(_: asyncio.Task[None]) -> None:
            held.discard(place)
            if self._arrivals is not None:
                self._arrivals.put_back(self._partitions.release(place))

        task.add_done_callback(end)

    def _begin(self, events: Sequence[Event], process: ProcessGroup) -> asyncio.Task[None]:
        """Take a group of messages, and process it behind those with which it shares partitions."""
        positions = self.outbox.assignment.positions
        sources = [_source(event) for event in events]
        self.gaps.follow(sources, positions.taken)
        taken = positions.start(sources)
        self.ages.take(sources, [event.message.timestamp for event in events])
        self.health.record_taken(len(events))
        before = {self._last[place] for place in taken.starts if place in self._last}
        trace = tracing.begin_group([_arrive(event) for event in events])
        group = Group(taken, events, before, trace)
        task = asyncio.create_task(process(group), context=trace.context)
        self._last.update(dict.fromkeys(taken.starts, task))
        self._tasks.add(task)
        metrics.gauge("deid_lane_queue", len(self._tasks))
        task.add_done_callback(lambda _: self.ages.drop(sources))
        task.add_done_callback(lambda _: trace.end())
        task.add_done_callback(self._end_group)
        return task

    def _end_group(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        metrics.gauge("deid_lane_queue", len(self._tasks))
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("group-failed", kind=type(error).__name__)
            self.refused = error if isinstance(error, Refused) else self.refused
            self.broken.set()

    def _end_computing(self, task: asyncio.Task[None] | None) -> None:
        """Let the next group be taken without a wait."""
        self._computing -= {task}
        if self._arrivals is not None:
            self._arrivals.wake()

    async def _process_group(self, group: Group) -> None:
        outcomes = await self._compute(self.service, group)
        self._end_computing(asyncio.current_task())
        # Outputs leave in the order of the inputs, so order per patient is kept.
        for earlier in group.before:
            await earlier
        await self._deliver(group, outcomes)

    async def _process_merge(self, group: Group) -> None:
        # What was read before it is not merged, and what is read behind it is.
        for earlier in group.before:
            await earlier
        if not self.outbox.assignment.positions.admit(group.taken):
            self.health.record_given_up(len(group.events))
            return
        outcomes = await self._compute(self.service, group)
        await self._deliver(group, outcomes)

    async def _process_long(self, group: Group) -> None:
        # What is claimed for notes before it in its partition is claimed first.
        for earlier in group.before:
            await earlier
        # One that waits is not begun: should the process be killed, it is not suspected of that.
        async with self._long_turn:
            if not self.outbox.assignment.positions.admit(group.taken):
                # Delivered meanwhile, or to be read again, by this worker or another.
                self.health.record_given_up(len(group.events))
                return
            outcomes = await self._compute(self.long_notes, group)
        await self._deliver(group, outcomes)

    async def _deliver(self, group: Group, outcomes: Sequence[Outcome]) -> None:
        taken, events, values = group.taken, group.events, group.values
        if self.ranks is not None:
            created = [event.message.timestamp for event in events]
            outcomes = await self.ranks.rank(outcomes, created)
        # Records of long notes take the event loop longer than a heartbeat may wait.
        headers = group.trace.traceparents
        notes = await asyncio.to_thread(self.outbox.encode, taken, outcomes, headers)
        if self.reversible is not None:
            await self.reversible.write(values, [note.outcome for note in notes])
        delivered = await self.outbox.deliver(taken, notes)
        _observe_latency([events[number] for number in delivered])
        for number, outcome in delivered.items():
            group.trace.end_note(number, outcome)
        for number in range(len(events)):
            if number not in delivered:
                self.kept.keep(taken.sources[number], values[number], outcomes[number])
        if delivered:
            self.health.record_acknowledged(len(delivered))
        self.health.record_given_up(len(events) - len(delivered))

    async def _compute(self, maker: OutcomeMaker, group: Group) -> list[Outcome]:
        sources, values = group.taken.sources, group.values
        known = [self.kept.take(*pair) for pair in zip(sources, values, strict=True)]
        fresh = [number for number, kept in enumerate(known) if kept is None]
        chosen = [sources[n] for n in fresh], [values[n] for n in fresh]
        made = iter(await self._run(maker, *chosen))
        return [next(made) if kept is None else kept for kept in known]

    async def _run(
        self, maker: OutcomeMaker, sources: Sequence[Coordinates], values: Sequence[bytes]
    ) -> list[Outcome]:
        if not values:
            return []
        if self.crash_guard is None:
            outcomes = await maker.run(values)
        else:
            outcomes = await self.crash_guard.run(maker, sources, values)
        if self.circuit is not None:
            self.circuit.add(outcomes)
        return outcomes


def _arrive(event: Event) -> tracing.Arrival:
    message = event.message
    headers = message.headers or ()
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    # The first counts; W3C says that there is one.
    stated = next((value for name, value in pairs if name == tracing.HEADER and value), None)
    return tracing.Arrival(
        _source(event),
        stated.decode("ascii", "replace") if stated else None,
        len(_value(event)),
        message.timestamp,
    )


def _observe_latency(events: Sequence[Event]) -> None:
    now = time.time()
    for event in events:
        created = event.message.timestamp or now
        metrics.observe("deid_note_e2e_seconds", max(0.0, now - created))
