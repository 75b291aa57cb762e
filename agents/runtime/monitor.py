"""Watch the worker from inside: partitions, event loop, crashed app, policy, Kafka, Redis."""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from aiokafka.errors import KafkaError
from faust.types import TP, AppT

from deidstream.agents.operations.live_figures import UNREADABLE, LiveFigures
from deidstream.agents.operations.throughput import ThroughputLog
from deidstream.agents.runtime.guards.redis_guard import RedisGuard
from deidstream.agents.runtime.reload import Reloaders
from deidstream.agents.runtime.stream_agent import StreamAgent
from deidstream.schemas.errors import Refused, Unavailable
from deidstream.schemas.outcome import Place
from deidstream.stream.kafka.probe import KafkaProbe
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger, summarize_third_parties
from deidstream.stream.observing.metric_catalogue import GaugeName

LOG = Logger("worker")
LOOP_SECONDS = 0.05
LAG_SECONDS = 1.0
LOOK_SECONDS = 5.0
PROBE_SECONDS = 5.0
FIGURES_SECONDS = 2.0
LAG_GAUGES: tuple[GaugeName, ...] = (
    "deid_consumer_lag",
    "deid_consumer_lag_seconds",
    "deid_committed_offset",
)
"""By partition."""
MINUTE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class PartitionState:
    """How far one partition has been read."""

    done: int
    """The position that is acknowledged."""
    end: int
    """The position after the last message."""
    oldest_seconds: float = 0.0
    """Age of the oldest message that is not acknowledged."""

    @property
    def lag(self) -> int:
        """Messages not yet acknowledged."""
        return max(0, self.end - self.done)


@dataclass(frozen=True, slots=True)
class LagGauges:
    """The state of each partition that this worker holds, and of no other."""

    shown: set[Place] = field(default_factory=set[Place])

    def show(self, states: Mapping[Place, PartitionState]) -> None:
        """Set the gauges of the partitions held; drop those of partitions given away."""
        for topic, partition in self.shown - states.keys():
            for name in LAG_GAUGES:
                metrics.drop_gauge(name, topic, str(partition))
        for (topic, partition), state in states.items():
            metrics.gauge("deid_consumer_lag", state.lag, topic, str(partition))
            metrics.gauge("deid_consumer_lag_seconds", state.oldest_seconds, topic, str(partition))
            metrics.gauge("deid_committed_offset", state.done, topic, str(partition))
        self.shown.clear()
        self.shown.update(states)


@dataclass(frozen=True, slots=True)
class Monitor:
    """Watches the parts of a worker, sets their gauges, and stops it where it must not go on."""

    app: AppT
    agent: StreamAgent
    health: Health
    probe: KafkaProbe
    """Asks whether Kafka is there."""
    figures: LiveFigures
    reloader: Reloaders | None = None
    """``None`` where no policy can change."""
    reload_seconds: float = 0
    """Time between two looks at the policy files; 0: never."""
    redis_guard: RedisGuard | None = None
    check_seconds: float = 0
    """Time between two looks at Redis; 0: never."""
    gauges: LagGauges = field(default_factory=LagGauges)

    async def run(self) -> None:
        """Watch until cancelled."""
        try:
            await asyncio.gather(
                watch_loop(),
                write_throughput(self.health),
                self._watch_partitions(),
                self._watch_policy(),
                self._watch_redis(),
                watch_kafka(self.probe, self.health),
                watch_progress(self.health),
                refresh_figures(self.figures),
            )
        finally:
            await self.probe.close()

    async def _watch_policy(self) -> None:
        while self.reloader and self.reload_seconds:
            await asyncio.sleep(self.reload_seconds)
            await self.reloader.look()

    async def _watch_redis(self) -> None:
        while self.redis_guard and self.check_seconds:
            await asyncio.sleep(self.check_seconds)
            try:
                # The breaker handles an unavailable Redis.
                with contextlib.suppress(Unavailable):
                    await self.redis_guard.check()
            except Refused as refused:
                self.agent.refuse(refused)
                return

    async def _watch_partitions(self) -> None:
        while True:
            await asyncio.sleep(LAG_SECONDS)
            if self.app.crashed:
                self.agent.broken.set()
            # A rebalance may take a partition away between two of the questions.
            with contextlib.suppress(KafkaError, AssertionError, TimeoutError):
                await asyncio.wait_for(self._look(), LOOK_SECONDS)

    async def _look(self) -> None:
        held = self.app.consumer.assignment() if self.app.started else set()
        self.health.assigned = len(held)
        states = {(tp.topic, tp.partition): await self._state(tp) for tp in held}
        self.agent.ages.keep(set(states))
        self.gauges.show(states)
        self.health.record_backlog(sum(state.lag for state in states.values()))
        self.health.oldest_seconds = max((s.oldest_seconds for s in states.values()), default=0.0)
        await self._look_for_gaps(held)

    async def _look_for_gaps(self, held: set[TP]) -> None:
        if not held:
            return
        taken = dict(self.agent.outbox.assignment.positions.taken)
        idle = self.health.in_flight == 0
        consumer = self.app.consumer
        read = {(tp.topic, tp.partition): await consumer.position(tp) or 0 for tp in held}
        first = await consumer.earliest_offsets(*held)
        begins = {(tp.topic, tp.partition): offset or 0 for tp, offset in first.items()}
        self.agent.gaps.look(taken, read, begins, idle=idle)

    async def _state(self, tp: TP) -> PartitionState:
        consumer, place = self.app.consumer, (tp.topic, tp.partition)
        acked = self.agent.acked.get(place)
        done = (await consumer.position(tp) or 0) if acked is None else acked
        end = consumer.highwater(tp) or 0
        return PartitionState(done, end, self.agent.ages.look(place, done, end, time.time()))


async def watch_loop() -> None:
    """Observe how late the event loop wakes, until cancelled."""
    while True:
        start = time.perf_counter()
        await asyncio.sleep(LOOP_SECONDS)
        metrics.observe("deid_event_loop_lag_seconds", time.perf_counter() - start - LOOP_SECONDS)


async def watch_kafka(probe: KafkaProbe, health: Health) -> None:
    """Ask regularly whether Kafka and the topics are there, until cancelled."""
    while True:
        try:
            unserved = await probe.ask()
        except Unavailable as away:
            health.record_probe(away.service, answers=False)
        else:
            health.record_topics(unserved)
            health.record_probe("kafka", answers=True)
        await asyncio.sleep(PROBE_SECONDS)


async def refresh_figures(figures: LiveFigures) -> None:
    """Look at the figures and show them to the group, until cancelled."""
    while True:
        try:
            await figures.refresh()
        except UNREADABLE as error:
            # What another version has written must not stop this worker.
            LOG.warning("figures-unread", kind=type(error).__name__)
            figures.others = ()
        await asyncio.sleep(FIGURES_SECONDS)


async def watch_progress(health: Health) -> None:
    """Log once when nothing comes out although there is work, until cancelled."""
    was_alive = True
    while True:
        await asyncio.sleep(LAG_SECONDS)
        alive = health.alive()
        if was_alive and not alive:
            seconds = round(health.stalled_seconds(), 1)
            LOG.error("stalled", seconds=seconds, notes=health.in_flight)
        was_alive = alive


async def write_throughput(health: Health) -> None:
    """Log each minute what was done and what third parties repeated, until cancelled."""
    throughput = ThroughputLog(health)
    while True:
        await asyncio.sleep(MINUTE_SECONDS)
        throughput.write()
        summarize_third_parties()
