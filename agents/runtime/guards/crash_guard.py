"""Find the note that kills the process, and quarantine it without running it again.

What was in work when a process ended is run note by note. A note that was alone in work at each of
the next ends is the one. The notes beside it have come out by then.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from deidstream.schemas.errors import Reason, Stage
from deidstream.schemas.outcome import Coordinates, Failed, Outcome, Place
from deidstream.stream.observing.logs import Logger
from deidstream.stream.redis.crash_marks import CrashMarks, PriorMarks, ranges_of

LOG = Logger("crash-guard")


class OutcomeMaker(Protocol):
    """Brings messages to outcomes; see :class:`deidstream.agents.runtime.service.Service`."""

    async def run(self, values: Sequence[bytes]) -> list[Outcome]:
        """Bring each message to its outcome."""
        ...


@dataclass(slots=True)
class Gate:
    """Lets groups run beside one another, or one alone."""

    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _running: int = 0
    _alone: bool = False

    @asynccontextmanager
    async def enter(self, *, alone: bool) -> AsyncGenerator[None]:
        """Wait for those that may not run beside this one."""
        async with self._changed:
            await self._changed.wait_for(lambda: not (self._alone or (alone and self._running)))
            self._running += 1
            self._alone = alone
        try:
            yield
        finally:
            async with self._changed:
                self._running -= 1
                self._alone = False
                self._changed.notify_all()


@dataclass(slots=True)
class CrashGuard:
    """Runs groups; notes that were in work when a process ended are run alone."""

    marks: CrashMarks
    deliveries: int
    """Abnormal ends after which a note is quarantined: the first in a group, the others alone."""
    _gate: Gate = field(default_factory=Gate)

    async def run(
        self, service: OutcomeMaker, sources: Sequence[Coordinates], values: Sequence[bytes]
    ) -> list[Outcome]:
        """Bring each message to its outcome, in the order of the messages."""
        ranges = ranges_of(sources)
        self.marks.take(ranges)
        async with self._gate.enter(alone=False):
            prior = await self.marks.begin(ranges)
            if not any(_suspected(prior, source) for source in sources):
                outcomes = await service.run(values)
                self.marks.end(ranges)
                return outcomes
        async with self._gate.enter(alone=True):
            outcomes = await self._run_apart(service, prior, sources, values)
        self.marks.end(ranges)
        return outcomes

    async def _run_apart(
        self,
        service: OutcomeMaker,
        prior: Mapping[Place, PriorMarks],
        sources: Sequence[Coordinates],
        values: Sequence[bytes],
    ) -> list[Outcome]:
        """Run suspects alone, and the notes between them together."""
        outcomes, waiting = list[Outcome](), list[bytes]()
        suspects = sum(_suspected(prior, source) for source in sources)
        LOG.warning("process-ended-before", notes=suspects)
        for source, value in zip(sources, values, strict=True):
            if not _suspected(prior, source):
                waiting.append(value)
                continue
            outcomes += await service.run(waiting) if waiting else []
            waiting.clear()
            outcomes.append(await self._run_alone(service, prior, source, value))
        outcomes += await service.run(waiting) if waiting else []
        await self.marks.flush()
        return outcomes

    async def _run_alone(
        self,
        service: OutcomeMaker,
        prior: Mapping[Place, PriorMarks],
        source: Coordinates,
        value: bytes,
    ) -> Outcome:
        ends = 1 + _of(prior, source).alone.get(source.offset, 0)
        if ends >= self.deliveries:
            LOG.error(
                "note-kills-process",
                topic=source.topic,
                partition=source.partition,
                offset=source.offset,
            )
            return Failed(Reason.PROCESS_KILLED, Stage.PROCESS, ends)
        await self.marks.begin_alone(source)
        running = asyncio.ensure_future(service.run([value]))
        try:
            await asyncio.wait({running})
        finally:
            running.cancel()
        # The process has outlived the note; if something was raised, that is another matter.
        self.marks.end_alone(source)
        if running.exception() is not None:
            await self.marks.flush()
        (outcome,) = running.result()
        return outcome


def _of(prior: Mapping[Place, PriorMarks], source: Coordinates) -> PriorMarks:
    return prior.get(source.place, PriorMarks())


def _suspected(prior: Mapping[Place, PriorMarks], source: Coordinates) -> bool:
    return _of(prior, source).holds(source.offset)
