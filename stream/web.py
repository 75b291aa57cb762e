"""Serve /livez, /readyz and /metrics on a port of their own; none of it is PHI.

The first two answer 200 or 503 and a JSON object that says what is missing.

Where a token is set, every page but the two probes asks for it.
"""

import hmac
from dataclasses import dataclass, field

import orjson
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from deidstream.stream import metrics
from deidstream.stream.health import Health

OPEN = frozenset({"/livez", "/readyz"})
"""Pages that need no token: probes of orchestrators have none."""


@dataclass(frozen=True, slots=True)
class OpsServer:
    """A running ops server."""

    runner: web.AppRunner = field(repr=False)
    host: str
    port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{self.host}:{self.port}"

    async def stop(self) -> None:
        """Close the port."""
        await self.runner.cleanup()


async def serve(health: Health, *, host: str, port: int, token: str = "") -> OpsServer:
    """Start the ops server.

    Args:
        health: The state that it reports.
        host: Address to listen on.
        port: Port to listen on; 0 takes any free one.
        token: What ``Authorization: Bearer`` must hold; empty: nothing is asked.

    Raises:
        OSError: The port is taken.
    """
    app = web.Application(middlewares=[_require(token)] if token else [])
    app.add_routes(_routes(health))
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, host, port)
    await site.start()
    taken: int = runner.addresses[0][1]
    return OpsServer(runner, host, taken)


def _require(token: str) -> Middleware:
    wanted = f"Bearer {token}".encode()

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        given = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        if request.path not in OPEN and not hmac.compare_digest(given, wanted):
            raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"})
        return await handler(request)

    return check


def _routes(health: Health) -> list[web.RouteDef]:
    async def livez(_request: web.Request) -> web.Response:
        return _verdict(health.alive(), _describe_life(health))

    async def readyz(_request: web.Request) -> web.Response:
        return _verdict(health.ready(), _describe_readiness(health))

    async def expose(_request: web.Request) -> web.Response:
        return web.Response(body=metrics.exposition(), content_type="text/plain", charset="utf-8")

    return [
        web.get("/livez", livez),
        web.get("/readyz", readyz),
        web.get("/metrics", expose),
    ]


def _describe_life(health: Health) -> dict[str, object]:
    return {
        "alive": health.alive(),
        "stalled_seconds": round(health.stalled_seconds(), 1),
        "notes_in_flight": health.in_flight,
        "backlog": health.backlog,
    }


def _describe_readiness(health: Health) -> dict[str, object]:
    return {
        "ready": health.ready(),
        "missing": health.missing(),
        "away_seconds": health.away_seconds(),
    }


def _verdict(good: bool, body: dict[str, object]) -> web.Response:  # noqa: FBT001 - the answer itself
    return web.Response(
        status=200 if good else 503,
        body=orjson.dumps(body) + b"\n",
        content_type="application/json",
    )
