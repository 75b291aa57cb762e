"""Run ``deidstream bench``: measure, print, keep, compare."""

import asyncio
import gc
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import orjson
from rich.console import Console

from deidstream.agents.runtime.lines import write_whole
from deidstream.agents.runtime.policy_choice import choose_policies
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.process.garbage import collecting_rarely
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.root_keys import fresh_key
from deidstream.agents.runtime.warm_up import warm
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import MissingArtefact, Stage
from deidstream.schemas.note import RawNote
from deidstream.study.bench.bench_figures import (
    BenchFigures,
    BenchSubject,
    Memory,
    encode_figures,
    read_figures,
)
from deidstream.study.bench.bench_notes import read_bench_notes
from deidstream.study.bench.bench_tables import WIDTH, print_figures
from deidstream.study.bench.compare_figures import compare_figures, print_comparison
from deidstream.study.bench.flame import FlameSampler, draw_flame
from deidstream.study.bench.in_process import (
    InProcessBench,
    Round,
    summarise_batches,
    summarise_detection,
    summarise_path,
    summarise_stages,
)
from deidstream.study.bench.machine_state import describe_machine, most_resident_mb, resident_mb
from deidstream.study.bench.worker_bench import (
    EngineBeside,
    WorkerPlan,
    measure_worker,
    summarise_worker,
    summarise_worker_batches,
    summarise_worker_stages,
)
from deidstream.study.bench.worker_site import WorkerServices, prepared_site

DONE, REGRESSED = 0, 1


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """What ``deidstream bench`` was asked for."""

    settings: Settings
    notes: Path | None = None
    """Records of ``notes.raw``; without it, the sample notes."""
    most_notes: int | None = None
    rounds: int = 3
    flame: Path | None = None
    json: Path | None = None
    compare: Path | None = None
    worker: WorkerServices | None = None
    """Where a whole worker is measured; ``None``: the path in this process is."""
    load_seconds: float = 30.0
    """How long each load of a whole worker lasts."""


def run_bench(request: BenchRequest) -> int:
    """Measure, and return 0; 1 where the ratio to the engine got worse.

    Raises:
        Refused: A policy, model, index or file is missing or wrong.
        Unavailable: Kafka, Redis or the measured worker cannot be reached.
    """
    check_outputs((request.json, request.flame))
    earlier = None if request.compare is None else read_figures(request.compare)
    notes = read_bench_notes(request.notes, request.most_notes)
    if request.worker is None:
        figures = asyncio.run(measure_in_process(request, notes))
    else:
        figures = measure_whole_worker(request, request.worker, notes)
    console = Console(width=WIDTH)
    print_figures(figures, console)
    encoded = encode_figures(figures)
    if request.json is not None:
        write_whole(request.json, encoded)
    if earlier is None:
        return DONE
    comparison = compare_figures(earlier, orjson.loads(encoded))
    print_comparison(comparison, console)
    sys.stdout.flush()
    return REGRESSED if comparison.regressed else DONE


def check_outputs(paths: Sequence[Path | None]) -> None:
    """Check before anything is measured that the folders of the outputs exist.

    Raises:
        MissingArtefact: One does not.
    """
    for path in paths:
        if path is not None and not path.parent.is_dir():
            msg = f"{path}: cannot be written: there is no such folder"
            raise MissingArtefact(msg)


async def measure_in_process(request: BenchRequest, notes: list[RawNote]) -> BenchFigures:
    """Load the policy of the settings as a worker does, and run the rounds."""
    began = datetime.now(UTC)
    settings = replace(request.settings, policies_file="")
    with collecting_rarely():
        choice = choose_policies(settings, root=fresh_key())
        warm(choice.default.pipeline)
    gc.collect()
    bench = InProcessBench.prepare(settings, choice, notes)
    loaded = resident_mb()
    rounds = await run_rounds(bench, request)
    bench.close()
    stages = summarise_stages([one.added for one in rounds], len(notes))
    detect = stages[Stage.DETECT].ms if Stage.DETECT in stages else 0.0
    stamp = choice.default.stamp
    return BenchFigures(
        at=began.isoformat(timespec="seconds"),
        machine=describe_machine(settings.model.threads),
        subject=BenchSubject(
            mode="in-process",
            version=metadata.version("deidstream"),
            policy=choice.default.pipeline.policy.name,
            tagger=stamp.tagger,
            notes=len(notes),
            pieces=bench.pieces,
            batch=bench.batch,
            rounds=request.rounds,
        ),
        path=summarise_path(rounds, len(notes), bench.pieces),
        stages=stages,
        detection=summarise_detection(rounds, len(notes), detect),
        batches=summarise_batches(rounds, bench.pieces),
        memory=Memory(loaded, resident_mb(), most_resident_mb()),
    )


async def run_rounds(bench: InProcessBench, request: BenchRequest) -> list[Round]:
    """Run all rounds with a progress bar, and draw where their time went if that is asked for."""
    await bench.warm_up()
    sampler = FlameSampler()
    rounds: list[Round] = []
    with progress() as bar:
        task = bar.add_task("bench", total=request.rounds * len(bench.notes))
        for number in range(request.rounds):
            sampling = sampler if request.flame else nullcontext()
            rounds.append(await bench.run_round(number, sampling))
            bar.advance(task, len(bench.notes))
    if request.flame is not None:
        write_whole(request.flame, draw_flame(sampler.stacks).encode())
    return rounds


def measure_whole_worker(
    request: BenchRequest, services: WorkerServices, notes: list[RawNote]
) -> BenchFigures:
    """Run a worker as a process of its own between Kafka and Redis, and the engine beside it."""
    began = datetime.now(UTC)
    settings = replace(request.settings, policies_file="")
    engine = EngineBeside.load(settings, notes)
    before = (request.rounds + 1) // 2
    for _ in range(before):
        engine.run()
    plan = WorkerPlan(notes, request.rounds, request.load_seconds)
    with prepared_site(settings, services) as site:
        measured = asyncio.run(measure_worker(site, plan))
    for _ in range(request.rounds - before):
        engine.run()
    waiting = measured.waiting
    pieces = engine.limit.pieces if engine.limit else 0
    return BenchFigures(
        at=began.isoformat(timespec="seconds"),
        machine=describe_machine(settings.model.threads),
        subject=BenchSubject(
            mode="worker",
            version=metadata.version("deidstream"),
            policy=find_policy(settings.policy).name,
            tagger=engine.digest,
            notes=len(notes),
            pieces=pieces,
            batch=settings.batch.notes,
            rounds=request.rounds,
            settings=services.describe(),
        ),
        path=summarise_worker(waiting, engine.runs, len(notes), pieces),
        stages=summarise_worker_stages(waiting),
        detection={},
        batches=summarise_worker_batches(waiting),
        memory=measured.memory,
        loads=measured.loads,
        ready_seconds=measured.ready_seconds,
    )
