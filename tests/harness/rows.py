"""A row of the fault matrix, run and judged."""

import shutil
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.broker import ProxiedKafka
from harness.events import Event
from harness.fleet import Zygote
from harness.history import History, read_history
from harness.recovery import Recovery, recoveries
from harness.samples import Sample, write_samples
from harness.scene import Scene
from harness.sinks import SinkSearch
from harness.verifier import Finding, Verdict, Verifier
from support.kafka import running_cluster
from support.redis_server import Redis

MOST_GROWTH = 200.0
"""Megabytes that a worker may grow by during a row."""

_LEAST_SAMPLES = 3
"""A worker that lived for less is not judged."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the matrix."""

    name: str
    title: str
    act: Callable[[Scene], None]
    durable_redis: bool = False
    brokers: int = 1
    """Brokers; several are started for the row alone."""
    repeats: bool = False
    """Whether outputs may come twice: notes are read again, or delivered at least once."""
    tolerated: frozenset[str] = frozenset()
    """Reasons for which a few good notes may be quarantined."""
    exits: int = 0
    """Workers that may end by themselves."""
    long: bool = False
    """Whether it takes minutes: it is begun early, so that no lane ends long after the others."""
    missing: Callable[[], str | None] = lambda: None
    """Says why the row cannot be run on this machine."""


@dataclass(frozen=True, slots=True)
class RowResult:
    """What came of a row."""

    name: str
    title: str
    seed: str
    seconds: float
    verdict: Verdict
    events: tuple[Event, ...]
    span: tuple[float, float]
    """When it began and ended, on the clock of the events."""
    exactly_once: bool
    """Whether readers of committed records were promised no duplicate."""
    criteria: tuple[tuple[str, bool, str], ...]
    recoveries: tuple[Recovery, ...]
    """From each fault of which something is known."""
    kills: int
    unbidden: int
    canary_notes: int
    canaries: int
    searched: dict[str, int]
    """Bytes searched, by sink."""
    megabytes: tuple[float, float]
    """Of the largest worker: first and most."""
    error: str = ""
    not_run: str = ""
    attempt: int = 1
    """Above 1: the row failed before, in a run that this one resumes."""

    @property
    def caught(self) -> bool:
        """Return whether the invariant that the title names was found broken: a planted defect."""
        invariant = self.title.partition(":")[0]
        return any(f.count for f in self.verdict.findings if f.invariant == invariant)

    @property
    def passed(self) -> bool:
        """Whether every invariant and criterion held."""
        held = all(ok for _, ok, _ in self.criteria)
        return self.verdict.clean and held and not self.error and not self.not_run


@dataclass(slots=True)
class Stage:
    """Where rows are run one after another: a broker of its own and the process that forks."""

    folder: Path
    broker: ProxiedKafka
    zygote: Zygote
    seed: str
    scale: float
    exactly_once: bool
    settings: dict[str, str] = field(default_factory=dict[str, str])

    def run(self, row: Row) -> RowResult:
        """Run a row and judge it; nothing is raised."""
        if reason := row.missing():
            return not_run(row, self.seed, reason)
        begun = time.monotonic()
        try:
            return self._run(row, begun)
        except Exception as failure:  # noqa: BLE001 - a row that breaks is a row that failed
            broken = replace(not_run(row, self.seed, ""), error=_last_lines(failure))
            return replace(broken, seconds=time.monotonic() - begun)

    def _run(self, row: Row, begun: float) -> RowResult:
        folder = (
            self.folder / f"{row.name}-{self.broker.kafka.port}-{int(begun * 1000) % 10**7}".lower()
        )
        (folder / "redis").mkdir(parents=True)
        if row.brokers == 1:
            self._restore_broker()
            return self._run_on(self.broker, row, folder, begun)
        (folder / "kafka").mkdir()
        with running_cluster(folder / "kafka", row.brokers) as first:
            return self._run_on(replace(self.broker, kafka=first), row, folder, begun)

    def _run_on(self, broker: ProxiedKafka, row: Row, folder: Path, begun: float) -> RowResult:
        redis = Redis(folder / "redis", appendonly=row.durable_redis)
        redis.start()
        scene = Scene(
            row.name, folder, broker, redis, self.zygote, self.seed, self.scale,
            dict(self.settings),
        )  # fmt: skip
        error = ""
        try:
            try:
                row.act(scene)
                scene.fetch_pages()
            except Exception as failure:  # noqa: BLE001 - what came of it is judged all the same
                error = _last_lines(failure)
            return judge(row, scene, self, (begun, time.monotonic()), error)
        finally:
            scene.close()
            redis.stop()
            scene.manifest.close()
            shutil.rmtree(folder / "tmp", ignore_errors=True)

    def _restore_broker(self) -> None:
        """Undo what a row may have left that broke off."""
        self.broker.proxy.heal()
        kafka = self.broker.kafka
        if not (kafka.process and kafka.process.running):
            kafka.restart()
        if kafka.process:
            kafka.process.send(signal.SIGCONT)


