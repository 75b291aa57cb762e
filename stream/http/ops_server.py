"""Serve /livez, /readyz, /metrics and more pages on a port of their own; none of it is PHI.

The first two answer 200 or 503 and a JSON object that says what is missing.

Where a token is set, every page asks for it but the two probes and those that hold no figures.
Without one, a server that this machine alone reaches answers to names of this machine alone.
"""

import asyncio
import hmac
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import cast

import orjson
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.system_faults import say_why
from deidstream.stream.http.head_deadline import HEAD_SECONDS, with_head_deadline
from deidstream.stream.http.own_hosts import LOOPBACK_HOSTS, is_loopback, is_own_host
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import PROBE_PATHS, Health


@dataclass(frozen=True, slots=True)
class MorePages:
    """Pages beside the probes and the metrics."""

    routes: Sequence[web.RouteDef] = ()
    open: frozenset[str] = frozenset()
    """Paths of those that need no token, because they hold nothing of this worker."""


@dataclass(frozen=True, slots=True)
class OpsServer:
    """A running ops server."""

    runner: web.AppRunner = field(repr=False)
    server: asyncio.Server = field(repr=False)
    host: str
    port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{self.host}:{self.port}"

    async def stop(self) -> None:
        """Close the port."""
        self.server.close()
        await self.runner.cleanup()


async def serve(  # noqa: PLR0913 - where, for whom, and what
    health: Health,
    *,
    host: str,
    port: int,
    token: str = "",
    pages: MorePages | None = None,
    head_seconds: float = HEAD_SECONDS,
    named: str = "DEIDSTREAM_HTTP_PORT",
) -> OpsServer:
    """Start the ops server.

    Args:
        health: The state that it reports.
        host: Address to listen on.
        port: Port to listen on; 0 takes any free one.
        token: What ``Authorization: Bearer`` must hold; empty: nothing is asked.
        pages: What it serves beside the probes and the metrics.
        head_seconds: Longest time in which the head of a request arrives.
        named: The setting or the flag that states the port, for the error message.

    Raises:
        InvalidSettings: The port is taken, or the address is not this machine's.
    """
    more = pages or MorePages()
    free = PROBE_PATHS | more.open
    hosts = {*LOOPBACK_HOSTS, host.lower()} if is_loopback(host) else set[str]()
    check = _require(token, free) if token else _require_own_host(hosts, free)
    app = web.Application(middlewares=[check])
    app.add_routes(_routes(health))
    app.add_routes(more.routes)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    # It is there once the runner is set up.
    answering = cast("Callable[[], asyncio.Protocol]", runner.server)
    factory = with_head_deadline(answering, head_seconds)
    try:
        server = await asyncio.get_running_loop().create_server(factory, host, port)
    except OSError as error:
        await runner.cleanup()
        msg = f"{named}: {host}:{port} cannot be listened on: {say_why(error)}"
        raise InvalidSettings(msg) from None
    taken: int = server.sockets[0].getsockname()[1]
    return OpsServer(runner, server, host, taken)


def _require(token: str, free: Collection[str]) -> Middleware:
    wanted = f"Bearer {token}".encode()

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        given = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        if request.path not in free and not hmac.compare_digest(given, wanted):
            raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"})
        return await handler(request)

    return check


def _require_own_host(hosts: Collection[str], free: Collection[str]) -> Middleware:
    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path not in free and not is_own_host(request.headers.get("Host", ""), hosts):
            raise web.HTTPMisdirectedRequest
        return await handler(request)

    return check


def _routes(health: Health) -> list[web.RouteDef]:
    async def livez(_request: web.Request) -> web.Response:
        return _verdict(health.alive(), health.describe_life())

    async def readyz(_request: web.Request) -> web.Response:
        return _verdict(health.ready(), health.describe_readiness())

    async def expose(_request: web.Request) -> web.Response:
        return web.Response(body=metrics.exposition(), content_type="text/plain", charset="utf-8")

    return [
        web.get("/livez", livez),
        web.get("/readyz", readyz),
        web.get("/metrics", expose),
    ]


def _verdict(good: bool, body: dict[str, object]) -> web.Response:  # noqa: FBT001 - the answer itself
    return web.Response(
        status=200 if good else 503,
        body=orjson.dumps(body) + b"\n",
        content_type="application/json",
    )
