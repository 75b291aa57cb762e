"""Start batches in order, a few at a time, and let a batch wait for those that began before it."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from deidstream.stream.lanes.lane import Lane

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EarlierBatches:
    """The batches that were in work when one began."""

    _tasks: frozenset["asyncio.Task[Any]"] = frozenset()

    async def wait(self) -> None:
        """Wait until each of them has ended, in whatever way."""
        if self._tasks:
            await asyncio.wait(self._tasks)


@dataclass(slots=True)
class BatchOrder:
    """Runs batches beside one another, at most ``most``."""

    most: int
    starting: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by a group until all its batches have started: two that took turns by batches would both
    end late."""
    _slots: asyncio.Semaphore = field(init=False)
    _running: set["asyncio.Task[Any]"] = field(default_factory=set["asyncio.Task[Any]"])

    def __post_init__(self) -> None:
        """Begin with nothing in work."""
        self._slots = asyncio.Semaphore(self.most)

    async def start(
        self, run: Callable[[EarlierBatches], Coroutine[Any, Any, T]]
    ) -> "asyncio.Task[T]":
        """Start a batch once fewer than ``most`` are in work.

        However it ends, by an error or cancelled too, its place is free and no other waits for it.
        """
        await self._slots.acquire()
        task = asyncio.create_task(run(EarlierBatches(frozenset(self._running))))
        self._running.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: "asyncio.Task[Any]") -> None:
        self._running.discard(task)
        self._slots.release()


@dataclass(frozen=True, slots=True)
class OrderedLane:
    """A lane, and the order of the batches that run on it."""

    lane: Lane
    order: BatchOrder


@dataclass(frozen=True, slots=True)
class BatchTurn:
    """Where a batch runs, and which batches come before it there."""

    lane: Lane
    earlier: EarlierBatches


async def cancel_all(tasks: "Collection[asyncio.Task[T]]") -> None:
    """Cancel what still runs, wait for its end, and drop what else was raised."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
