"""Limit the time in which the head of a request arrives, for servers that would wait for ever."""

import asyncio
from collections.abc import Callable
from functools import partial

HEAD_SECONDS = 10.0
_END = b"\r\n\r\n"


class HeadDeadline(asyncio.Protocol):
    """Passes a connection on to another protocol, and closes it when a head takes too long.

    What follows a head counts as the next one, also the body of a request: this is for servers
    whose pages are only read.
    """

    def __init__(self, inner: asyncio.Protocol, seconds: float = HEAD_SECONDS) -> None:
        """Take the protocol that answers, and the longest time of a head."""
        self._inner = inner
        self._seconds = seconds
        self._last = b""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a head."""
        self._wait(transport.close)
        self._close = transport.close
        self._inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on."""
        seen = self._last + data
        self._last = seen[-len(_END) + 1 :]
        if _END in seen:
            self._end_wait()
            if not seen.endswith(_END):
                self._wait(self._close)
        elif self._timer is None:
            self._wait(self._close)
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass it on."""
        return self._inner.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Pass it on."""
        self._end_wait()
        self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        """Pass it on."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Pass it on."""
        self._inner.resume_writing()

    def _wait(self, close: Callable[[], None]) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._seconds, close)

    def _end_wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def with_head_deadline(
    make: Callable[[], asyncio.Protocol], seconds: float = HEAD_SECONDS
) -> Callable[[], asyncio.Protocol]:
    """Return a factory of protocols whose connections are closed when a head takes too long."""
    return partial(_make, make, seconds)


def _make(make: Callable[[], asyncio.Protocol], seconds: float) -> HeadDeadline:
    return HeadDeadline(make(), seconds)
