"""Compute the notes of all requests together, taking one note of each in turn."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

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


@dataclass(slots=True)
class SharedBatches:
    """Gathers the notes of requests into groups for one service.

    Requests take turns by notes, so that one with many does not hold up one with few.
    """

    service: Service
    rule: GatherRule
    _requests: deque[deque[_Asked]] = field(default_factory=deque[deque[_Asked]])
    """Notes that wait, by request; the first request is the next to give one."""
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _groups: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(GROUPS))
    _computing: set["asyncio.Task[list[Outcome]]"] = field(
        default_factory=set["asyncio.Task[list[Outcome]]"]
    )

    async def run(self, values: Sequence[bytes]) -> list[Outcome]:
        """Return the outcomes of the notes of one request, in their order.

        When it is cancelled, notes that were not taken yet are not computed.

        Raises:
            Refused: The store may no longer be used.
        """
        loop = asyncio.get_running_loop()
        asked = deque(_Asked(value, loop.create_future()) for value in values)
        outcomes = [each.outcome for each in asked]
        if asked:
            self._requests.append(asked)
            self._arrived.set()
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
            asked = request.popleft()
            if request:
                self._requests.append(request)
            if not asked.outcome.done():
                yield asked

    def _start(self, group: Sequence[_Asked], arrivals: Arrivals[_Asked]) -> None:
        task = asyncio.create_task(self._compute(group))
        self._computing.add(task)
        metrics.gauge("deid_lane_queue", len(self._computing))

        def end(ended: "asyncio.Task[list[Outcome]]") -> None:
            self._computing.discard(ended)
            metrics.gauge("deid_lane_queue", len(self._computing))
            self._groups.release()
            arrivals.wake()
            _answer(group, ended)

        task.add_done_callback(end)

    async def _compute(self, group: Sequence[_Asked]) -> list[Outcome]:
        health = self.service.health
        health.record_taken(len(group))
        try:
            return await self.service.run([each.value for each in group])
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
