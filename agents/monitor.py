"""Watch the worker from inside: partitions, event loop, crashed app, policy, Kafka, Redis."""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from aiokafka.errors import KafkaError
from faust.types import TP, AppT

from deidstream.agents.guards.redis_guard import RedisGuard
from deidstream.agents.reload import Reloaders
from deidstream.agents.stream_agent import StreamAgent
from deidstream.agents.throughput import ThroughputLog
from deidstream.schemas.errors import Refused, Unavailable
from deidstream.schemas.outcome import Place
from deidstream.stream import metrics
from deidstream.stream.health import Health
from deidstream.stream.kafka.probe import KafkaProbe
from deidstream.stream.logs import Logger, summarize_third_parties

LOG = Logger("worker")
LOOP_SECONDS = 0.05
LAG_SECONDS = 1.0
LOOK_SECONDS = 5.0
PROBE_SECONDS = 5.0
MINUTE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class LagGauges:
    """The lag of each partition that this worker holds, and of no other."""

    shown: set[Place] = field(default_factory=set[Place])

    def show(self, lags: Mapping[Place, int]) -> None:
        """Set the gauges of the partitions held; drop those of partitions given away."""
        for topic, partition in self.shown - lags.keys():
            metrics.drop_gauge("deid_consumer_lag", topic, str(partition))
        for (topic, partition), lag in lags.items():
            metrics.gauge("deid_consumer_lag", lag, topic, str(partition))
        self.shown.clear()
        self.shown.update(lags)


@dataclass(frozen=True, slots=True)
class Monitor:
    """Watches the parts of a worker, sets their gauges, and stops it where it must not go on."""

    app: AppT
    agent: StreamAgent
    health: Health
    probe: KafkaProbe
    """Asks whether Kafka is there."""
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
        lags = {(tp.topic, tp.partition): await self._lag(tp) for tp in held}
        self.gauges.show(lags)
        self.health.record_backlog(sum(lags.values()))
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

    async def _lag(self, tp: TP) -> int:
        consumer = self.app.consumer
        acked = self.agent.acked.get((tp.topic, tp.partition))
        read = (await consumer.position(tp) or 0) if acked is None else acked
        return max(0, (consumer.highwater(tp) or 0) - read)


async def watch_loop() -> None:
    """Observe how late the event loop wakes, until cancelled."""
    while True:
        start = time.perf_counter()
        await asyncio.sleep(LOOP_SECONDS)
        metrics.observe("deid_event_loop_lag_seconds", time.perf_counter() - start - LOOP_SECONDS)


async def watch_kafka(probe: KafkaProbe, health: Health) -> None:
    """Ask regularly whether Kafka and the input topic are there, until cancelled."""
    while True:
        try:
            served = await probe.ask()
        except Unavailable as away:
            health.record_probe(away.service, answers=False)
        else:
            health.record_topic(served=served)
            health.record_probe("kafka", answers=True)
        await asyncio.sleep(PROBE_SECONDS)


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
