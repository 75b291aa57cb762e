"""Take messages: read one, store its records, and answer its sender; no answer quotes a message."""

import asyncio
import uuid
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from deidstream.agents.feeds.message_records import MessageReader
from deidstream.agents.feeds.mllp_blocks import MllpBlock
from deidstream.agents.feeds.raw_feed import RawFeed
from deidstream.agents.feeds.seen_messages import MessageDigest, Seen, SeenMessages
from deidstream.models.messages.hl7.answers import (
    AnsweredHeader,
    AskedBatch,
    write_answers,
    write_batch,
)
from deidstream.models.messages.hl7.batches import is_batch, split_batch
from deidstream.models.messages.hl7.message import read_message
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.schemas.errors import Unavailable
from deidstream.stream.delivery.failures import KAFKA, OversizeRecords
from deidstream.stream.delivery.producer import TopicRecord
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger

LOG = Logger("mllp")
ACCEPTED, DUPLICATE = "accepted", "duplicate"
"""Outcomes of messages beside the faults."""
_CONTROL_ID_LETTERS = 20
"""Most characters of MSH-10 in all versions."""


@dataclass(slots=True)
class MessageDesk:
    """Takes the messages of all connections."""

    feed: RawFeed
    reader: MessageReader
    seen: SeenMessages
    health: Health
    message_bytes: int
    """Longest message of a batch."""
    _storing: dict[bytes, asyncio.Event] = field(
        default_factory=dict[bytes, asyncio.Event], repr=False
    )
    """Set once a message is stored or has failed; by the key of its digest."""

    async def take(self, block: MllpBlock) -> list[str]:
        """Take the message, or the batch, of a block and return the answers to it."""
        body = block.body.removeprefix(BOM_UTF8)
        if block.fault is None and is_batch(body):
            return [await self._take_batch(body)]
        return await self._take_message(body, block.fault)

    async def _take_batch(self, body: bytes) -> str:
        """Take each message of a batch, and return their answers as a batch."""
        answers: list[str] = []
        for message in split_batch([body], self.message_bytes):
            answers += await self._take_message(message, None)
        asked = AskedBatch.read(body.decode("utf-8", "replace"))
        return write_batch(asked, answers, _make_id(), datetime.now().astimezone())

    async def _take_message(self, body: bytes, fault: MessageFault | None) -> list[str]:
        asked = _ask_header(body)
        outcome: str = ACCEPTED
        try:
            outcome = await self._store(body, fault)
        except MessageRefused as refused:
            fault = refused.fault
        except OversizeRecords:
            fault = MessageFault.TOO_LARGE
        except Unavailable:
            fault = MessageFault.KAFKA_UNAVAILABLE
        except Exception as error:  # noqa: BLE001 - whatever it says may quote the message
            fault = _report(error)
        metrics.count("deid_mllp_messages_total", fault or outcome)
        return write_answers(asked, fault, _make_id(), datetime.now().astimezone())

    async def _store(self, body: bytes, fault: MessageFault | None) -> str:
        if fault:
            raise MessageRefused(fault)
        read = await asyncio.to_thread(self.reader.read, body)
        digest = MessageDigest.of(read.message)
        while digest.key in self._storing:
            await self._storing[digest.key].wait()
        seen = self.seen.look_up(digest)
        if seen is Seen.CHANGED:
            raise MessageRefused(MessageFault.CHANGED_DUPLICATE)
        if seen is Seen.STORED:
            return DUPLICATE
        stored = self._storing[digest.key] = asyncio.Event()
        try:
            if read.records:
                await self._put(read.records)
            self.seen.add(digest)
        finally:
            del self._storing[digest.key]
            stored.set()
        return ACCEPTED

    async def _put(self, records: Sequence[TopicRecord]) -> None:
        try:
            await self.feed.put(records)
        except Unavailable:
            self.health.record_probe(KAFKA, answers=False)
            raise
        self.health.record_probe(KAFKA, answers=True)


def _make_id() -> str:
    return uuid.uuid4().hex[:_CONTROL_ID_LETTERS]


def _report(error: Exception) -> MessageFault:
    LOG.error("message-failed", kind=type(error).__name__)
    return MessageFault.INTERNAL


def _ask_header(body: bytes) -> AnsweredHeader:
    """Read the header fields that an answer repeats, also of a message that will be refused."""
    header = body.replace(b"\n", b"\r").partition(b"\r")[0]
    try:
        return AnsweredHeader.by(read_message(header.decode("utf-8", "replace")))
    except MessageRefused:
        return AnsweredHeader()
