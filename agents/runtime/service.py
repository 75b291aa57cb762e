"""Bring a batch of messages to one outcome a message; no message is left without one."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar, Unpack

from deidstream.agents.runtime.guards.note_limits import NoteLimits
from deidstream.agents.runtime.patient_merges import PatientMerges
from deidstream.agents.runtime.plans_ahead import PlansAhead
from deidstream.agents.runtime.policy_files import DEFAULT, TenantPipelines
from deidstream.models.messages.read_message import read_message
from deidstream.models.neural.model_turn import waited_for_models
from deidstream.models.patients.patient_log import Asking
from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Claim, Planned, Recall
from deidstream.models.surrogates.allocation import AllocatedSurrogates, Allocation
from deidstream.models.text.language import identify_language
from deidstream.models.verification.identifying_correlation import correlate
from deidstream.schemas.errors import (
    DeidError,
    NoteField,
    OutOfTime,
    Reason,
    Rejected,
    Stage,
    StageFailed,
    TooSlow,
)
from deidstream.schemas.languages import is_other_language
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Failed, LinkedPatients, Outcome
from deidstream.schemas.ports import SurrogateStore, TokenCounter
from deidstream.stream.lanes.batch_order import (
    BatchOrder,
    BatchTurn,
    EarlierBatches,
    OrderedLane,
    cancel_all,
)
from deidstream.stream.lanes.batching import choose_budget, cut_batches, halve
from deidstream.stream.lanes.lane import BATCHES_IN_WORK, Lane, LimitedLane
from deidstream.stream.observing import metrics, tracing
from deidstream.stream.observing.health import Health
from deidstream.stream.retrying.retry import Backoff, until_available

T = TypeVar("T")

UNKNOWN_TENANT = Failed(Reason.UNKNOWN_TENANT, Stage.DECODE)
"""The outcome of a note whose tenant has no policy."""
UNSUPPORTED_LANGUAGE = Failed(Reason.UNSUPPORTED_LANGUAGE, Stage.DECODE, field=NoteField.TEXT)
"""The outcome of a note in another language, where the policy quarantines such notes."""
_PLANNED = Failed(Reason.STAGE_FAILED, Stage.PLAN)
"""What stands for the outcome of a note that is planned; nobody gets to see it."""
Stages = Callable[[Pipeline, Sequence[RawNote], BatchTurn], Awaitable[Sequence[Outcome]]]
"""Brings notes of one policy and language to their outcomes."""
STORE_BACKOFF = Backoff(0.1, 0.5)
"""Between two questions to the store: short, for its breaker answers without asking Redis."""


@contextmanager
def watch(stage: Stage) -> Generator[None]:
    """Time a stage, and replace what it raises by an error that names the stage and nothing else.

    What it waits for a model that computes for another batch is left out of its time.

    Raises:
        TooSlow: The stage used up its budget of processor time.
        StageFailed: The stage raised what this project does not raise on purpose.
    """
    start, waited = time.perf_counter(), waited_for_models()
    try:
        yield
    except OutOfTime:
        raise TooSlow(stage) from None
    except DeidError:
        raise
    except Exception:  # noqa: BLE001 - whatever a stage raises may quote the note
        raise StageFailed(stage) from None
    finally:
        seconds = time.perf_counter() - start - (waited_for_models() - waited)
        metrics.observe("deid_stage_seconds", seconds, stage)


@contextmanager
def watch_batch(stage: Stage, **counts: Unpack[tracing.Counts]) -> Generator[None]:
    """Watch a stage of a whole batch, which is also a step of its trace.

    Raises:
        TooSlow: As ``watch`` does.
        StageFailed: As ``watch`` does.
    """
    with tracing.step(stage, **counts), watch(stage):
        yield


@dataclass(frozen=True, slots=True)
class DecodedNote:
    """A note, how many word pieces it has, and its language."""

    note: RawNote
    tokens: int
    """Estimated for a short note."""
    language: str


@dataclass(slots=True)
class Service:
    """Turns messages into outcomes."""

    pipeline: Pipeline
    """The default pipeline. It may be replaced at any time, on the event loop: a batch that has
    begun ends under the pipeline that it began with, so one policy alone makes a note's outcome."""
    store: SurrogateStore
    counter: TokenCounter
    lane: Lane
    health: Health
    budget_tokens: int
    limits: NoteLimits
    tenant_pipelines: TenantPipelines = field(default_factory=TenantPipelines)
    _order: BatchOrder = field(default_factory=lambda: BatchOrder(BATCHES_IN_WORK))

    async def run(self, values: Sequence[bytes]) -> list[Outcome]:
        """Bring each message to its outcome, in the order of the messages.

        It does not raise for what is wrong with a note. It waits while a service is unavailable.
        """
        return await self.run_on(OrderedLane(self.lane, self._order), values)

    async def run_on(self, ordered: OrderedLane, values: Sequence[bytes]) -> list[Outcome]:
        """Do what ``run`` does, on another lane and beside the batches of this one."""
        decoded = await asyncio.to_thread(self._decode_all, values)
        outcomes: list[Outcome] = []
        while decoded:
            # What a message says of patients counts for those behind it, and for none before it.
            said = await self._link_patients(decoded[0])
            end = await self._find_next_link(decoded)
            outcomes += await self._run_part(ordered, decoded[:end], said)
            decoded = decoded[end:]
        return outcomes

    async def run_together(self, values: Sequence[bytes]) -> list[Outcome]:
        """Bring all messages of some patients to their outcomes, whatever their order.

        What any of them says of patients counts for all. Every note is planned before the first
        surrogate is claimed, so that the claims of a patient depend on what the notes have, and not
        on which of them came first. It does not raise for what is wrong with a note, and waits
        while a service is unavailable.

        Args:
            values: All messages of each of these patients that one run has.
        """
        decoded = await asyncio.to_thread(self._decode_all, values)
        said = [await self._link_patients(item) for item in decoded]
        items = [
            linked if isinstance(linked, Failed) else item
            for item, linked in zip(decoded, said, strict=True)
        ]
        ordered, ahead = OrderedLane(self.lane, self._order), PlansAhead()
        first = await self._run_decoded(ordered, items, partial(self._plan_ahead, ahead))
        for pipeline, planned in ahead.list_by_policy():
            # Whatever is wrong with a note or its patient's slots, its own turn will show it.
            with suppress(Rejected):
                allocation = await self.lane.run(partial(pipeline.allocate, together=True), planned)
                _count_lookups(await self._finish_allocation(self.lane, pipeline, allocation))
        able = [
            item if isinstance(item, DecodedNote) and ahead.has(item.note) else failed
            for item, failed in zip(items, first, strict=True)
        ]
        outcomes = await self._run_decoded(ordered, able, partial(self._run_planned, ahead))
        return [_with_patients(*each) for each in zip(outcomes, said, strict=True)]

    def _decode_all(self, values: Sequence[bytes]) -> "list[DecodedNote | Failed]":
        with tracing.step(Stage.DECODE, notes=len(values)):
            return [self._decode(value) for value in values]

    def _decode(self, value: bytes) -> "DecodedNote | Failed":
        try:
            return self.read(value)
        except Rejected as rejected:
            return Failed.by(rejected)

    async def _link_patients(
        self, item: "DecodedNote | Failed"
    ) -> tuple[LinkedPatients, ...] | Failed:
        """Keep in the store what a message says of patients; return the records that say so."""
        if isinstance(item, Failed) or not (item.note.links or item.note.states_links):
            return ()
        pipeline = self.tenant_pipelines.choose(item.note.tenant, self.pipeline)
        if pipeline is None:
            return ()
        try:
            return await PatientMerges(pipeline, self._ask_all).link(item.note)
        except Rejected as rejected:
            return Failed.by(rejected)

    async def _find_next_link(self, decoded: "Sequence[DecodedNote | Failed]") -> int:
        """Return the place of the next message behind the first that says something of patients."""
        silent: dict[int, RawNote] = {}
        end = len(decoded)
        for place, item in enumerate(decoded[1:], 1):
            if isinstance(item, Failed):
                continue
            if item.note.links:
                end = place
                break
            if item.note.states_links:
                silent[place] = item.note
        for place, note in silent.items():
            pipeline = self.tenant_pipelines.choose(note.tenant, self.pipeline)
            try:
                if pipeline and await PatientMerges(pipeline, self._ask_all).has_stated(note):
                    return place
            except Rejected:
                # It fails alone, when its turn comes.
                return place
        return end

    async def _run_part(
        self,
        ordered: OrderedLane,
        part: "Sequence[DecodedNote | Failed]",
        said: tuple[LinkedPatients, ...] | Failed,
    ) -> list[Outcome]:
        """Run messages of which the first alone says something of patients, or could not."""
        if isinstance(said, Failed):
            rest = await self._run_part(ordered, part[1:], ()) if part[1:] else []
            return [said, *rest]
        outcomes = await self._run_decoded(ordered, part, self._run_stages)
        return [_with_patients(outcomes[0], said), *outcomes[1:]]

    async def _retract(self, note: RawNote) -> Outcome:
        """Take a note back; no model is asked for what has no text."""
        pipeline = self.tenant_pipelines.choose(note.tenant, self.pipeline)
        if pipeline is None:
            return UNKNOWN_TENANT
        try:
            (followed,) = await PatientMerges(pipeline, self._ask_all).follow([note])
        except Rejected as rejected:
            return Failed.by(rejected)
        return pipeline.record_builder.build_retraction(followed)

    async def _ask_all(self, asking: Asking[T]) -> T:
        """Put all questions of one to the store, and return what it wanted to know."""
        answers: Sequence[bytes | None] | None = None
        while True:
            with watch(Stage.RECALL):
                try:
                    ask = next(asking) if answers is None else asking.send(answers)
                except StopIteration as ended:
                    result: T = ended.value
                    return result
            answers = await self._ask_store(ask)

    def read(self, value: bytes) -> DecodedNote:
        """Read one message.

        Raises:
            Rejected: It is not a note, or a longer one than the limits let pass.
        """
        with watch(Stage.DECODE):
            note = read_message(value, limit_bytes=self.limits.note_bytes)
            tokens = self.limits.count_pieces(note.text, self.counter)
            return DecodedNote(note, tokens, identify_language(note.text))

    async def _run_decoded(
        self,
        ordered: OrderedLane,
        decoded: Sequence[DecodedNote | Outcome],
        stages: Stages,
    ) -> list[Outcome]:
        """Bring notes to their outcomes; what is one already stays."""
        notes = [
            item for item in decoded if isinstance(item, DecodedNote) and not item.note.cancelled
        ]
        made = iter(await self._run_batches(ordered, notes, stages))
        outcomes: list[Outcome] = []
        for item in decoded:
            if not isinstance(item, DecodedNote):
                outcomes.append(item)
            elif item.note.cancelled:
                outcomes.append(await self._retract(item.note))
            else:
                outcomes.append(next(made))
        return outcomes

    async def _run_batches(
        self, ordered: OrderedLane, decoded: Sequence[DecodedNote], stages: Stages
    ) -> list[Outcome]:
        """Cut the notes of each policy into batches, and run a few of these at a time."""
        places: list[Sequence[int]] = []
        batches: list[asyncio.Task[Sequence[Outcome]]] = []
        try:
            async with ordered.order.starting:
                for policy, chosen in self._cut(decoded):
                    batch = [decoded[position] for position in chosen]
                    run = partial(self._run_batch, ordered.lane, policy, batch, stages)
                    places.append(chosen)
                    batches.append(await ordered.order.start(run))
            outcomes: dict[int, Outcome] = {}
            for taken, running in zip(places, batches, strict=True):
                outcomes.update(zip(taken, await running, strict=True))
            return [correlate(item.note, outcomes[n]) for n, item in enumerate(decoded)]
        finally:
            await cancel_all(batches)

    def _cut(self, decoded: Sequence[DecodedNote]) -> Iterator[tuple[str | None, list[int]]]:
        """Yield the policy of each batch and the positions of its notes."""
        groups = self.tenant_pipelines.group_by_policy([item.note.tenant for item in decoded])
        for policy, positions in groups.items():
            tokens = [decoded[position].tokens for position in positions]
            for batch in cut_batches(tokens, choose_budget(tokens, self.budget_tokens)):
                yield policy, [positions[number] for number in batch]

    async def _run_batch(
        self,
        lane: Lane,
        policy: str | None,
        batch: Sequence[DecodedNote],
        stages: Stages,
        earlier: EarlierBatches,
    ) -> Sequence[Outcome]:
        """Run a batch under one policy; failures of a tenant's own pipeline carry its stamp."""
        if policy is None:
            return [UNKNOWN_TENANT for _ in batch]
        tokens = _observe_batch(batch, self.budget_tokens)
        own = policy != DEFAULT
        pipeline = self.tenant_pipelines.pipelines[policy] if own else self.pipeline
        turn = BatchTurn(lane, earlier)
        with tracing.step("batch", notes=len(batch), tokens=tokens):
            outcomes = await self._run_by_language(pipeline, batch, turn, stages)
        self.health.record_progress()
        if not own:
            return outcomes
        stamp = pipeline.record_builder.stamp
        return [replace(o, stamp=stamp) if isinstance(o, Failed) else o for o in outcomes]

    async def _run_by_language(
        self, pipeline: Pipeline, batch: Sequence[DecodedNote], turn: BatchTurn, stages: Stages
    ) -> Sequence[Outcome]:
        """Run the notes in other languages apart from those in English, or refuse them."""
        groups: dict[bool, list[int]] = {}
        for position, item in enumerate(batch):
            groups.setdefault(is_other_language(item.language), []).append(position)
        outcomes: dict[int, Outcome] = {}
        for positions in groups.values():
            able = pipeline.choose_by_language(batch[positions[0]].language)
            notes = [batch[position].note for position in positions]
            refused: Sequence[Outcome] = [UNSUPPORTED_LANGUAGE] * len(notes)
            made = await self._run_or_halve(able, notes, turn, stages) if able else refused
            outcomes.update(zip(positions, made, strict=True))
        return [outcomes[position] for position in range(len(batch))]

    async def _run_or_halve(
        self,
        pipeline: Pipeline,
        notes: Sequence[RawNote],
        turn: BatchTurn,
        stages: Stages,
        *,
        attempt: int = 1,
    ) -> Sequence[Outcome]:
        """Run notes together; if a stage fails, run each half apart, down to the note at fault.

        If their time is used up, each note is run alone, so that a note which holds up a batch is
        waited for twice and no more. A note is only quarantined for its time at the second attempt,
        in which it does not have to read lists that are loaded at their first use.
        """
        try:
            return await until_available(lambda: stages(pipeline, notes, turn), health=self.health)
        except Rejected as rejected:
            late = rejected.reason is Reason.TOO_SLOW
            if len(notes) == 1 and not (late and attempt == 1):
                return [Failed.by(rejected, attempt)]
        metrics.count("deid_batch_halved_total")
        outcomes: list[Outcome] = []
        for part in [[note] for note in notes] if late else halve(notes):
            outcomes += await self._run_or_halve(pipeline, part, turn, stages, attempt=attempt + 1)
        return outcomes

    async def _run_stages(
        self, pipeline: Pipeline, notes: Sequence[RawNote], turn: BatchTurn
    ) -> list[Outcome]:
        lane = LimitedLane(turn.lane, self.limits.make_budget(notes))
        planned = await self._prepare(lane, pipeline, notes)
        # Surrogates are claimed in the order of the notes, as if batches ran one after another.
        await turn.earlier.wait()
        allocation = await lane.run(pipeline.allocate, planned)
        allocated = await self._finish_allocation(lane, pipeline, allocation)
        _count_lookups(allocated)
        return await lane.run(pipeline.finish, planned, allocated)

    async def _prepare(
        self, lane: LimitedLane, pipeline: Pipeline, notes: Sequence[RawNote]
    ) -> Sequence[Planned]:
        """Plan notes, each as one of the surviving patient."""
        followed = await PatientMerges(pipeline, self._ask_all).follow(notes)
        return await lane.run(pipeline.prepare, followed)

    async def _plan_ahead(
        self, ahead: PlansAhead, pipeline: Pipeline, notes: Sequence[RawNote], turn: BatchTurn
    ) -> list[Outcome]:
        """Plan notes whose surrogates are claimed later; they have no outcome yet."""
        lane = LimitedLane(turn.lane, self.limits.make_budget(notes))
        for note, planned in zip(notes, await self._prepare(lane, pipeline, notes), strict=True):
            ahead.add(pipeline, note, planned)
        return [_PLANNED for _ in notes]

    async def _run_planned(
        self, ahead: PlansAhead, pipeline: Pipeline, notes: Sequence[RawNote], turn: BatchTurn
    ) -> list[Outcome]:
        """Bring notes to their outcomes whose surrogates have been claimed."""
        lane = LimitedLane(turn.lane, self.limits.make_budget(notes))
        missing = [note for note in notes if ahead.find(note) is None]
        again = iter(await self._prepare(lane, pipeline, missing) if missing else ())
        planned = [ahead.find(note) or next(again) for note in notes]
        allocation = await lane.run(pipeline.allocate, planned)
        allocated = await self._finish_allocation(lane, pipeline, allocation)
        return await lane.run(pipeline.finish, planned, allocated)

    async def _finish_allocation(
        self, lane: Lane | LimitedLane, pipeline: Pipeline, allocation: Allocation
    ) -> AllocatedSurrogates:
        while allocation.ask is not None:
            answers = await self._ask_store(allocation.ask)
            await lane.run(pipeline.take_answers, allocation, answers)
        return allocation.result()

    async def _ask_store(self, ask: Recall | Claim) -> Sequence[bytes | None]:
        async def answer() -> Sequence[bytes | None]:
            if isinstance(ask, Recall):
                with watch_batch(Stage.RECALL, names=len(ask.names)):
                    return await self.store.recall(ask.names)
            with watch_batch(Stage.CLAIM, names=len(ask.pairs)):
                return await self.store.claim(ask.pairs)

        # The plans are kept while the store is unavailable, so that models do not run twice.
        return await until_available(answer, health=self.health, backoff=STORE_BACKOFF)


def _with_patients(outcome: Outcome, said: tuple[LinkedPatients, ...] | Failed) -> Outcome:
    """Return an outcome with the records of what its message says of patients."""
    return outcome if isinstance(said, Failed) or not said else replace(outcome, patients=said)


def _observe_batch(batch: Sequence[DecodedNote], budget_tokens: int) -> int:
    """Observe how full a batch is; return its word pieces."""
    tokens = sum(item.tokens for item in batch)
    metrics.observe("deid_batch_notes", len(batch))
    metrics.observe("deid_batch_fill_ratio", min(1.0, tokens / budget_tokens))
    metrics.count("deid_batch_tokens_total", by=tokens)
    return tokens


def _count_lookups(allocated: AllocatedSurrogates) -> None:
    recalled = len(allocated.surrogates) - allocated.claimed - allocated.shared
    metrics.count("deid_surrogate_lookups_total", "recalled", by=recalled)
    metrics.count("deid_surrogate_lookups_total", "claimed", by=allocated.claimed)
    metrics.count("deid_surrogate_lookups_total", "shared", by=allocated.shared)
