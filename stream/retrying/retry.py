"""Wait and retry; no other module sleeps between tries."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from deidstream.schemas.errors import Unavailable
from deidstream.stream.observing.health import Health

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before the next try, in seconds; doubling, bounded."""

    first_seconds: float = 0.1
    most_seconds: float = 5.0

    def wait_seconds(self, attempt: int) -> float:
        """Wait before try number ``attempt``, counted from 1."""
        return float(min(self.most_seconds, self.first_seconds * 2 ** min(attempt - 1, 16)))

    def jittered_seconds(self, attempt: int) -> float:
        """Return half to all of that wait, by chance, so that many calls do not come at once."""
        return self.wait_seconds(attempt) * (0.5 + secrets.randbelow(1_000_000) / 2_000_000)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point of the monotonic clock, shared by several waits."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """Return the deadline this many seconds from now."""
        return cls(time.monotonic() + seconds)

    def left_seconds(self) -> float:
        """Seconds left; 0 when it has passed."""
        return max(0.0, self.at - time.monotonic())


async def until_available(
    call: Callable[[], Awaitable[T]], *, health: Health, backoff: Backoff | None = None
) -> T:
    """Repeat ``call`` until the service it needs is there.

    The input stays unacknowledged meanwhile and nothing more is pulled, so the backlog stays in
    Kafka. Everything but :class:`Unavailable` is raised at once. ``health`` logs the outage.
    """
    try:
        return await call()
    except Unavailable as away:
        service = away.service
    health.record_unavailable(service)
    try:
        return await _retry(call, backoff or Backoff())
    finally:
        health.record_available(service)


async def few_times(
    call: Callable[[], Awaitable[T]],
    tries: int,
    backoff: Backoff | None = None,
    again: type[Unavailable] = Unavailable,
) -> T:
    """Make ``call`` up to ``tries`` times, with short waits between.

    Args:
        call: What is tried.
        tries: How often.
        backoff: The waits.
        again: What a further try may help against; everything else is raised at once.

    Raises:
        Unavailable: The service was unavailable each time.
    """
    for attempt in range(1, tries):
        try:
            return await call()
        except again:
            await asyncio.sleep((backoff or Backoff()).jittered_seconds(attempt))
    return await call()


async def pause(attempt: int, backoff: Backoff | None = None) -> None:
    """Wait before try number ``attempt`` of a call that its caller repeats."""
    await asyncio.sleep((backoff or Backoff()).jittered_seconds(attempt))


async def _retry(call: Callable[[], Awaitable[T]], backoff: Backoff) -> T:
    attempt = 1
    while True:
        await asyncio.sleep(backoff.jittered_seconds(attempt))
        try:
            return await call()
        except Unavailable:
            attempt += 1
