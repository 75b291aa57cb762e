"""Take messages: read one, store its records, and answer its sender; no answer quotes a message."""

import asyncio
import uuid
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from deidstream.agents.feeds.mllp_blocks import MllpBlock
from deidstream.agents.feeds.raw_feed import RawFeed
from deidstream.agents.feeds.seen_messages import MessageDigest, Seen, SeenMessages
from deidstream.agents.feeds.senders import Senders
from deidstream.models.messages.hl7.answers import AnsweredHeader, write_answers
from deidstream.models.messages.hl7.character_sets import decode_message
from deidstream.models.messages.hl7.make_notes import make_notes
from deidstream.models.messages.hl7.message import WrittenMessage, read_message
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.schemas.errors import Unavailable
from deidstream.schemas.wire import encode_note
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
    senders: Senders
    seen: SeenMessages
    health: Health
    topic: str
    note_bytes: int
    _storing: dict[bytes, asyncio.Event] = field(
        default_factory=dict[bytes, asyncio.Event], repr=False
    )
    """Set once a message is stored or has failed; by the key of its digest."""

    async def take(self, block: MllpBlock) -> list[str]:
        """Take the message of a block and return the answers to it."""
        asked = _ask_header(_bare(block))
        fault: MessageFault | None = None
        outcome: str = ACCEPTED
        try:
            outcome = await self._store(block)
        except MessageRefused as refused:
            fault = refused.fault
        except OversizeRecords:
            fault = MessageFault.TOO_LARGE
        except Unavailable:
            fault = MessageFault.KAFKA_UNAVAILABLE
        except Exception as error:  # noqa: BLE001 - whatever it says may quote the message
            fault = _report(error)
        metrics.count("deid_mllp_messages_total", fault or outcome)
        own_id = uuid.uuid4().hex[:_CONTROL_ID_LETTERS]
        return write_answers(asked, fault, own_id, datetime.now().astimezone())

    async def _store(self, block: MllpBlock) -> str:
        if block.fault:
            raise MessageRefused(block.fault)
        message, records = await asyncio.to_thread(self._read, _bare(block))
        digest = MessageDigest.of(message)
        while digest.key in self._storing:
            await self._storing[digest.key].wait()
        seen = self.seen.look_up(digest)
        if seen is Seen.CHANGED:
            raise MessageRefused(MessageFault.CHANGED_DUPLICATE)
        if seen is Seen.STORED:
            return DUPLICATE
        stored = self._storing[digest.key] = asyncio.Event()
        try:
            await self._put(records)
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

    def _read(self, body: bytes) -> tuple[WrittenMessage, Sequence[TopicRecord]]:
        message = read_message(decode_message(body))
        if not message.value(message.header, 10):
            raise MessageRefused(MessageFault.NO_CONTROL_ID)
        source = self.senders.source_of(message.value(message.header, 4))
        records = [
            TopicRecord(self.topic, note.patient_id.encode(), encode_note(note))
            for note in make_notes(message, source)
        ]
        if any(len(record.value) > self.note_bytes for record in records):
            raise MessageRefused(MessageFault.TOO_LARGE)
        return message, records


def _bare(block: MllpBlock) -> bytes:
    return block.body.removeprefix(BOM_UTF8)


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
