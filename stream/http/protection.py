"""Protect an app: limits, tokens, headers, and an access log; whatever it raises stays inside."""

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deidstream.stream.http.admission import CLIENT, Admission, HttpLimits
from deidstream.stream.http.body_limit import BodyLimit
from deidstream.stream.http.http_clients import ClientBook
from deidstream.stream.http.replies import HttpErrorCode, send_error
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import PROBE_PATHS
from deidstream.stream.observing.logs import Logger

LOG = Logger("http")
NOTHING_LOADED = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""Content-Security-Policy of replies that are no pages."""
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_ELSEWHERE = "elsewhere"
"""Stands in the access log for addresses that the app does not have: they may hold anything."""


def protect(
    app: ASGIApp,
    clients: ClientBook,
    limits: HttpLimits,
    *,
    open_paths: Collection[str] = PROBE_PATHS,
    content_policy: str = NOTHING_LOADED,
    hosts: Collection[str] = (),
) -> ASGIApp:
    """Wrap an app with tokens, limits, headers and the access log.

    Args:
        app: What answers requests that are admitted.
        clients: Who is admitted; a page that checks its visitors itself takes ``open_to``.
        limits: Limits of requests.
        open_paths: Addresses that need no token, and to which no limit but that of bodies applies.
        content_policy: Content-Security-Policy of all replies.
        hosts: Names to which an app without tokens answers; empty: any.
    """
    admitted = Admission(BodyLimit(app, limits.body_bytes), clients, limits, open_paths, hosts)
    return Enclosure(admitted, _HEADERS | {"Content-Security-Policy": content_policy})


@dataclass(frozen=True, slots=True)
class Enclosure:
    """Adds headers to every reply, logs every request, and answers 500 for what is raised.

    Only the type of an error is logged, as its message may quote a note.
    """

    app: ASGIApp
    headers: Mapping[str, str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status, ended = time.perf_counter(), 0, False

        async def send_with_headers(message: Message) -> None:
            nonlocal status, ended
            ended = message["type"] == "http.response.body" and not message.get("more_body")
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except Exception as error:  # noqa: BLE001 - its message may quote a note
            kind, route = type(error).__name__, _name_route(scope)
            LOG.error("request-failed", kind=kind, route=route)  # noqa: TRY400 - no traceback
            if status and not ended:
                # The connection has to break, or a part of the reply would pass for the whole.
                raise _ReplyCutOff from None
            if not status:
                failure = HTTPStatus.INTERNAL_SERVER_ERROR
                await send_error(scope, receive, send_with_headers, failure, HttpErrorCode.INTERNAL)
        finally:
            _record(scope, status, time.perf_counter() - start)


class _ReplyCutOff(Exception):
    """A reply had begun when its request failed."""


def _record(scope: Scope, status: int, seconds: float) -> None:
    route, client = _name_route(scope), scope.get(CLIENT)
    metrics.count("deid_http_requests_total", route, str(status))
    metrics.observe("deid_http_seconds", seconds, route)
    if route not in PROBE_PATHS:
        LOG.info(
            "request",
            method=scope["method"] if scope["method"] in _METHODS else _ELSEWHERE,
            route=route,
            code=str(status),
            seconds=round(seconds, 4),
            client=client.name if client else None,
        )


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _name_route(scope: Scope) -> str:
    """Name the route of a request as the app declares it; an address itself may hold anything."""
    route = scope.get("route")
    return str(getattr(route, "path", _ELSEWHERE))
