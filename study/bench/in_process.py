"""Run the path of the worker and the engine alone by turns, in this process."""

import asyncio
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from deidstream.agents.runtime.compose import Runtime, recompose
from deidstream.agents.runtime.load_embedder import embeds
from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.service import Service
from deidstream.agents.settings import Settings
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.schemas.errors import Stage
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Failed
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from deidstream.study.bench.bench_figures import BatchFigures, PathFigures, Spread, StageCost
from deidstream.study.bench.bench_notes import cut_groups, repeat_notes
from deidstream.study.bench.engine_limit import EngineLimit, EngineRun, VectorRecorder
from deidstream.study.bench.metric_samples import MetricSamples
from deidstream.study.bench.timed_parts import PartClock, tagger_of, time_pipeline

if TYPE_CHECKING:
    from deidstream.models.neural.sentence_embedder import SentenceEmbedder

AHEAD = 3
"""Groups in work at once, as in the agent of a worker."""
WARM_UP = 8
"""Notes of a first, unmeasured group."""
REST = "rest"
"""What no recognizer takes of stage ``detect``: guards, sweep and reconciliation."""


@dataclass(frozen=True, slots=True)
class Round:
    """One pass of the path over all notes, and one of the engine."""

    seconds: float
    cpu_seconds: float
    added: MetricSamples
    parts: Mapping[str, float]
    """Seconds of the recognizers."""
    positions: int
    """Positions of the forward passes, padding included."""
    quarantined: int
    engine: EngineRun | None


@dataclass(frozen=True, slots=True)
class InProcessBench:
    """A service like that of a worker, with surrogates in memory, and the notes to run."""

    service: Service
    clock: PartClock
    limit: EngineLimit | None
    """``None`` where the policy has no tagger."""
    notes: Sequence[RawNote] = field(repr=False)
    pieces: int
    """Word pieces of the notes, as the tagger cuts them."""
    batch: int
    """Notes of a group."""

    @classmethod
    def prepare(
        cls, settings: Settings, choice: PolicyChoice, notes: Sequence[RawNote]
    ) -> "InProcessBench":
        """Wire a service whose parts are timed, and find the forward passes of all notes."""
        clock, parts = PartClock(), choice.default
        timed = replace(parts, pipeline=time_pipeline(parts.pipeline, clock))
        store = MemorySurrogateStore()
        service = local_service(settings, timed, store, choice.tenant_pipelines())
        texts = [note.text for note in notes]
        tagger = tagger_of(parts)
        limit = EngineLimit.record(tagger, texts) if tagger else None
        if limit is not None:
            limit = replace(limit, embedding=record_embedding(settings, parts, notes))
        pieces = limit.pieces if limit else sum(parts.counter.count(texts))
        return cls(service, clock, limit, notes, pieces, settings.batch.notes)

    async def warm_up(self) -> None:
        """Run a few notes, unmeasured."""
        few = repeat_notes(self.notes, min(WARM_UP, len(self.notes)), "warm")
        await self.service.run(cut_groups(few, WARM_UP)[0])

    async def run_round(self, number: int, sampling: AbstractContextManager[object]) -> Round:
        """Run the path and the engine once; the engine comes first in every other round.

        Args:
            number: Of the round; patients differ from round to round.
            sampling: Surrounds the path alone.
        """
        engine_first = self.limit.run() if self.limit and number % 2 else None
        with sampling:
            done = await self.run_path(f"round-{number}")
        engine_last = self.limit.run() if self.limit and not number % 2 else None
        return replace(done, engine=engine_first or engine_last)

    async def run_path(self, run: str) -> Round:
        """Run all notes through the service once."""
        groups = cut_groups(repeat_notes(self.notes, len(self.notes), run), self.batch)
        slots = asyncio.Semaphore(AHEAD)

        async def run_group(values: Sequence[bytes]) -> int:
            async with slots:
                outcomes = await self.service.run(values)
            return sum(isinstance(outcome, Failed) for outcome in outcomes)

        self.clock.restart()
        before = MetricSamples.read_own()
        began, cpu = time.perf_counter(), time.process_time()
        quarantined = await asyncio.gather(*map(run_group, groups))
        return Round(
            time.perf_counter() - began,
            time.process_time() - cpu,
            MetricSamples.read_own().since(before),
            dict(self.clock.seconds),
            self.clock.positions,
            sum(quarantined),
            None,
        )

    def close(self) -> None:
        """Release the lane."""
        self.service.lane.close()


