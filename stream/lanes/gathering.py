"""Gather what arrives into groups: at once while a lane is free, fuller ones under load."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Generic, Self, TypeVar

from deidstream.stream.lanes.lane import BATCHES_IN_WORK

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GatherRule:
    """How long to wait for more before a group is taken."""

    most: int
    """Most items of a group."""
    wait_seconds: float
    """Longest wait after the first of them."""

    def wait_left(self, waiting: int, *, waited_seconds: float, busy: bool) -> float:
        """Return for how long more may be waited for; 0: the group is taken now.

        Args:
            waiting: Items that are there, at least 1.
            waited_seconds: Since the first of them arrived.
            busy: Whether both lanes have work. If one has none, waiting would gain nothing.
        """
        if not busy or waiting >= self.most:
            return 0.0
        return max(0.0, self.wait_seconds - waited_seconds)


@dataclass(frozen=True, slots=True)
class _Arrived(Generic[T]):
    item: T
    at: float
    """Reading of the clock."""


@dataclass(slots=True)
class Arrivals(Generic[T]):
    """Reads a source ahead, by one full group at most, while it is entered."""

    source: AsyncIterator[T]
    rule: GatherRule
    computing: Collection[object]
    """The groups that are computed; ``wake`` is to be called when they change."""
    clock: Callable[[], float] = time.monotonic
    _waiting: deque[_Arrived[T]] = field(default_factory=deque[_Arrived[T]])
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _room: asyncio.Event = field(default_factory=asyncio.Event)
    _reading: "asyncio.Task[None] | None" = None

    async def __aenter__(self) -> Self:
        """Begin to read."""
        self._reading = asyncio.create_task(self._read())
        self._reading.add_done_callback(lambda _: self._changed.set())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Stop reading; what was read and not taken is dropped."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def wake(self) -> None:
        """Look again whether a group is to be taken."""
        self._changed.set()

    def put_back(self, items: Iterable[T]) -> None:
        """Let items that were taken come again, before all that was read since."""
        now = self.clock()
        self._waiting.extendleft(_Arrived(item, now) for item in reversed([*items]))
        self._changed.set()

    async def take(self) -> list[T]:
        """Wait for the next group and return it; an empty one after the end of the source.

        Raises:
            Exception: What the source raised, after all that it gave has been taken.
        """
        while True:
            self._changed.clear()
            left = self._wait_left()
            if left == 0:
                return self._pop()
            if left is None and self._reading is not None and self._reading.done():
                self._reading.result()
                return []
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)

    def _wait_left(self) -> float | None:
        """Return for how long more may be waited for; ``None`` while nothing is there."""
        if not self._waiting:
            return None
        waited = self.clock() - self._waiting[0].at
        busy = len(self.computing) >= BATCHES_IN_WORK
        return self.rule.wait_left(len(self._waiting), waited_seconds=waited, busy=busy)

    def _pop(self) -> list[T]:
        number = min(len(self._waiting), self.rule.most)
        group = [self._waiting.popleft().item for _ in range(number)]
        self._room.set()
        return group

    async def _read(self) -> None:
        async for item in self.source:
            self._waiting.append(_Arrived(item, self.clock()))
            self._changed.set()
            while len(self._waiting) >= self.rule.most:
                self._room.clear()
                await self._room.wait()
