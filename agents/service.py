"""The sandwich: a batch of messages in, one outcome a message out. It is total."""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from deidstream.agents.pipelines import OwnPipelines
from deidstream.agents.tenants import DEFAULT
from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Claim, Planned, Recall
from deidstream.models.surrogates.allocation import AllocatedSurrogates
from deidstream.schemas.errors import DeidError, Reason, Rejected, Stage, StageFailed
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Failed, Outcome
from deidstream.schemas.ports import SurrogateStore, TokenCounter
from deidstream.schemas.wire import decode
from deidstream.stream import metrics
from deidstream.stream.batching import cut, halves
from deidstream.stream.health import Health
from deidstream.stream.lane import Lane
from deidstream.stream.logs import Logger
from deidstream.stream.retry import Backoff, until_available

T = TypeVar("T")
UNLISTED = Failed(Reason.UNKNOWN_TENANT, Stage.DECODE)
"""A note whose tenant has no policy."""
LOG = Logger("service")
STORE_BACKOFF = Backoff(0.1, 0.5)
"""Between two questions to the store. Its breaker is asked for nothing, so they may be many."""


@contextmanager
def watch(stage: Stage) -> Generator[None]:
    """Time a stage, and let what it raises say the stage and nothing else."""
    try:
        with metrics.timed("deid_stage_seconds", stage):
            yield
    except DeidError:
        raise
    except Exception:  # noqa: BLE001 - whatever a stage raises may quote the note
        raise StageFailed(stage) from None


@dataclass(frozen=True, slots=True)
class Decoded:
    """A note, and how many word pieces it has."""

    note: RawNote
    tokens: int


@dataclass(slots=True)
class Service:
    """Turns messages into outcomes."""

    pipeline: Pipeline
    """What is in force. Another may be put here at any time, on the event loop: the batches that
    have begun end under the one they began with, so one policy alone makes a note's outcome."""
    store: SurrogateStore
    counter: TokenCounter
    lane: Lane
    health: Health
    budget_tokens: int
    note_bytes: int
    own: OwnPipelines = field(default_factory=OwnPipelines)
    """What is in force instead, for the tenants that have a policy of their own."""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """The group that came first is done first: batches of two would both come out late."""

    async def run(self, values: Sequence[bytes]) -> list[Outcome]:
        """Bring each message to its outcome, in the order of the messages.

        It does not raise for what is wrong with a note. While a service is away it waits.
        """
        decoded = await asyncio.to_thread(self._decoded, values)
        async with self._turn:
            outcomes = iter(await self._outcomes([d for d in decoded if isinstance(d, Decoded)]))
        return [item if isinstance(item, Failed) else next(outcomes) for item in decoded]

    def _decoded(self, values: Sequence[bytes]) -> "list[Decoded | Failed]":
        return [self._decode(value) for value in values]

    def _decode(self, value: bytes) -> "Decoded | Failed":
        try:
            with watch(Stage.DECODE):
                note = decode(value, limit_bytes=self.note_bytes)
                return Decoded(note, self.counter.count([note.text])[0])
        except Rejected as rejected:
            return Failed(rejected.reason, rejected.stage)

    async def _outcomes(self, decoded: "Sequence[Decoded]") -> list[Outcome]:
        outcomes: dict[int, Outcome] = {}
        parts = self.own.parted([item.note.tenant for item in decoded])
        for policy, places in parts.items():
            for batch in cut([decoded[place].tokens for place in places], self.budget_tokens):
                chosen = [places[number] for number in batch]
                made = await self._under(policy, [decoded[place] for place in chosen])
                outcomes.update(zip(chosen, made, strict=True))
                self.health.progressed()
        return [outcomes[place] for place in range(len(decoded))]

    async def _under(self, policy: str | None, batch: "Sequence[Decoded]") -> list[Outcome]:
        if policy is None:
            return [UNLISTED for _ in batch]
        tokens = sum(item.tokens for item in batch)
        _observe_batch(len(batch), tokens, self.budget_tokens)
        pipeline = self.pipeline if policy == DEFAULT else self.own.pipelines[policy]
        outcomes = await self._batch(pipeline, [item.note for item in batch], attempt=1)
        if policy == DEFAULT:
            return outcomes
        stamp = pipeline.releaser.stamp
        return [replace(o, stamp=stamp) if isinstance(o, Failed) else o for o in outcomes]

    async def _batch(
        self, pipeline: Pipeline, notes: Sequence[RawNote], attempt: int
    ) -> list[Outcome]:
        try:
            return await until_available(
                lambda: self._whole(pipeline, notes), log=LOG, health=self.health
            )
        except Rejected as rejected:
            if len(notes) == 1:
                return [Failed(rejected.reason, rejected.stage, attempt)]
        metrics.count("deid_batch_halved_total")
        first, second = halves(range(len(notes)))
        return [
            *await self._batch(pipeline, [notes[place] for place in first], attempt + 1),
            *await self._batch(pipeline, [notes[place] for place in second], attempt + 1),
        ]

    async def _whole(self, pipeline: Pipeline, notes: Sequence[RawNote]) -> list[Outcome]:
        planned = await self.lane.run(pipeline.prepare, notes)
        allocated = await self._surrogates(pipeline, planned)
        return await self.lane.run(pipeline.finish, planned, allocated)

    async def _surrogates(
        self, pipeline: Pipeline, planned: Sequence[Planned]
    ) -> AllocatedSurrogates:
        allocation = await self.lane.run(pipeline.allocate, planned)
        while (ask := allocation.ask) is not None:
            await self.lane.run(pipeline.take_answers, allocation, await self._answers(ask))
        allocated = allocation.result()
        recalled = len(allocated.surrogates) - allocated.claimed - allocated.shared
        metrics.count("deid_surrogate_lookups_total", "recalled", by=recalled)
        metrics.count("deid_surrogate_lookups_total", "claimed", by=allocated.claimed)
        metrics.count("deid_surrogate_lookups_total", "shared", by=allocated.shared)
        return allocated

    async def _answers(self, ask: Recall | Claim) -> Sequence[bytes | None]:
        if isinstance(ask, Recall):
            return await self._there(Stage.RECALL, lambda: self.store.recall(ask.names))
        return await self._there(Stage.CLAIM, lambda: self.store.claim(ask.pairs))

    async def _there(self, stage: Stage, ask: Callable[[], Awaitable[T]]) -> T:
        async def timed() -> T:
            with watch(stage):
                return await ask()

        # What was planned is kept while the store is away: models do not run again for nothing.
        return await until_available(timed, log=LOG, health=self.health, backoff=STORE_BACKOFF)


def _observe_batch(notes: int, tokens: int, budget_tokens: int) -> None:
    metrics.observe("deid_batch_notes", notes)
    metrics.observe("deid_batch_fill_ratio", min(1.0, tokens / budget_tokens))
    metrics.count("deid_batch_tokens_total", by=tokens)
