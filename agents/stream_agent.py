"""The Faust agent: takes messages, keeps one batch ahead of the lane, acknowledges last."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from faust.types import EventT, StreamT

from deidstream.agents.reidentification.reversible_writer import ReversibleWriter
from deidstream.agents.service import Service
from deidstream.schemas.errors import Refused
from deidstream.schemas.outcome import Coordinates
from deidstream.stream import metrics
from deidstream.stream.health import Health
from deidstream.stream.logs import Logger
from deidstream.stream.outbox import Outbox

LOG = Logger("agent")
AHEAD = 2
"""Groups in work: one on the lane, one prefetched. All other messages stay in Kafka."""


class Taking(Protocol):
    """The part of a Faust stream that the agent uses."""

    enable_acks: bool

    def noack_take(self, max_: int, within: float) -> AsyncIterator[Sequence[EventT[bytes]]]:
        """Yield groups of events, none acknowledged."""
        ...

    async def ack(self, event: EventT[bytes]) -> bool:
        """Acknowledge one event."""
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
    broken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set after an internal error: the process must stop."""
    refused: Refused | None = None
    """Why it must, if an operator can correct it."""
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AHEAD))
    _tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    acked: dict[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    """By topic and partition, the offset after the last one that was acknowledged."""
    _last: asyncio.Task[None] | None = None
    _draining: bool = False

    async def consume(self, stream: StreamT[bytes]) -> None:
        """Take messages as long as the worker runs.

        ``take`` would acknowledge a batch whose body raised; ``noack_take`` leaves that to us. When
        its loop ends, though, it gives the stream back the ``enable_acks`` that it found, and the
        stream would go on to acknowledge unprocessed messages: it must find them switched off.
        """
        taking = cast("Taking", stream)
        taking.enable_acks = False
        async for events in taking.noack_take(self.most_notes, within=self.wait_seconds):
            await self._slots.acquire()
            if self._draining:
                # What was taken stays unacknowledged and is read again by the next worker.
                return
            self._start(taking, list(events))

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

    def _start(self, stream: Taking, events: Sequence[EventT[bytes]]) -> None:
        self.health.record_taken(len(events))
        task = asyncio.create_task(self._process_group(stream, events, self._last))
        self._last = task
        self._tasks.add(task)
        metrics.gauge("deid_lane_queue", len(self._tasks))
        task.add_done_callback(self._end_group)

    def _end_group(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        metrics.gauge("deid_lane_queue", len(self._tasks))
        self._slots.release()
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("group-failed", kind=type(error).__name__)
            self.refused = error if isinstance(error, Refused) else self.refused
            self.broken.set()

    async def _process_group(
        self,
        stream: Taking,
        events: Sequence[EventT[bytes]],
        before: asyncio.Task[None] | None,
    ) -> None:
        values = [event.value or b"" for event in events]
        outcomes = await self.service.run(values)
        if before is not None:
            # Outputs leave in the order of the inputs, so order per patient is kept.
            await before
        delivered = await self.outbox.deliver([_source(event) for event in events], outcomes)
        if self.reversible is not None:
            await self.reversible.write(values, delivered)
        _observe_latency(events)
        for event in events:
            await stream.ack(event)
            source = _source(event)
            self.acked[source.topic, source.partition] = source.offset + 1
        self.health.record_acknowledged(len(events))


def _source(event: EventT[bytes]) -> Coordinates:
    message = event.message
    return Coordinates(message.topic, message.partition, message.offset)


def _observe_latency(events: Sequence[EventT[bytes]]) -> None:
    now = time.time()
    for event in events:
        created = event.message.timestamp or now
        metrics.observe("deid_note_e2e_seconds", max(0.0, now - created))
