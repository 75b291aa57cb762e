"""A listener on the loop of a test, with an input topic in memory."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

import orjson

from deidstream.agents.feeds.message_desk import MessageDesk
from deidstream.agents.feeds.message_records import MessageReader
from deidstream.agents.feeds.mllp_listener import MllpListener
from deidstream.agents.feeds.raw_feed import RawFeed
from deidstream.agents.feeds.seen_messages import SeenMessages
from deidstream.agents.feeds.senders import Senders
from deidstream.agents.settings import MllpSettings
from deidstream.schemas.wire import NOTE_BYTES
from deidstream.stream.delivery.producer import TopicRecord
from deidstream.stream.observing.health import Health

SETTINGS = MllpSettings(port=0)


@dataclass(slots=True)
class Broker:
    """Keeps records; fails with what it is told to, and waits while it is held."""

    failures: list[Exception] = field(default_factory=list[Exception])
    kept: list[TopicRecord] = field(default_factory=list[TopicRecord])
    free: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        """Begin free."""
        self.free.set()

    async def send(
        self, records: Sequence[TopicRecord], confirmed: list[TopicRecord] | None = None
    ) -> None:
        """Keep records, or fail."""
        del confirmed
        await self.free.wait()
        if self.failures:
            raise self.failures.pop(0)
        self.kept += records

    async def stop(self) -> None:
        """Do nothing."""

    def notes(self) -> list[dict[str, object]]:
        """The records as they were stored."""
        return [orjson.loads(record.value) for record in self.kept]


def make_desk(broker: Broker, settings: MllpSettings = SETTINGS) -> MessageDesk:
    """A desk whose feed must be run."""
    return MessageDesk(
        feed=RawFeed(broker, 0.2),  # type: ignore[arg-type]
        reader=MessageReader(Senders.read(settings), "raw", NOTE_BYTES),
        seen=SeenMessages(settings.remembered, settings.remembered_seconds),
        health=Health(1.0),
        message_bytes=settings.message_bytes,
    )


@dataclass(slots=True)
class Sender:
    """A sender of bytes."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, body: str | bytes) -> str:
        """Send a message and return the answer."""
        written = body.encode() if isinstance(body, str) else body
        await self.send_bytes(b"\x0b" + written + b"\x1c\r")
        return await self.answer()

    async def send_bytes(self, written: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(written)
        await self.writer.drain()

    async def answer(self) -> str:
        """Read one answer."""
        block = await asyncio.wait_for(self.reader.readuntil(b"\x1c\r"), 5)
        assert block.startswith(b"\x0b")
        return block[1:-2].decode()

    async def closed(self) -> bool:
        """Return whether the listener closes the connection, without a word."""
        return await asyncio.wait_for(self.reader.read(), 5) == b""


@dataclass(slots=True)
class MllpSite:
    """A listener and its broker."""

    broker: Broker
    listener: MllpListener
    port: int
    senders: list[Sender] = field(default_factory=list[Sender])

    async def connect(self, context: ssl.SSLContext | None = None) -> Sender:
        """Connect a sender."""
        sender = Sender(*await asyncio.open_connection("127.0.0.1", self.port, ssl=context))
        self.senders.append(sender)
        return sender


@asynccontextmanager
async def open_site(
    settings: MllpSettings = SETTINGS, context: ssl.SSLContext | None = None
) -> AsyncGenerator[MllpSite]:
    """Run a listener while the body runs."""
    broker = Broker()
    desk = make_desk(broker, settings)
    listener = MllpListener(desk, replace(settings, port=0))
    sending = asyncio.create_task(desk.feed.run())
    try:
        site = MllpSite(broker, listener, await listener.listen(context))
        yield site
        for sender in site.senders:
            sender.writer.close()
            with suppress(OSError):
                await sender.writer.wait_closed()
    finally:
        await listener.stop(1.0)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
