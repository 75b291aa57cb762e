"""Measure a whole worker between Kafka and Redis: its speed, then its latency under two loads."""

import asyncio
import statistics
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast

from deidstream.agents.demo.demo import ops_address, running_worker
from deidstream.agents.runtime.load_models import load_tagger
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.root_keys import read_key
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import RecognizerName
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.study.bench.arrivals import group_bursts, measure_latency, spread_rates
from deidstream.study.bench.bench_figures import (
    BatchFigures,
    LoadFigures,
    Memory,
    PathFigures,
    Spread,
    StageCost,
)
from deidstream.study.bench.bench_notes import repeat_notes
from deidstream.study.bench.engine_limit import EngineLimit, EngineRun
from deidstream.study.bench.in_process import lane_idle, summarise_stages
from deidstream.study.bench.machine_state import cpu_seconds, most_resident_mb_of, resident_mb
from deidstream.study.bench.metric_samples import MetricSamples
from deidstream.study.bench.output_reader import SeenOutputs, reading_outputs
from deidstream.study.bench.paced_feed import NoteFeed
from deidstream.study.bench.worker_site import WorkerSite

BUSY_LOAD = 0.7
"""Share of the measured speed that is sent for the latency of a busy worker."""
IDLE_RATE = 1.0
"""Notes a second for the latency of a worker that has nearly nothing to do."""
BUSY, NEARLY_IDLE = "70 % load", "nearly idle"
READY_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class WorkerPlan:
    """How much a worker is measured."""

    notes: Sequence[RawNote]
    rounds: int
    """How often all notes come while they wait in Kafka, and how often the engine runs."""
    load_seconds: float
    """How long each load lasts."""


@dataclass(frozen=True, slots=True)
class WaitingRun:
    """What a worker did while notes waited for it."""

    rates: Spread
    """Notes a second."""
    seconds: float
    """The span in which the rest was measured."""
    cpu_seconds: float
    added: MetricSamples
    loaded_mb: float
    quarantined: int


@dataclass(frozen=True, slots=True)
class WorkerMeasurement:
    """Everything that was measured of one worker."""

    waiting: WaitingRun
    ready_seconds: float
    loads: dict[str, LoadFigures]
    memory: Memory


@dataclass(frozen=True, slots=True)
class MeasuredWorker:
    """A running worker, with what feeds and reads it."""

    process: asyncio.subprocess.Process
    address: str
    """The address of its ops server."""
    feed: NoteFeed
    seen: SeenOutputs
    started: float
    """When the process was started, by ``time.perf_counter``."""

    async def time_ready(self) -> float:
        """Return how many seconds after its start the worker said that it is ready.

        Raises:
            Unavailable: It ended before.
        """
        while not await asyncio.to_thread(_is_ready, self.address):
            if self.process.returncode is not None:
                raise Unavailable("worker")  # noqa: EM101  what cannot be reached
            await asyncio.sleep(READY_POLL_SECONDS)
        return time.perf_counter() - self.started

    async def read_metrics(self) -> MetricSamples:
        """Read the metrics that the worker exposes."""
        response = await asyncio.to_thread(urllib.request.urlopen, f"{self.address}/metrics")
        return MetricSamples.parse(cast("bytes", response.read()).decode())

    async def run_waiting(self, count: int, parts: int) -> WaitingRun:
        """Wait for the outcomes of ``count`` notes that lie in Kafka; measure from the first on."""
        process = self.process.pid
        await self.seen.wait_for(1, self.process)
        before, cpu, loaded = await self.read_metrics(), cpu_seconds(process), resident_mb(process)
        began = max(self.seen.moments.values(), default=0.0)
        await self.seen.wait_for(count, self.process)
        cpu_used = cpu_seconds(process) - cpu
        added = (await self.read_metrics()).since(before)
        moments = list(self.seen.moments.values())
        bursts = group_bursts(moments)
        if len(bursts) <= 1:
            msg = "bench: all notes came out at once, or none did: take more notes or more --rounds"
            raise InvalidSettings(msg)
        return WaitingRun(
            rates=spread_rates(bursts, parts),
            seconds=max(moments) - began,
            cpu_seconds=cpu_used,
            added=added,
            loaded_mb=loaded,
            quarantined=self.seen.quarantined,
        )

    async def run_load(self, notes: Sequence[RawNote], rate: float) -> LoadFigures:
        """Send notes at a rate and wait for their outcomes."""
        already = self.seen.count
        before = await self.read_metrics()
        due = await self.feed.send_paced(notes, rate)
        await self.seen.wait_for(already + len(notes), self.process)
        added = (await self.read_metrics()).since(before)
        lag = added.quantile("deid_event_loop_lag_seconds", 0.99)
        return measure_latency(due, self.seen.moments, rate, lag)


def _is_ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/readyz") as response:  # noqa: S310  its own server
            return bool(response.status == HTTPStatus.OK)
    except urllib.error.URLError:
        return False