def record_embedding(
    settings: Settings, parts: Runtime, notes: Sequence[RawNote]
) -> VectorRecorder | None:
    """Run all notes at once, and keep what the model of the embedder is given.

    Returns:
        ``None`` where the policy embeds nothing, or the embedder has no engine.
    """
    policy, embedder = parts.pipeline.policy, parts.models.embedder
    if not embeds(policy) or not hasattr(embedder, "model"):
        return None
    sentences = cast("SentenceEmbedder", embedder)
    recorder = VectorRecorder(sentences.model)
    models = replace(parts.models, embedder=replace(sentences, model=recorder))
    pipeline = recompose(settings, replace(parts, models=models), policy).pipeline
    planned = pipeline.prepare(notes)
    pipeline.finish(planned, allocate_without_store(pipeline.allocate(planned)))
    return recorder


def summarise_path(rounds: Sequence[Round], notes: int, pieces: int) -> PathFigures:
    """Return how fast the path and the engine were."""
    speeds = [pieces / one.seconds for one in rounds]
    limits: list[float] = []
    ratios: list[float] = []
    cpu_shares: list[float] = []
    for one, speed in zip(rounds, speeds, strict=True):
        if one.engine is not None:
            limits.append(one.engine.pieces_per_second)
            ratios.append(speed / one.engine.pieces_per_second)
            cpu_shares.append(one.engine.cpu_seconds / one.cpu_seconds)
    return PathFigures(
        notes_per_second=Spread.of_values([notes / one.seconds for one in rounds]),
        pieces_per_second=Spread.of_values(speeds),
        cpu_ms_a_note=1000 * statistics.median(one.cpu_seconds for one in rounds) / notes,
        engine_pieces_per_second=Spread.of_values(limits) if limits else None,
        engine_ratio=Spread.of_values(ratios) if ratios else None,
        engine_cpu_share=Spread.of_values(cpu_shares) if cpu_shares else None,
        quarantined=sum(one.quarantined for one in rounds),
    )


def summarise_stages(added: Sequence[MetricSamples], notes: int) -> dict[str, StageCost]:
    """Return what each stage takes, in the order of the stages; those that take nothing left out.

    Args:
        added: What the metrics of each round added.
        notes: Notes of a round.
    """
    rounds = [samples.by_label("deid_stage_seconds_sum", "stage") for samples in added]
    medians: dict[str, float] = {}
    for stage in Stage:
        seconds = statistics.median(one.get(stage, 0.0) for one in rounds)
        if seconds > 0:
            medians[stage.value] = 1000 * seconds / notes
    return _share_out(medians)


def summarise_detection(
    rounds: Sequence[Round], notes: int, detect_ms: float
) -> dict[str, StageCost]:
    """Return what the recognizers take of stage ``detect``, and the rest of it."""
    medians: dict[str, float] = {}
    for name in sorted({name for one in rounds for name in one.parts}):
        seconds = statistics.median(one.parts.get(name, 0.0) for one in rounds)
        medians[name] = 1000 * seconds / notes
    medians[REST] = max(0.0, detect_ms - sum(medians.values()))
    return _share_out(medians)


def _share_out(milliseconds: Mapping[str, float]) -> dict[str, StageCost]:
    total = sum(milliseconds.values()) or 1.0
    return {name: StageCost(ms, ms / total) for name, ms in milliseconds.items()}


def summarise_batches(rounds: Sequence[Round], pieces: int) -> BatchFigures:
    """Return how full batches and passes were, and how long the lanes were idle."""
    padding = statistics.median(one.positions for one in rounds) / pieces
    idle: dict[str, list[float]] = {}
    for one in rounds:
        for lane, share in lane_idle(one.added, one.seconds):
            idle.setdefault(lane, []).append(share)
    return BatchFigures(
        notes_a_batch=statistics.median(one.added.mean("deid_batch_notes") for one in rounds),
        fill=statistics.median(one.added.mean("deid_batch_fill_ratio") for one in rounds),
        padding=padding or None,
        lane_idle={lane: statistics.median(shares) for lane, shares in idle.items()},
    )


def lane_idle(added: MetricSamples, seconds: float) -> Iterator[tuple[str, float]]:
    """Yield each lane with the share of ``seconds`` in which it computed nothing."""
    for lane, busy in added.by_label("deid_lane_busy_seconds_total", "lane").items():
        yield lane or "lane", min(1.0, max(0.0, 1 - busy / seconds))
