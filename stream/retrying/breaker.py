"""Break the circuit to a service that is unavailable: one call at a time tries it, none waits.

Source: M. Nygard, Release It! (2nd edition, 2018), chapter 5, "Circuit Breaker".
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeVar

from deidstream.schemas.errors import Refused, Unavailable
from deidstream.schemas.ports import SurrogateStore
from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import Logger
from deidstream.stream.retrying.retry import Backoff, few_times

T = TypeVar("T")
LOG = Logger("breaker")


class BreakerState(IntEnum):
    """Whether calls go through."""

    CLOSED = 0
    HALF_OPEN = 1
    OPEN = 2


@dataclass(slots=True)
class Breaker:
    """Lets calls of one service through, or refuses them at once."""

    service: str
    tries: int = 2
    """How often a call is made before the service counts as unavailable."""
    backoff: Backoff = field(default_factory=Backoff)
    """How long it stays open, by how often in a row it has opened."""
    clock: Callable[[], float] = time.monotonic
    state: BreakerState = BreakerState.CLOSED
    _opened: int = 0
    _due: float = 0.0
    _since: float = 0.0

    async def call(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask the service.

        Raises:
            Unavailable: The service is unavailable, or was a moment ago. Other errors pass through.
        """
        if self.state is BreakerState.CLOSED:
            return await self._ask(lambda: few_times(ask, self.tries, self.backoff))
        if self.state is BreakerState.HALF_OPEN or self.clock() < self._due:
            raise Unavailable(self.service)
        self._enter(BreakerState.HALF_OPEN)
        try:
            return await self._ask(ask)
        finally:
            self._reopen_if_cancelled()

    async def _ask(self, ask: Callable[[], Awaitable[T]]) -> T:
        try:
            answer = await ask()
        except Unavailable:
            self._open()
            raise
        except Refused:
            self._close()
            raise
        self._close()
        return answer

    def _open(self) -> None:
        now = self.clock()
        if self.state is BreakerState.CLOSED:
            self._since = now
            LOG.warning("breaker-open", service=self.service)
        if self.state is not BreakerState.OPEN:
            self._opened += 1
            self._due = now + self.backoff.jittered_seconds(self._opened)
            self._enter(BreakerState.OPEN)

    def _reopen_if_cancelled(self) -> None:
        # A cancelled call shows nothing about the service.
        if self.state is BreakerState.HALF_OPEN:
            self._open()

    def _close(self) -> None:
        if self.state is not BreakerState.CLOSED:
            self._opened = 0
            self._enter(BreakerState.CLOSED)
            away = round(self.clock() - self._since, 1)
            LOG.info("breaker-closed", service=self.service, seconds=away)

    def _enter(self, state: BreakerState) -> None:
        self.state = state
        metrics.gauge("deid_breaker_state", state, self.service)


@dataclass(frozen=True, slots=True)
class GuardedStore:
    """A store behind a breaker."""

    inner: SurrogateStore
    breaker: Breaker

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read as the store does.

        Raises:
            Unavailable: The store is unavailable, or was a moment ago.
        """
        return await self.breaker.call(lambda: self.inner.recall(names))

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        """Write as the store does.

        Raises:
            Unavailable: The store is unavailable, or was a moment ago.
        """
        return await self.breaker.call(lambda: self.inner.claim(pairs))
