"""Listen for MLLP: several connections, each answered in order; the last messages are finished."""

import asyncio
import contextlib
import ssl
from dataclasses import dataclass, field

from deidstream.agents.feeds.message_desk import MessageDesk
from deidstream.agents.feeds.mllp_blocks import BlockReader, MllpBlock, write_block
from deidstream.agents.settings import MllpSettings
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.system_faults import say_why
from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import Logger

LOG = Logger("mllp")
ANSWER_SECONDS = 30.0
"""Longest wait for a sender that does not read its answers."""
HANDSHAKE_SECONDS = 10.0


@dataclass(slots=True)
class MllpListener:
    """A server that takes messages; made by :meth:`listen`."""

    desk: MessageDesk
    settings: MllpSettings
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _connections: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _server: asyncio.Server | None = None

    async def listen(self, context: ssl.SSLContext | None) -> int:
        """Listen, and return the port.

        Raises:
            InvalidSettings: The port cannot be listened on.
        """
        host, port = self.settings.host, self.settings.port
        handshake = HANDSHAKE_SECONDS if context else None
        try:
            self._server = await asyncio.start_server(
                self._accept, host, port, ssl=context, ssl_handshake_timeout=handshake
            )
        except OSError as error:
            msg = f"DEIDSTREAM_MLLP_PORT: {host}:{port} cannot be listened on: {say_why(error)}"
            raise InvalidSettings(msg) from None
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def stop(self, seconds: float) -> bool:
        """Take no more; finish and answer what was taken; return whether all of it was."""
        self._stopping.set()
        if self._server is not None:
            self._server.close()
        if not self._connections:
            return True
        _, left = await asyncio.wait(self._connections, timeout=seconds)
        for connection in left:
            connection.cancel()
        return not left

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._connections) >= self.settings.connections:
            metrics.count("deid_mllp_refused_connections_total")
            writer.close()
            return
        self._connections.add(task)
        metrics.gauge("deid_mllp_connections", len(self._connections))
        try:
            await self._serve(reader, writer)
        except (OSError, TimeoutError):
            LOG.info("connection-lost")
        finally:
            self._connections.discard(task)
            metrics.gauge("deid_mllp_connections", len(self._connections))
            writer.close()
            with contextlib.suppress(OSError, TimeoutError):
                await asyncio.wait_for(writer.wait_closed(), ANSWER_SECONDS)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        blocks = BlockReader(reader, self.settings.message_bytes, self.settings.block_seconds)
        while not self._stopping.is_set():
            block = await self._next_block(blocks)
            if block is None:
                return
            with metrics.observe_time("deid_mllp_answer_seconds"):
                answers = await self.desk.take(block)
            for answer in answers:
                writer.write(write_block(answer))
            async with asyncio.timeout(ANSWER_SECONDS):
                await writer.drain()
            if block.is_last:
                return

    async def _next_block(self, blocks: BlockReader) -> MllpBlock | None:
        """Return the next block; ``None`` when the connection is to end."""
        reading = asyncio.create_task(blocks.read_block())
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait(
                {reading, stopping},
                timeout=self.settings.idle_seconds,
                return_when=asyncio.FIRST_COMPLETED,
            )
            return await reading if reading.done() else None
        finally:
            for task in (reading, stopping):
                task.cancel()
