"""A TCP proxy that hurts: down, silent, reset, slow, sliced, narrow, in one direction or both."""

import asyncio
import contextlib
import random
import socket
import struct
import threading
from dataclasses import dataclass, field
from typing import Self

from support.ports import LOOPBACK, free_port

_READ = 64 * 1024


@dataclass(frozen=True, slots=True)
class Toxic:
    """What the proxy does to every connection; as it stands, nothing."""

    down: bool = False
    """Refuse and close connections."""
    silent: bool = False
    """Accept and hold everything, as a network that drops packets."""
    latency: float = 0.0
    """Seconds before each piece is passed on."""
    jitter: float = 0.0
    slice_bytes: int = 0
    """Pass on pieces of this size."""
    bytes_per_second: int = 0
    upstream: bool = True
    """Whether all this concerns what clients send."""
    downstream: bool = True
    """Whether all this concerns what the server sends."""
    answer: bytes = b""
    """Sent to the client for each piece that it sends; the server hears nothing."""


HEALTHY = Toxic()


@dataclass(slots=True)
class Proxy:
    """Passes connections on to one port, on a thread of its own."""

    target: int
    port: int = field(default_factory=free_port)
    toxic: Toxic = HEALTHY
    bytes_passed: int = 0
    _writers: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _server: asyncio.Server | None = None
    _chance: random.Random = field(default_factory=lambda: random.Random(1))
    _started: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        """Listen."""
        threading.Thread(target=self._run, daemon=True).start()
        if not self._started.wait(10):
            message = "the proxy does not listen"
            raise TimeoutError(message)
        return self

    def __exit__(self, *_: object) -> None:
        """Close everything."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    def hurt(self, toxic: Toxic) -> None:
        """Change what happens to all connections, those that exist included."""
        self.toxic = toxic
        if toxic.down:
            self.reset()

    def heal(self) -> None:
        """Pass everything on again."""
        self.toxic = HEALTHY

    def reset(self) -> None:
        """End every connection by a reset, as a peer that restarted."""
        self._loop.call_soon_threadsafe(self._reset)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())
        self._started.set()
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._reset()
        if self._server is not None:
            self._server.close()
        self._loop.run_until_complete(asyncio.sleep(0.05))
        self._loop.close()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, LOOPBACK, self.port)

    def _reset(self) -> None:
        for writer in list(self._writers):
            raw = writer.get_extra_info("socket")
            with contextlib.suppress(OSError):
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        back: asyncio.StreamWriter | None = None
        try:
            if self.toxic.down:
                return
            if self.toxic.answer:
                await self._answer(reader, writer)
                return
            there, back = await asyncio.open_connection(LOOPBACK, self.target)
            self._writers.add(back)
            ways = (self._pass(reader, back, up=True), self._pass(there, writer, up=False))
            tasks = [asyncio.ensure_future(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
        except (OSError, asyncio.CancelledError):
            # Cancelled: the proxy ends.
            return
        finally:
            for each in (writer, back):
                if each is not None:
                    self._writers.discard(each)
                    each.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while self.toxic.answer and (piece := await reader.read(_READ)):
                # Redis: one answer a command; each command begins as an array.
                commands = max(1, piece.count(b"\r\n*") + piece.startswith(b"*"))
                writer.write(self.toxic.answer * commands)
                await writer.drain()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, up: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(_READ):
                toxic = self.toxic
                if toxic.answer:
                    return
                concerned = toxic.upstream if up else toxic.downstream
                for part in _cut(piece, toxic.slice_bytes if concerned else 0):
                    if concerned:
                        await self._delay(len(part))
                    writer.write(part)
                    await writer.drain()
                    self.bytes_passed += len(part)

    async def _delay(self, length: int) -> None:
        while self.toxic.silent:  # noqa: ASYNC110 - set by other threads
            await asyncio.sleep(0.05)
        toxic = self.toxic
        seconds = toxic.latency + toxic.jitter * self._chance.uniform(-1, 1)
        if toxic.bytes_per_second:
            seconds += length / toxic.bytes_per_second
        if toxic.slice_bytes or seconds > 0:
            await asyncio.sleep(max(0.0, seconds))


def _cut(piece: bytes, size: int) -> list[bytes]:
    return [piece[at : at + size] for at in range(0, len(piece), size)] if size else [piece]
