"""Run the interface: listen, load, answer requests until a signal, drain, stop."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp

from deidstream.agents.api import cda_routes, fhir_routes, presidio_routes
from deidstream.agents.api.api_clients import read_clients
from deidstream.agents.api.api_service import ApiService, policy_names
from deidstream.agents.api.api_state import ApiState
from deidstream.agents.api.application import OPEN_PATHS, make_app
from deidstream.agents.runtime.guards.redis_guard import RedisGuard, connect_guard
from deidstream.agents.runtime.load_as_deployment import list_precisions, load_as_deployment
from deidstream.agents.runtime.local_ranks import LocalRanks
from deidstream.agents.runtime.monitor import watch_loop
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.production import refuse_unsafe
from deidstream.agents.runtime.root_keys import fresh_key
from deidstream.agents.runtime.warm_up import load_and_warm, warm
from deidstream.agents.settings import ApiSettings, Settings
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.errors import Unavailable
from deidstream.schemas.ports import SurrogateStore
from deidstream.stream.http.admission import HttpLimits
from deidstream.stream.http.http_clients import ClientBook
from deidstream.stream.http.own_hosts import LOOPBACK_HOSTS, is_loopback
from deidstream.stream.http.protection import protect
from deidstream.stream.http.server_tls import ServerTls
from deidstream.stream.http.serving import Listener, serve_app
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from deidstream.stream.retrying.breaker import Breaker, GuardedStore

LOG = Logger("api")
MEMORY = "memory"
"""Value of ``api.store``."""
CANCEL_SECONDS = 1.0
"""Time between two attempts to cancel the task that computes."""
_NAMED = "DEIDSTREAM_API"


def listener_of(api: ApiSettings) -> Listener:
    """Return where the interface listens."""
    tls = ServerTls(
        _NAMED, api.tls_certificate, api.tls_key, api.tls_key_password, api.tls_client_ca
    )
    return Listener(_NAMED, api.host, api.port, tls, api.drain_seconds)


def limits_of(api: ApiSettings) -> HttpLimits:
    """Return the limits of requests."""
    return HttpLimits(api.requests, api.client_requests, api.seconds, api.body_bytes)


def protect_app(app: FastAPI, clients: ClientBook, api: ApiSettings) -> ASGIApp:
    """Wrap the app with the checks that every request passes first."""
    hosts = LOOPBACK_HOSTS if is_loopback(api.host) else frozenset[str]()
    return protect(app, clients, limits_of(api), open_paths=OPEN_PATHS, hosts=hosts)


def list_routers(api: ApiSettings) -> Iterable[APIRouter]:
    """Return the routes beside ``/v1``."""
    return [
        fhir_routes.ROUTER,
        cda_routes.ROUTER,
        *([presidio_routes.ROUTER] if api.presidio else []),
    ]


@dataclass(slots=True)
class ApiProcess:
    """The parts of a running interface."""

    settings: Settings
    state: ApiState
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    guard: RedisGuard | None = None
    """``None`` where surrogates are kept in memory."""

    async def load(self, load: Callable[[Settings], PolicyChoice]) -> ApiService:
        """Check Redis and load policies, models and indexes.

        Raises:
            Refused: A policy, key, model or index is missing or wrong, or Redis may not be used.
            Unavailable: Redis cannot be reached.
        """
        if self.guard is not None:
            await self.guard.check()
        choice = await load_as_deployment(load, self.settings, self.guard)
        if self.guard is not None:
            await self.guard.admit()
        service = ApiService.build(self.settings, choice, self._store(), self.state.health)
        if self.guard is not None:
            client, deployment = self.guard.store.client, self.settings.redis.deployment
            service.ranks = LocalRanks.in_redis(client, deployment)
        return service

    async def run(self, load: Callable[[Settings], PolicyChoice]) -> None:
        """Load, then compute and watch until cancelled; a refusal stops the server."""
        try:
            service = await self.load(load)
            self.state.service, self.state.health.started = service, True
            stamp, policy = service.choice.default.stamp, service.choice.default.pipeline.policy
            LOG.info(
                "started", policy=policy.name, version=stamp.version, key_version=stamp.key_version
            )
            await asyncio.gather(
                service.work(), watch_loop(), self._watch_redis(), self._watch_policies(service)
            )
        finally:
            self.stop.set()

    def _store(self) -> SurrogateStore:
        if self.guard is None:
            return MemorySurrogateStore()
        return GuardedStore(self.guard.store, Breaker("redis"))

    async def _watch_redis(self) -> None:
        seconds = self.settings.redis.check_seconds
        while self.guard is not None and seconds:
            await asyncio.sleep(seconds)
            # The breaker handles an unavailable Redis.
            with contextlib.suppress(Unavailable):
                await self.guard.check()

    async def _watch_policies(self, service: ApiService) -> None:
        async def try_out(new: Pipeline) -> None:
            await service.lane.run(warm, new)
            if self.guard is not None:
                # It may be the first policy that embeds.
                await self.guard.keep_precisions(list_precisions([new.record_builder.stamp]))

        reloader = service.choice.make_reloaders(try_out, service.replace_policy)
        seconds = self.settings.policy_reload_seconds
        while reloader is not None and seconds:
            await asyncio.sleep(seconds)
            await reloader.look()


def load_for_api(settings: Settings) -> PolicyChoice:
    """Load the policies of tenants and those that requests may choose, and run each once.

    Where surrogates are kept in memory and no key file is set, the key is drawn.

    Raises:
        Refused: A policy, key, model or index is missing or wrong.
    """
    drawn = settings.api.store == MEMORY and not settings.key.file
    root = fresh_key() if drawn else None
    return load_and_warm(settings, root=root, others=policy_names(settings))


async def run_api(
    settings: Settings,
    *,
    load: Callable[[Settings], PolicyChoice] | None = None,
    listening: Callable[[str], None] | None = None,
) -> int:
    """Run the interface until SIGTERM or SIGINT; while models load it answers 503.

    Args:
        settings: All settings.
        load: Loads policies and models, off the event loop; by default :func:`load_for_api`.
        listening: Called with the URL once it listens.

    Returns:
        The exit code, 0.

    Raises:
        Unavailable: Redis is unavailable at the start.
        Refused: A setting, key, policy, model or index is missing or wrong, or Redis may not be
            trusted; the last also while it runs.
    """
    refuse_unsafe(settings, os.environ)
    api = settings.api
    clients = read_clients(api)
    health = Health(settings.worker.stall_seconds, consumes=False)
    state = ApiState(settings, health)
    guard = None if api.store == MEMORY else connect_guard(settings, writes=True)
    process = ApiProcess(settings, state, guard=guard)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, process.stop.set)
    app = protect_app(make_app(state, list_routers(api)), clients, api)
    running = asyncio.create_task(process.run(load or load_for_api))
    try:
        await serve_app(app, listener_of(api), process.stop, listening=listening)
    finally:
        await _end(running)
        if guard is not None:
            await guard.close()
    if not running.cancelled():
        running.result()
    return 0


async def _end(task: "asyncio.Task[None]") -> None:
    """Cancel a task until it has ended: redis-py swallows a cancellation while it connects."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_SECONDS)
