"""Serve an ASGI app under uvicorn until it is told to stop, then let its requests end."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import partial
from typing import cast

import uvicorn
from starlette.types import ASGIApp

from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.system_faults import say_why
from deidstream.stream.http.request_deadlines import DeadlineProtocol, RequestDeadlines
from deidstream.stream.http.server_tls import ServerTls
from deidstream.stream.observing.logs import Logger

LOG = Logger("http")
_BACKLOG = 128
_KEPT_SECONDS = 15
"""How long a connection stays open between two requests."""
_HEADER_BYTES = 16_384
"""Longest request line with its headers."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Where a server listens."""

    named: str
    """Prefix of the settings that name this place, such as ``DEIDSTREAM_API``."""
    host: str
    port: int
    """0 takes any free one."""
    tls: ServerTls
    drain_seconds: float = 20.0
    """Longest wait for requests in work when the server stops."""
    deadlines: RequestDeadlines = field(default_factory=RequestDeadlines)


class _QuietServer(uvicorn.Server):
    """A server that leaves signals to its caller."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Capture none."""
        yield


async def serve_app(
    app: ASGIApp,
    listener: Listener,
    stop: asyncio.Event,
    *,
    listening: Callable[[str], None] | None = None,
) -> None:
    """Serve an app until ``stop`` is set, then wait for the requests in work.

    Args:
        app: What answers; wrap it with ``protection.protect`` first.
        listener: Where to listen.
        stop: Ends the server; the caller sets it when a signal comes.
        listening: Called with the server's URL once it listens.

    Raises:
        InvalidSettings: The port is taken, or a file of TLS cannot be read.
    """
    context = listener.tls.context()
    bound = _bind(listener)
    protocol = partial(DeadlineProtocol, deadlines=listener.deadlines)
    config = uvicorn.Config(
        app,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        http=cast("type[asyncio.Protocol]", protocol),
        h11_max_incomplete_event_size=_HEADER_BYTES,
        timeout_keep_alive=_KEPT_SECONDS,
        timeout_graceful_shutdown=max(1, round(listener.drain_seconds)),
    )
    config.load()
    config.ssl = context
    server = _QuietServer(config)
    watching = asyncio.create_task(_exit_when_set(server, stop))
    scheme = "https" if context else "http"
    host, port = bound.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    url = f"{scheme}://{shown}:{port}"
    LOG.info("listening", address=url, port=port)
    if listening is not None:
        listening(url)
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    try:
        await asyncio.shield(serving)
    finally:
        # Also when the caller is cancelled, requests in work end before the port is closed.
        server.should_exit = True
        watching.cancel()
        await serving
        bound.close()


async def _exit_when_set(server: uvicorn.Server, stop: asyncio.Event) -> None:
    await stop.wait()
    server.should_exit = True


def _bind(listener: Listener) -> socket.socket:
    family = socket.AF_INET6 if ":" in listener.host else socket.AF_INET
    place = (listener.host.strip("[]"), listener.port)
    try:
        # The port accepts from here on, and requests wait until the server takes them.
        return socket.create_server(place, family=family, backlog=_BACKLOG)
    except OSError as error:
        where = f"{listener.host}:{listener.port}"
        msg = f"{listener.named}_PORT: {where} cannot be listened on: {say_why(error)}"
        raise InvalidSettings(msg) from None
