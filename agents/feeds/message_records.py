"""Read one HL7 v2 message into the records of the input topic."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.agents.feeds.senders import Senders
from deidstream.models.messages.hl7.character_sets import decode_message
from deidstream.models.messages.hl7.make_notes import make_notes
from deidstream.models.messages.hl7.message import WrittenMessage, read_message
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.schemas.wire import encode_note
from deidstream.stream.delivery.producer import TopicRecord


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message, and its records, which may be none."""

    message: WrittenMessage
    records: Sequence[TopicRecord] = field(repr=False)


@dataclass(frozen=True, slots=True)
class MessageReader:
    """Reads the messages of all senders."""

    senders: Senders
    topic: str
    note_bytes: int

    def read(self, body: bytes) -> ReadMessage:
        """Read a message.

        Raises:
            MessageRefused: It cannot be taken; the fault says why.
        """
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
        return ReadMessage(message, records)
