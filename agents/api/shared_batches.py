"""Compute the notes of all requests together, taking one note of each in turn.

A long note is computed beside them. In its request it comes in its place: it begins when those
before it have ended, and those behind it wait for it.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from deidstream.agents.runtime.guards.crash_guard import OutcomeMaker
from deidstream.agents.runtime.long_notes import LongNotes, is_long
from deidstream.agents.runtime.service import Service
from deidstream.schemas.outcome import Outcome
from deidstream.stream.lanes.gathering import Arrivals, GatherRule
from deidstream.stream.observing import metrics

GROUPS = 2
"""Groups in work: while one is computed, the next is decoded."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One note of a request."""

    value: bytes = field(repr=False)
    outcome: "asyncio.Future[Outcome]"


@dataclass(frozen=True, slots=True)
class _Request:
    """Notes that were asked for together, in their order."""

    waiting: deque[_Asked]
    begun: list["asyncio.Future[Outcome]"] = field(default_factory=list["asyncio.Future[Outcome]"])

    def take(self) -> _Asked:
        """Return the next note."""
        asked = self.waiting.popleft()
        self.begun.append(asked.outcome)
        return asked


@dataclass(slots=True)
class SharedBatches:
    """Gathers the notes of requests into groups for one service.

    Requests take turns by notes, so that one with many does not hold up one with few.
    """

    service: Service
    long_notes: LongNotes
    rule: GatherRule
    _requests: deque[_Request] = field(default_factory=deque[_Request])
    """Requests with notes that may begin; the first is the next to give one."""
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _groups: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(GROUPS))
    _computing: set["asyncio.Task[list[Outcome]]"] = field(
        default_factory=set["asyncio.Task[list[Outcome]]"]
    )
    _long: set["asyncio.Task[None]"] = field(default_factory=set["asyncio.Task[None]"])

    async def run(self, values: Sequence[bytes]) -> list[Outcome]:
        """Return the outcomes of the notes of one request, in their order.

        When it is cancelled, notes that were not taken yet are not computed.

        Raises:
            Refused: The store may no longer be used.
        """
        loop = asyncio.get_running_loop()
        asked = deque(_Asked(value, loop.create_future()) for value in values)
        outcomes = [each.outcome for each in asked]
        self._let_begin(_Request(asked))
        try:
            return await asyncio.gather(*outcomes)
        finally:
            for outcome in outcomes:
                outcome.cancel()

    async def work(self) -> None:
        """Take groups and compute them, until cancelled."""
        async with Arrivals(self._take_in_turns(), self.rule, self._computing) as arrivals:
            while True:
                await self._groups.acquire()
                taken = await arrivals.take()
                group = [each for each in taken if not each.outcome.done()]
                if group:
                    self._start(group, arrivals)
                else:
                    self._groups.release()

    async def _take_in_turns(self) -> AsyncIterator[_Asked]:
        while True:
            while not self._requests:
                self._arrived.clear()
                await self._arrived.wait()
            request = self._requests.popleft()
            asked = request.take()
            if is_long(asked.value) and not asked.outcome.done():
                task = asyncio.create_task(self._run_long(asked, request))
                self._long.add(task)
                task.add_done_callback(self._long.discard)
                continue
            self._let_begin(request)
            if not asked.outcome.done():
                yield asked

    def _let_begin(self, request: _Request) -> None:
        """Let the next note of a request be taken, if it has one."""
        if request.waiting:
            self._requests.append(request)
            self._arrived.set()

    async def _run_long(self, asked: _Asked, request: _Request) -> None:
        """Compute a long note between those before it and those behind it in its request."""
        before = request.begun[:-1]
        if before:
            await asyncio.wait(before)
        if not asked.outcome.done():
            computed = asyncio.create_task(self._compute(self.long_notes, [asked]))
            computed.add_done_callback(partial(_answer, [asked]))
            await asyncio.wait([computed])
        self._let_begin(request)

    def _start(self, group: Sequence[_Asked], arrivals: Arrivals[_Asked]) -> None:
        task = asyncio.create_task(self._compute(self.service, group))
        self._computing.add(task)
        metrics.gauge("deid_lane_queue", len(self._computing))

        def end(ended: "asyncio.Task[list[Outcome]]") -> None:
            self._computing.discard(ended)
            metrics.gauge("deid_lane_queue", len(self._computing))
            self._groups.release()
            arrivals.wake()
            _answer(group, ended)

        task.add_done_callback(end)

    async def _compute(self, maker: OutcomeMaker, group: Sequence[_Asked]) -> list[Outcome]:
        health = self.service.health
        health.record_taken(len(group))
        try:
            return await maker.run([each.value for each in group])
        finally:
            health.record_acknowledged(len(group))


def _answer(group: Sequence[_Asked], ended: "asyncio.Task[list[Outcome]]") -> None:
    """Give each note of a group its outcome, or the error of the group."""
    waiting = [each.outcome for each in group]
    if ended.cancelled():
        for outcome in waiting:
            outcome.cancel()
        return
    error = ended.exception()
    for place, outcome in enumerate(waiting):
        if outcome.done():
            continue
        if error is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(ended.result()[place])