async def measure_worker(site: WorkerSite, plan: WorkerPlan) -> WorkerMeasurement:
    """Start a worker on notes that wait, then measure its latency under two loads.

    Raises:
        Unavailable: The worker, Kafka or Redis cannot be reached.
    """
    producer = await KafkaProducer.start(site.connection)
    try:
        await site.make_topics(producer)
        release = find_policy(site.place.policy).id_release
        root = read_key(str(site.place.key_file))
        feed = NoteFeed(producer, site.topics.raw, root, release)
        count = plan.rounds * len(plan.notes)
        await feed.send_all(repeat_notes(plan.notes, count, "waiting"))
        started = time.perf_counter()
        async with (
            reading_outputs(site.connection, site.topics) as seen,
            running_worker(site.place) as process,
        ):
            address = await ops_address(site.place, process)
            if not address:
                raise Unavailable("worker")  # noqa: EM101  what cannot be reached
            worker = MeasuredWorker(process, address, feed, seen, started)
            waiting, ready = await asyncio.gather(
                worker.run_waiting(count, plan.rounds), worker.time_ready()
            )
            loads = await _run_loads(worker, plan, waiting.rates.median)
            memory = Memory(
                waiting.loaded_mb, resident_mb(process.pid), most_resident_mb_of(process.pid)
            )
            return WorkerMeasurement(waiting, ready, loads, memory)
    finally:
        await producer.stop()


async def _run_loads(
    worker: MeasuredWorker, plan: WorkerPlan, speed: float
) -> dict[str, LoadFigures]:
    loads: dict[str, LoadFigures] = {}
    for name, rate in ((BUSY, BUSY_LOAD * speed), (NEARLY_IDLE, IDLE_RATE)):
        notes = repeat_notes(plan.notes, max(2, int(rate * plan.load_seconds)), name)
        loads[name] = await worker.run_load(notes, rate)
    return loads


@dataclass(frozen=True, slots=True)
class EngineBeside:
    """The limit of the engine, measured before and after the worker in the process beside it."""

    limit: EngineLimit | None
    """``None`` where the policy has no tagger."""
    digest: str | None
    """Digest and precision of the tagger."""
    runs: list[EngineRun] = field(default_factory=list[EngineRun])

    @classmethod
    def load(cls, settings: Settings, notes: Sequence[RawNote]) -> "EngineBeside":
        """Load the tagger of the settings, if their policy names it."""
        if RecognizerName.TAGGER not in find_policy(settings.policy).recognizers:
            return cls(None, None)
        tagger = load_tagger(settings)
        limit = EngineLimit.record(tagger, [note.text for note in notes])
        return cls(limit, f"{tagger.digest}:{tagger.precision}")

    def run(self) -> None:
        """Measure once more."""
        if self.limit is not None:
            self.runs.append(self.limit.run())


def summarise_worker(
    waiting: WaitingRun, engine: Sequence[EngineRun], notes_a_round: int, pieces_a_round: int
) -> PathFigures:
    """Return how fast the worker was while notes waited, and how near that is to the engine.

    Args:
        waiting: What the worker did.
        engine: Runs of the engine over the notes of one round.
        notes_a_round: Number of these notes.
        pieces_a_round: Their word pieces.
    """
    notes = max(1.0, waiting.added.total("deid_notes_total"))
    rates = waiting.rates
    cpu_ms_a_note = 1000 * waiting.cpu_seconds / notes
    per_note = pieces_a_round / notes_a_round
    pieces = Spread(rates.median * per_note, rates.least * per_note, rates.most * per_note)
    limits = [run.pieces_per_second for run in engine]
    ratio = None
    if limits:
        limit = statistics.median(limits)
        ratio = Spread(pieces.median / limit, pieces.least / limit, pieces.most / limit)
    shares = [1000 * run.cpu_seconds / notes_a_round / cpu_ms_a_note for run in engine]
    return PathFigures(
        notes_per_second=rates,
        pieces_per_second=pieces,
        cpu_ms_a_note=cpu_ms_a_note,
        engine_pieces_per_second=Spread.of_values(limits) if limits else None,
        engine_ratio=ratio,
        engine_cpu_share=Spread.of_values(shares) if shares else None,
        quarantined=waiting.quarantined,
    )


def summarise_worker_stages(waiting: WaitingRun) -> dict[str, StageCost]:
    """Return what each stage takes of a note."""
    notes = max(1, round(waiting.added.total("deid_notes_total")))
    return summarise_stages([waiting.added], notes)


def summarise_worker_batches(waiting: WaitingRun) -> BatchFigures:
    """Return how full batches were and how long lanes were idle; passes are not counted."""
    return BatchFigures(
        notes_a_batch=waiting.added.mean("deid_batch_notes"),
        fill=waiting.added.mean("deid_batch_fill_ratio"),
        padding=None,
        lane_idle=dict(lane_idle(waiting.added, waiting.seconds)),
    )