def _last_lines(failure: Exception) -> str:
    return "".join(traceback.format_exception(failure)[-3:])


def not_run(row: Row, seed: str, reason: str) -> RowResult:
    """Return the result of a row that was not run."""
    return RowResult(
        name=row.name,
        title=row.title,
        seed=seed,
        seconds=0.0,
        verdict=Verdict(0, 0, 0, 0, 0, 0, 0),
        events=(),
        span=(0.0, 0.0),
        exactly_once=False,
        criteria=(),
        recoveries=(),
        kills=0,
        unbidden=0,
        canary_notes=0,
        canaries=0,
        searched={},
        megabytes=(0.0, 0.0),
        not_run=reason,
    )


def judge(row: Row, scene: Scene, stage: Stage, span: tuple[float, float], error: str) -> RowResult:
    """Read everything that came out and compare it with what went in."""
    write_samples(scene.sampler.samples, scene.folder / "samples.jsonl")
    sent = scene.manifest.sent()
    history = read_history(scene.kafka.direct, scene.topics())
    once = stage.exactly_once and not row.repeats
    verdict = Verifier(
        sent, history, scene.keyrings, once, frozenset(scene.deleted), row.tolerated
    ).judge()
    if row.tolerated:
        detail = f"{verdict.tolerated} of {len(sent)} messages"
        few = verdict.tolerated <= max(1, scene.kills // 3)
        scene.expect(f"few good notes are {', '.join(row.tolerated)}", few, detail)
    search = _search(scene, history, [canary for item in sent for canary in item.canaries])
    verdict.findings.append(Finding.of("I3 no canary in any sink", search.hits))
    growth = _growth(scene.sampler.samples)
    too_large = [
        f"{name}: {most - first:.0f} MB more"
        for name, (first, most) in growth.items()
        if most - first > MOST_GROWTH
    ]
    verdict.findings.append(Finding.of("I7 bounded memory", too_large))
    recovered = tuple(recoveries(scene.events, scene.sampler.samples))
    late = [recovery.what for recovery in recovered if recovery.late]
    verdict.findings.append(Finding.of("I8 recovers in time", late))
    if scene.unbidden > row.exits:
        scene.expect("no worker ends by itself", held=False, detail=f"{scene.unbidden} did")
    return RowResult(
        name=row.name,
        title=row.title,
        seed=scene.seed,
        seconds=span[1] - span[0],
        verdict=verdict,
        events=tuple(scene.events),
        span=span,
        exactly_once=once,
        criteria=tuple((c.what, c.held, c.detail) for c in scene.criteria),
        recoveries=recovered,
        kills=scene.kills,
        unbidden=scene.unbidden,
        # Those that were never read could not leak.
        canary_notes=sum(
            bool(item.canaries) and (item.partition, item.offset) not in scene.deleted
            for item in sent
        ),
        canaries=len({canary for item in sent for canary in item.canaries}),
        searched=search.searched,
        megabytes=max(growth.values(), key=lambda pair: pair[1], default=(0.0, 0.0)),
        error=error,
    )


def _search(scene: Scene, history: History, canaries: list[str]) -> SinkSearch:
    search = SinkSearch(canaries)
    for record in history.records:
        whole = b"\n".join((record.key, record.value, record.headers))
        search.search(f"topic {record.kind}", whole, f"{record.partition}/{record.offset}")
    search.search("logs", scene.log.encode())
    search.search("pages", scene.pages)
    search.search_files("temporary files", scene.folder / "tmp")
    search.search_files("redis files", scene.folder / "redis")
    if scene.redis.process and scene.redis.process.running:
        search.search_redis(scene.redis.url)
    raw = scene.topics()["raw"]
    logs = [below for node in scene.kafka.all() for below in (node.home / "log").glob("*")]
    for below in sorted(logs):
        ours = below.name.startswith((f"h-{scene.folder.name}.", "__"))
        if below.is_dir() and ours and not below.name.startswith(raw):
            search.search_files("broker files", below)
    return search


def _growth(samples: list[Sample]) -> dict[str, tuple[float, float]]:
    """Return first and most megabytes of each worker that lived for a while.

    A worker is forked by a process that has loaded everything: its first sample is its least.
    """
    held: dict[str, list[float]] = {}
    for sample in samples:
        for name, usage in sample.usage.items():
            held.setdefault(name, []).append(usage.megabytes)
    return {
        name: (sizes[0], max(sizes)) for name, sizes in held.items() if len(sizes) >= _LEAST_SAMPLES
    }
