"""Refuse bodies over a limit: by their stated length, else as soon as they are longer."""

from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deidstream.stream.http.replies import HttpErrorCode, send_error


class _TooLong(Exception):
    """More bytes came than the limit."""


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Counts the bytes of each body."""

    app: ASGIApp
    most_bytes: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; answer 413 when its body is too long."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        counted = _CountedBody(self.most_bytes, receive, send)
        if _stated_length(scope) <= self.most_bytes:
            with suppress(_TooLong):
                await self.app(scope, counted.receive, counted.send)
            if not counted.too_long or counted.begun:
                return
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        await send_error(scope, receive, send, status, HttpErrorCode.BODY_TOO_LARGE)


@dataclass(slots=True)
class _CountedBody:
    """The body of one request, and whether its reply has begun."""

    most_bytes: int
    _receive: Receive
    _send: Send
    read: int = 0
    too_long: bool = False
    begun: bool = False

    async def receive(self) -> Message:
        """Receive a part of the body.

        Raises:
            _TooLong: More bytes came than the limit.
        """
        message = await self._receive()
        self.read += len(message.get("body", b""))
        if self.read > self.most_bytes:
            self.too_long = True
            raise _TooLong
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the reply; drop the framework's own reply to a body that was cut off."""
        if not self.too_long or self.begun:
            self.begun = True
            await self._send(message)


def _stated_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
