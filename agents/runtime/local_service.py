"""The worker's service without Kafka, on an event loop of its own for callers that block."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from deidstream.agents.runtime.compose import Runtime, build_service
from deidstream.agents.runtime.local_ranks import LocalRanks
from deidstream.agents.runtime.note_explainer import NoteExplainer
from deidstream.agents.runtime.policy_files import TenantPipelines
from deidstream.agents.runtime.service import Service
from deidstream.agents.runtime.span_finder import SpanFinder
from deidstream.agents.settings import Settings
from deidstream.models.explanation.explain_run import PlaceQuestion
from deidstream.models.explanation.explained_note import ExplainedNote
from deidstream.models.neural.model_turn import take_text_turn
from deidstream.schemas.errors import Unavailable
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.ports import SurrogateStore
from deidstream.schemas.span import Span
from deidstream.stream.lanes.lane import Lane
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health

if TYPE_CHECKING:
    # Files and callers that keep surrogates in memory need no client of Redis.
    from deidstream.agents.runtime.guards.redis_guard import RedisGuard

T = TypeVar("T")


def local_service(
    settings: Settings, parts: Runtime, store: SurrogateStore, own: TenantPipelines
) -> Service:
    """Make a service with a lane of its own, for notes that do not come from Kafka.

    Args:
        settings: All settings.
        parts: Of the policy that the settings name.
        store: Keeps the surrogates.
        own: The pipelines of tenants that have a policy of their own.
    """
    return build_service(
        settings,
        parts,
        store,
        lane=Lane(take_text_turn),
        health=Health(settings.worker.stall_seconds),
        tenant_pipelines=own,
    )


@dataclass(slots=True)
class LocalService:
    """The worker's service with its store, on the event loop of a :class:`Deidentifier`."""

    service: Service
    guard: "RedisGuard | None" = None
    """The guard of the Redis that stores the surrogates; ``None`` when memory does."""
    batch_notes: int = 64
    check_seconds: float = 0
    """How often Redis is checked; 0: only at the start."""
    ranks: LocalRanks = field(default_factory=LocalRanks)
    """Gives levels by share."""
    _checked_at: float = field(default_factory=time.monotonic)

    async def admit(self) -> None:
        """Check Redis before the first note.

        Raises:
            Refused: Redis may not be used as a vault.
            Unavailable: Redis cannot be reached.
        """
        if self.guard is not None:
            await self.guard.admit()

    async def run(self, values: Sequence[bytes], *, together: bool = False) -> list[Outcome]:
        """Bring messages to their outcomes, as a worker does.

        Args:
            values: The messages.
            together: Whether they are all messages of their patients; then their order is nothing.

        Raises:
            Refused: Redis may no longer be used as a vault.
        """
        await self._check_redis()
        service = self.service
        made = await (service.run_together(values) if together else service.run(values))
        outcomes = await self.ranks.rank(made)
        emitted = sum(isinstance(outcome, Anonymized) for outcome in outcomes)
        metrics.count("deid_notes_total", "emitted", by=emitted)
        return outcomes

    async def find(self, value: bytes) -> tuple[Span, ...]:
        """Find the PHI of one message.

        Raises:
            Rejected: It is not a note, or a recognizer did not finish on it, also within its time.
        """
        return await SpanFinder.of_service(self.service).find_one(value)

    async def explain(self, value: bytes, question: PlaceQuestion) -> ExplainedNote:
        """Bring a message to its outcome, and explain places of it; nothing is stored.

        Raises:
            Refused: Redis may no longer be used as a vault.
        """
        await self._check_redis()
        return await NoteExplainer.of_service(self.service).explain(value, question)

    async def close(self) -> None:
        """Release the lane and the connections."""
        self.service.lane.close()
        await self.ranks.close()
        if self.guard is not None:
            await self.guard.close()

    async def _check_redis(self) -> None:
        due = self._checked_at + self.check_seconds
        if self.guard is None or not self.check_seconds or time.monotonic() < due:
            return
        self._checked_at = time.monotonic()
        # While Redis cannot be reached, the service itself waits for it.
        with suppress(Unavailable):
            await self.guard.check()


class LoopThread:
    """An event loop on a thread of its own, for callers that block."""

    def __init__(self) -> None:
        """Start the thread."""
        self._loop = asyncio.new_event_loop()
        self._submitting = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="deid", daemon=True)
        self._thread.start()

    def run(self, call: Coroutine[Any, Any, T], timeout_seconds: float | None) -> T:
        """Run a coroutine on the loop and return what it returns; raise what it raises.

        Raises:
            TimeoutError: It took longer than ``timeout_seconds``; it is cancelled.
            RuntimeError: The loop was stopped.
        """
        with self._submitting:
            if self._closed:
                call.close()
                msg = "this Deidentifier is closed"
                raise RuntimeError(msg)
            future = asyncio.run_coroutine_threadsafe(call, self._loop)
        try:
            return future.result(timeout_seconds)
        finally:
            # Nothing happens to a call that has ended.
            future.cancel()

    def stop(self, close: Callable[[], Awaitable[None]]) -> None:
        """Cancel the calls in progress, run ``close`` on the loop, and end the thread."""
        with self._submitting:
            if self._closed:
                return
            self._closed = True
        asyncio.run_coroutine_threadsafe(_finish(close), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _finish(close: Callable[[], Awaitable[None]]) -> None:
    """Cancel the calls in progress, so that no caller waits for ever, then close."""
    calls = asyncio.all_tasks() - {asyncio.current_task()}
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    await close()
    await asyncio.get_running_loop().shutdown_default_executor()
