"""Run a worker: start its parts in order, run until a signal, drain, stop."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from deidstream.agents.operations.live_figures import LiveFigures, share_figures
from deidstream.agents.runtime.compose import Runtime, build_service
from deidstream.agents.runtime.connections import kafka_connection, topics_of
from deidstream.agents.runtime.delivery_setup import connect_delivery
from deidstream.agents.runtime.guards.crash_guard import CrashGuard
from deidstream.agents.runtime.guards.failure_circuit import FailureCircuit
from deidstream.agents.runtime.guards.redis_guard import RedisGuard
from deidstream.agents.runtime.load_as_deployment import list_precisions, load_as_deployment
from deidstream.agents.runtime.load_models import describe_engines
from deidstream.agents.runtime.load_tracer import tracing_to
from deidstream.agents.runtime.long_notes import LongNotes
from deidstream.agents.runtime.monitor import Monitor
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.policy_files import DEFAULT
from deidstream.agents.runtime.production import refuse_unsafe
from deidstream.agents.runtime.reload import Reloaders
from deidstream.agents.runtime.reversible_writer import ReversibleWriter
from deidstream.agents.runtime.shared_ranks import SharedRanks
from deidstream.agents.runtime.standing_draw import StandingDraw
from deidstream.agents.runtime.stream_agent import StreamAgent
from deidstream.agents.runtime.surroundings import check_surroundings, start_ops_server
from deidstream.agents.runtime.warm_up import load_and_warm, warm
from deidstream.agents.settings import Settings
from deidstream.models.neural.model_turn import take_text_turn, work_beside
from deidstream.models.pipeline import Pipeline
from deidstream.stream.delivery.assignment import Assignment
from deidstream.stream.delivery.faust_reader import read_through
from deidstream.stream.delivery.group_offsets import GroupOffsets
from deidstream.stream.delivery.outbox import Delivery, Outbox
from deidstream.stream.delivery.outcome_records import OutcomeEncoder
from deidstream.stream.http.ops_server import OpsServer
from deidstream.stream.kafka.app import AppSettings, build_app
from deidstream.stream.kafka.probe import KafkaProbe
from deidstream.stream.lanes.lane import Lane
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger
from deidstream.stream.redis.crash_marks import CrashMarks
from deidstream.stream.retrying.breaker import Breaker, GuardedStore
from deidstream.stream.retrying.retry import Deadline

if TYPE_CHECKING:
    from faust.types import AppT

LOG = Logger("worker")
DONE, AWAY, BROKEN = 0, 69, 70


@dataclass(slots=True)
class Worker:
    """One worker and all its connections."""

    settings: Settings
    choice: PolicyChoice
    """The policies in force; those before them are dropped."""
    redis_guard: RedisGuard
    delivery: Delivery
    offsets: GroupOffsets
    figures: LiveFigures
    lane: Lane
    long_lane: Lane
    """The lane of long notes."""
    limits: Mapping[str, int]
    """Longest record of each topic, where it is known."""
    reversible: ReversibleWriter | None = None
    """Writes reversible records, where they are on."""

    @property
    def health(self) -> Health:
        """Whether it makes progress and has what it needs."""
        return self.figures.health

    def agent(self) -> StreamAgent:
        """Wire the agent."""
        batch, runtime = self.settings.batch, self.choice.default
        quarantine = self.settings.quarantine
        service = build_service(
            self.settings,
            runtime,
            GuardedStore(self.redis_guard.store, Breaker("redis")),
            lane=self.lane,
            health=self.health,
            tenant_pipelines=self.choice.tenant_pipelines(),
        )
        draw = StandingDraw.under(runtime.keys, self.settings.kafka.sample_share)
        encoder = OutcomeEncoder(
            topics_of(self.settings), runtime.stamp, self.limits, draw.is_drawn
        )
        outbox = Outbox(self.delivery, encoder, Assignment(), self.health)
        return StreamAgent(
            service=service,
            long_notes=LongNotes(service, self.long_lane),
            outbox=outbox,
            health=self.health,
            most_notes=batch.notes,
            wait_seconds=batch.wait_seconds,
            reversible=self.reversible,
            crash_guard=self.crash_guard(),
            ranks=SharedRanks.connect(
                self.redis_guard.store.client, self.settings.redis.deployment
            ),
            circuit=FailureCircuit(quarantine.stop_share, quarantine.stop_notes),
        )

    def crash_guard(self) -> CrashGuard:
        """Wire the guard against notes that kill the process."""
        settings = self.settings
        marks = CrashMarks(
            self.redis_guard.store.client, settings.kafka.group, settings.redis.deployment
        )
        return CrashGuard(marks, self.settings.quarantine.crashes)

    def app(self, agent: StreamAgent) -> "AppT":
        """Wire the Faust app around the agent."""
        kafka = self.settings.kafka
        buffered = 2 * self.settings.batch.notes
        app = build_app(
            AppSettings(kafka_connection(kafka), kafka.group, buffered, kafka.session_seconds)
        )
        read_through(app, agent.outbox.assignment, self.offsets)
        topic = app.topic(kafka.raw_topic, key_serializer="raw", value_serializer="raw")
        app.agent(topic, name="deidentify")(agent.consume)
        return app

    def reloader(self, agent: StreamAgent) -> Reloaders | None:
        """Wire the reloaders of changed policies; ``None`` where no policy can change."""

        def apply(policy: str, runtime: Runtime) -> None:
            if policy == DEFAULT:
                agent.service.pipeline = runtime.pipeline
                agent.outbox.use_stamp(runtime.stamp)
            else:
                agent.service.tenant_pipelines.pipelines[policy] = runtime.pipeline
            agent.kept.clear()
            _publish_policies(self.choice, self.figures)

        async def try_out(new: Pipeline) -> None:
            await self.lane.run(warm, new)
            # It may be the first policy that embeds.
            await self.redis_guard.keep_precisions(list_precisions([new.record_builder.stamp]))

        return self.choice.make_reloaders(try_out, apply)

    async def close(self) -> None:
        """Close what the worker holds."""
        self.lane.close()
        self.long_lane.close()
        await self.delivery.stop()
        await self.offsets.close()
        await self.redis_guard.close()
        if self.reversible is not None:
            await self.reversible.store.close()


async def run_worker(
    settings: Settings,
    *,
    load: Callable[[Settings], PolicyChoice] | None = None,
    started: Callable[[OpsServer], None] | None = None,
) -> int:
    """Run a worker until SIGTERM or SIGINT.

    Args:
        settings: All settings.
        load: Loads what decides, off the event loop; by default :func:`load_and_warm`.
        started: Called once the ops server listens.

    Returns:
        The exit code: 0 after a signal, 70 when something broke.

    Raises:
        Unavailable: Kafka or Redis is unavailable at the start.
        Refused: Key, policy, model or index is missing or wrong, or Redis may not be trusted; the
            last also while it runs.
    """
    refuse_unsafe(settings, os.environ)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    health = Health(settings.worker.stall_seconds)
    figures = LiveFigures(health, settings.kafka.group)
    async with tracing_to(settings.traces):
        server = await start_ops_server(settings.http, figures)
        try:
            guard, limits = await check_surroundings(settings)
            share_figures(figures, guard.store.client, settings)
            choice = await load_as_deployment(load or load_and_warm, settings, guard)
            models = choice.default.models
            figures.engine = describe_engines(tuple(models.recognizers.values()), models.embedder)
            worker = await _connect(settings, choice, guard, limits, figures)
            LOG.info("ops-server", address=server.url, port=server.port)
            if started:
                started(server)
            try:
                return await _run(worker, stop)
            finally:
                await worker.close()
        finally:
            await server.stop()


async def _connect(
    settings: Settings,
    choice: PolicyChoice,
    guard: RedisGuard,
    limits: Mapping[str, int],
    figures: LiveFigures,
) -> Worker:
    await guard.admit()
    reversible = await ReversibleWriter.connect(settings, figures.health)
    offsets, delivery = await connect_delivery(settings.kafka, limits)
    return Worker(
        settings=settings,
        choice=choice,
        redis_guard=guard,
        delivery=delivery,
        offsets=offsets,
        figures=figures,
        lane=Lane(take_text_turn),
        long_lane=Lane.of_one(work_beside),
        limits=limits,
        reversible=reversible,
    )


async def _run(worker: Worker, stop: asyncio.Event) -> int:
    agent = worker.agent()
    app = worker.app(agent)
    monitor: asyncio.Task[None] | None = None
    try:
        await app.start()
        monitor = asyncio.create_task(_monitor(worker, app, agent).run())
        monitor.add_done_callback(lambda task: _end_unwatched(agent, task))
        worker.health.started = True
        _announce(worker.choice, worker.figures)
        await _wait_for_first(stop, agent.broken)
        if agent.refused:
            # Said before the drain, which may take a while; the last line says it again.
            LOG.error("refused", reason=str(agent.refused))
    finally:
        code = await _stop(worker, app, agent, monitor)
    if agent.refused:
        raise agent.refused
    return code


def _monitor(worker: Worker, app: "AppT", agent: StreamAgent) -> Monitor:
    settings = worker.settings
    return Monitor(
        app=app,
        agent=agent,
        health=worker.health,
        reloader=worker.reloader(agent),
        reload_seconds=settings.policy_reload_seconds,
        redis_guard=worker.redis_guard,
        check_seconds=settings.redis.check_seconds,
        probe=KafkaProbe(kafka_connection(settings.kafka), topics_of(settings).all()),
        figures=worker.figures,
    )


def _end_unwatched(agent: StreamAgent, monitor: asyncio.Task[None]) -> None:
    """Stop a worker whose monitor has failed: nothing would say what it lacks."""
    if not monitor.cancelled() and (error := monitor.exception()) is not None:
        LOG.error("monitor-failed", kind=type(error).__name__)
        agent.broken.set()


def _announce(choice: PolicyChoice, figures: LiveFigures) -> None:
    stamp, policy = choice.default.stamp, choice.default.pipeline.policy
    _publish_policies(choice, figures)
    LOG.info("started", policy=policy.name, version=stamp.version, key_version=stamp.key_version)
    if choice.tenants.by_tenant:
        LOG.info("tenants-not-listed", policy=choice.otherwise)


def _publish_policies(choice: PolicyChoice, figures: LiveFigures) -> None:
    # The default comes first, and drops the values published before.
    metrics.sole_gauge("deid_info", 1, *_info(choice.default))
    for runtime in choice.runtimes.values():
        metrics.gauge("deid_info", 1, *_info(runtime))
    policies = [runtime.pipeline.policy for runtime in choice.runtimes.values()]
    figures.labels = frozenset(name for policy in policies for name in policy.labels)


def _info(runtime: Runtime) -> tuple[str, ...]:
    stamp, policy = runtime.stamp, runtime.pipeline.policy
    models = stamp.index or "", stamp.tagger or ""
    return version("deidstream"), policy.name, policy.sha256, *models, str(stamp.key_version)


async def _wait_for_first(*events: asyncio.Event) -> None:
    waits = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


async def _stop(
    worker: Worker, app: "AppT", agent: StreamAgent, monitor: asyncio.Task[None] | None
) -> int:
    deadline = Deadline.after(worker.settings.worker.drain_seconds)
    drained = await agent.drain(deadline.left_seconds())
    if agent.ranks is not None:
        await agent.ranks.flush()
    LOG.info("drained" if drained else "drain-deadline", notes=worker.health.in_flight)
    if monitor is not None:
        # It asks the consumer, whose thread ends with the app.
        monitor.cancel()
        await asyncio.gather(monitor, return_exceptions=True)
    try:
        # A worker that cannot stop is worse than one whose last notes are read again.
        await asyncio.wait_for(app.stop(), timeout=max(5.0, deadline.left_seconds()))
    except (TimeoutError, asyncio.CancelledError):
        LOG.warning("stop-deadline")
    return BROKEN if agent.broken.is_set() else DONE
