"""Admit requests: a known client, few enough at once, each within its time."""

import asyncio
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deidstream.stream.http.http_clients import ClientBook, HttpClient
from deidstream.stream.http.own_hosts import is_own_host
from deidstream.stream.http.replies import HttpErrorCode, send_error

CLIENT = "deidstream.client"
"""Key of the scope under which the client of a request is kept."""


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """Limits of all requests together, of those of one client, and of one request."""

    requests: int = 64
    """Requests in work, waiting ones included."""
    requests_of_client: int = 32
    seconds: float = 60.0
    """Time of a request, from its first byte to the last of the reply; 0: no limit."""
    body_bytes: int = 5_000_000
    retry_after: int = 1
    """Seconds in ``Retry-After``, for a request over one of the two limits of requests in work."""


@dataclass(slots=True)
class Admission:
    """The gate of an app; ``open_paths`` need no token, and have no limit of number or time."""

    app: ASGIApp
    clients: ClientBook
    limits: HttpLimits
    open_paths: Collection[str] = ()
    hosts: Collection[str] = ()
    """Names to which a server that asks for no token answers; empty: any."""
    _in_work: Counter[HttpClient] = field(default_factory=Counter[HttpClient])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it with the reason."""
        if scope["type"] != "http" or scope["path"] in self.open_paths:
            await self.app(scope, receive, send)
            return
        named = (_read_header(scope, b"host") or b"").decode("latin-1")
        if self.clients.otherwise is not None and not is_own_host(named, self.hosts):
            status = HTTPStatus.MISDIRECTED_REQUEST
            await send_error(scope, receive, send, status, HttpErrorCode.OTHER_HOST)
            return
        client = self.clients.find(_read_header(scope, b"authorization"))
        if client is None:
            status = HTTPStatus.UNAUTHORIZED
            await send_error(scope, receive, send, status, HttpErrorCode.NO_TOKEN)
            return
        scope[CLIENT] = client
        if (code := self._find_excess(client)) is not None:
            await send_error(
                scope, receive, send, _STATUS[code], code, retry_after=self.limits.retry_after
            )
            return
        self._in_work[client] += 1
        try:
            await self._run(scope, receive, send)
        finally:
            self._in_work[client] -= 1

    def _find_excess(self, client: HttpClient) -> HttpErrorCode | None:
        if self._in_work.total() >= self.limits.requests:
            return HttpErrorCode.SERVER_BUSY
        if self._in_work[client] >= self.limits.requests_of_client:
            return HttpErrorCode.CLIENT_BUSY
        return None

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def send_and_record(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            async with asyncio.timeout(self.limits.seconds or None):
                await self.app(scope, receive, send_and_record)
        except TimeoutError:
            if begun:
                # The reply is cut off: a client must not take a part of it for the whole.
                raise
            status = HTTPStatus.GATEWAY_TIMEOUT
            await send_error(scope, receive, send, status, HttpErrorCode.TIMEOUT)


_STATUS = {
    HttpErrorCode.SERVER_BUSY: HTTPStatus.SERVICE_UNAVAILABLE,
    HttpErrorCode.CLIENT_BUSY: HTTPStatus.TOO_MANY_REQUESTS,
}


def _read_header(scope: Scope, wanted: bytes) -> bytes | None:
    """Return the value of a header; nothing where it is absent or given twice."""
    found = [value for name, value in scope["headers"] if name == wanted]
    return found[0] if len(found) == 1 else None


def client_of(scope: Scope) -> HttpClient:
    """Return the client of a request that was admitted."""
    client: HttpClient = scope[CLIENT]
    return client
