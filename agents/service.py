"""The sandwich: a batch of messages in, one outcome a message out. It is total."""

import asyncio
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from deidstream.models.pipeline import Pipeline
from deidstream.models.stages import Planned
from deidstream.schemas.errors import Rejected, Stage, StageFailed, Unavailable
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Failed, Outcome
from deidstream.schemas.ports import SurrogateStore, TokenCounter
from deidstream.schemas.wire import decode
from deidstream.stream import metrics
from deidstream.stream.batching import cut, halves
from deidstream.stream.health import Health
from deidstream.stream.lane import Lane
from deidstream.stream.logs import Logger
from deidstream.stream.retry import until_available

LOG = Logger("service")


@contextmanager
def watch(stage: Stage) -> Generator[None]:
    """Time a stage, and let what it raises say the stage and nothing else."""
    try:
        with metrics.timed("deid_stage_seconds", stage):
            yield
    except (Rejected, Unavailable):
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
        outcomes: list[Outcome] = []
        for batch in cut([item.tokens for item in decoded], self.budget_tokens):
            tokens = sum(decoded[place].tokens for place in batch)
            _observe_batch(len(batch), tokens, self.budget_tokens)
            notes = [decoded[place].note for place in batch]
            outcomes += await self._batch(self.pipeline, notes, attempt=1)
            self.health.progressed()
        return outcomes

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
        stored = await self._surrogates(pipeline, planned)
        return await self.lane.run(pipeline.finish, planned, stored)

    async def _surrogates(
        self, pipeline: Pipeline, planned: Sequence[Planned]
    ) -> Mapping[bytes, bytes]:
        names = list({need.name for item in planned for need in item.needs.values()})
        with watch(Stage.RECALL):
            values = await self.store.recall(names)
        known = {name: value for name, value in zip(names, values, strict=True) if value}
        pairs = await self.lane.run(pipeline.choose, planned, known)
        with watch(Stage.CLAIM):
            winners = await self.store.claim(pairs)
        metrics.count("deid_surrogate_lookups_total", "recalled", by=len(known))
        metrics.count("deid_surrogate_lookups_total", "claimed", by=len(pairs))
        return known | {name: won for (name, _), won in zip(pairs, winners, strict=True)}


def _observe_batch(notes: int, tokens: int, budget_tokens: int) -> None:
    metrics.observe("deid_batch_notes", notes)
    metrics.observe("deid_batch_fill_ratio", min(1.0, tokens / budget_tokens))
    metrics.count("deid_batch_tokens_total", by=tokens)
