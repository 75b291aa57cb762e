"""Keep the figures of this worker and of its group, for the page and for ``/figures``."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version

from redis.asyncio import Redis

from deidstream.agents.operations.attention import find_concerns
from deidstream.agents.operations.drift import Drift, LabelCounts, compare_rates
from deidstream.agents.operations.group_board import GroupBoard
from deidstream.agents.operations.label_days import LabelDays
from deidstream.agents.operations.recent_counts import SLOT_LENGTHS, RecentCounts
from deidstream.agents.operations.running_counts import RunningCounts
from deidstream.agents.operations.standing_board import StandingBoard
from deidstream.agents.operations.summary import (
    Figures,
    summarize_group,
    summarize_range,
    summarize_worker,
)
from deidstream.agents.operations.worker_figures import WorkerFigures, read_redis, read_runs
from deidstream.agents.settings import Settings
from deidstream.schemas.label import OF_I2B2
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger
from deidstream.stream.observing.metric_catalogue import GaugeName

LOG = Logger("worker")
UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What making a page of figures of another form may raise."""
DAYS_SECONDS = 30.0
"""Time between two additions to the counts of the day."""


@dataclass(slots=True)
class LiveFigures:
    """The figures that a worker's page shows; the worker fills in what it learns at its start."""

    health: Health
    group: str
    name: str = ""
    """Host and port of this worker."""
    engine: str = ""
    labels: frozenset[str] = frozenset(OF_I2B2)
    """Names of the labels of the policies in force; what only an earlier one had is not compared,
    as it would seem to be found no longer."""
    board: GroupBoard | None = None
    """Where workers show their figures to each other; ``None``: this worker alone is shown."""
    days: LabelDays | None = None
    """Counts of labels by day; ``None``: nothing is compared."""
    standing: StandingBoard | None = None
    """What the readers of the standing sample found; ``None``: nothing is shown."""
    recent: RecentCounts = field(default_factory=RecentCounts)
    others: tuple[WorkerFigures, ...] = ()
    clock: Callable[[], float] = time.monotonic
    _started: float = field(default_factory=time.monotonic)
    _days_at: float = float("-inf")
    _unread: int = 0
    """Workers whose figures could not be read the last time."""

    async def refresh(self) -> None:
        """Look at the counts, show them to the group, and read those of the others."""
        self.recent.look()
        if self.board is not None:
            await self.board.show(self.name, self.own().encode())
            self._take_others(await self.board.read(but=self.name))
        if self.days is not None and self.clock() - self._days_at >= DAYS_SECONDS:
            self._days_at = self.clock()
            await self.days.add(RunningCounts.read())
            if self.standing is not None:
                await self.standing.read()
                self.measure_standing()
        self._measure_drift()

    def _take_others(self, shown: Sequence[bytes]) -> None:
        """Keep the figures of other workers, but for those that no page can be made of."""
        own, others = self.own(), list[WorkerFigures]()
        for value in shown:
            read = WorkerFigures.decode(value)
            if read is not None and self._can_show((own, read)):
                others.append(read)
        unread = len(shown) - len(others)
        if unread and unread != self._unread:
            LOG.warning("figures-unread", count=unread)
        self._unread = unread
        self.others = tuple(sorted(others, key=lambda each: each.name))

    def _can_show(self, workers: tuple[WorkerFigures, ...]) -> bool:
        try:
            self._page_of(workers)
        except UNREADABLE:
            return False
        return True

    def own(self) -> WorkerFigures:
        """Return the figures of this worker."""
        seen = self.recent.look()
        window, now, hour = self.recent.window(seen), self.recent.now(seen), self.recent.hour(seen)
        health = self.health
        return WorkerFigures(
            name=self.name,
            version=version("deidstream"),
            up_seconds=round(self.clock() - self._started, 1),
            alive=health.alive(),
            missing=health.missing(),
            away_seconds=health.away_seconds(),
            partitions=health.assigned,
            lag=health.backlog,
            oldest_seconds=round(health.oldest_seconds, 1),
            in_flight=health.in_flight,
            now_seconds=now.at,
            now=now.counts.of("notes"),
            window_seconds=window.at,
            counts=window.counts.parts,
            slots={
                str(length): {
                    str(slot): round(notes, 2)
                    for slot, notes in self.recent.notes_by_slot(length).items()
                }
                for length in SLOT_LENGTHS
            },
            hour=hour.counts.of("labels"),
            hour_notes=hour.counts.of("notes").get("emitted", 0.0),
            totals=seen.counts.of("notes"),
            runs=read_runs(),
            engine=self.engine,
            redis=read_redis(health),
        )

    def drift(self, workers: tuple[WorkerFigures, ...]) -> Drift | None:
        """Compare the label rates of workers with the week before; ``None`` without one."""
        if self.days is None:
            return None
        counts = RunningCounts.add(RunningCounts({"labels": dict(w.hour)}) for w in workers)
        hour = LabelCounts(sum(w.hour_notes for w in workers), counts.of("labels"))
        every = (hour, self.days.today, self.days.week)
        return compare_rates(*(each.only(self.labels) for each in every))

    def figures(self) -> Figures:
        """Return the body of ``/figures``: this worker, its group, all workers, drift, concerns."""
        return self._page_of((self.own(), *self.others))

    def _page_of(self, workers: tuple[WorkerFigures, ...]) -> Figures:
        drift = self.drift(workers)
        standing = self.standing.shown if self.standing else None
        now = self.recent.clock()
        shortest, *longer = (summarize_range(workers, length, now) for length in SLOT_LENGTHS)
        return {
            "at": round(now, 3),
            "worker": self.name,
            "group_name": self.group,
            "shared": self.board is not None and self.board.works,
            "group": summarize_group(workers),
            "throughput": shortest,
            "history": longer,
            "workers": [summarize_worker(worker) for worker in workers],
            "drift": asdict(drift) if drift else None,
            "standing": asdict(standing) if standing else None,
            "concerns": [asdict(each) for each in find_concerns(workers, drift, standing)],
        }

    def measure_standing(self) -> None:
        """Show the bounds of the last weeks as metrics; what is no longer written is dropped."""
        metrics.clear_gauge("deid_leak_bound_per_thousand")
        metrics.clear_gauge("deid_leak_notes_read")
        standing = self.standing.shown if self.standing else None
        if standing is None:
            return
        metrics.gauge("deid_leak_claim_per_thousand", 1_000 * standing.claim)
        metrics.gauge("deid_leak_notes_needed", standing.needed)
        for row in standing.totals():
            for bound, share in (("lower", row.lower), ("upper", row.upper)):
                metrics.gauge("deid_leak_bound_per_thousand", 1_000 * share, row.note_type, bound)
            metrics.gauge("deid_leak_notes_read", row.read, row.note_type)

    def _measure_drift(self) -> None:
        own = self.own()
        alone, together = self.drift((own,)), self.drift((own, *self.others))
        if alone is None or together is None:
            return
        metrics.clear_gauge("deid_label_rate_ratio")
        # The counts of the day are those of all workers.
        _show_gauge("deid_drift_psi", alone.psi["hour"], "worker", "hour")
        for window in ("hour", "day"):
            _show_gauge("deid_drift_psi", together.psi[window], "group", window)
        for row in together.labels:
            if row.ratio is not None:
                metrics.gauge("deid_label_rate_ratio", row.ratio, row.label)


def _show_gauge(name: GaugeName, value: float | None, *labels: str) -> None:
    if value is None:
        metrics.drop_gauge(name, *labels)
    else:
        metrics.gauge(name, value, *labels)


def share_figures(figures: LiveFigures, client: Redis, settings: Settings) -> None:
    """Show figures to the other workers of the group, and count labels by day, in Redis."""
    deployment = settings.redis.deployment
    figures.board = GroupBoard(client, figures.group, deployment)
    figures.days = LabelDays(client, deployment)
    figures.standing = StandingBoard(client, deployment)
