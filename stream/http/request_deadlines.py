"""Limit the time in which a request arrives: uvicorn alone waits for the rest of one for ever.

Source of the form: Apache's mod_reqtimeout (a time for the head; for the body a time and a rate).
"""

import asyncio
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from deidstream.stream.http.replies import JSON, HttpErrorCode, error_body
from deidstream.stream.observing.logs import Logger

LOG = Logger("http")


@dataclass(frozen=True, slots=True)
class RequestDeadlines:
    """How long a client may take to send a request."""

    head_seconds: float = 10.0
    """From the connection, or the first byte of a further request, to the end of its headers."""
    body_seconds: float = 20.0
    """From there to the end of the body, beside the time of its bytes."""
    body_rate: float = 10_000.0
    """Bytes a second that the slowest client sends, if its body is long."""


class _Phase(Enum):
    HEAD = auto()
    BODY = auto()
    ARRIVED = auto()
    """The request is here, or none has begun."""


class DeadlineProtocol(H11Protocol):
    """A connection that is closed when a request takes too long to arrive; 408 says so."""

    deadlines: RequestDeadlines

    def __init__(self, *args: Any, deadlines: RequestDeadlines, **named: Any) -> None:  # noqa: ANN401 - uvicorn's
        """Take uvicorn's arguments, and the deadlines."""
        super().__init__(*args, **named)
        self.deadlines = deadlines
        self._phase = _Phase.ARRIVED
        self._timer: asyncio.TimerHandle | None = None
        self._begun = 0.0
        self._received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._enter(_Phase.HEAD)

    def data_received(self, data: bytes) -> None:
        """Take bytes, and set the deadline of what the request still lacks."""
        self._received += len(data)
        super().data_received(data)
        self._enter(_phase_of(self.conn.their_state))

    def connection_lost(self, exc: Exception | None) -> None:
        """End the deadline."""
        self._enter(_Phase.ARRIVED)
        super().connection_lost(exc)

    def _enter(self, phase: _Phase) -> None:
        if phase is self._phase:
            return
        self._phase = phase
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if phase is not _Phase.ARRIVED:
            self._begun, self._received = self.loop.time(), 0
            self._timer = self.loop.call_at(self._deadline(), self._look)

    def _deadline(self) -> float:
        if self._phase is _Phase.HEAD:
            return self._begun + self.deadlines.head_seconds
        bytes_seconds = self._received / self.deadlines.body_rate
        return self._begun + self.deadlines.body_seconds + bytes_seconds

    def _look(self) -> None:
        """Close the connection if its time is over; a body that the app does not take may wait."""
        now = self.loop.time()
        due = max(self._deadline(), now + 1.0 if self.flow.read_paused else 0.0)
        if due > now:
            self._timer = self.loop.call_at(due, self._look)
            return
        LOG.info("request-too-slow", phase="head" if self._phase is _Phase.HEAD else "body")
        if self._phase is _Phase.BODY:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            self._write_timeout()
        self.transport.close()

    def _write_timeout(self) -> None:
        body = error_body(HttpErrorCode.TIMEOUT)
        headers = [
            (b"content-type", JSON.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        for event in (
            h11.Response(status_code=408, headers=headers, reason=b"Request Timeout"),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")


def _phase_of(their_state: object) -> _Phase:
    if their_state is h11.IDLE:
        return _Phase.HEAD
    return _Phase.BODY if their_state is h11.SEND_BODY else _Phase.ARRIVED
