"""Read the originals of open dead letters into a work list, from the topic that they name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deidstream.agents.quarantine.ledger import read_ledger
from deidstream.agents.quarantine.originals import read_originals
from deidstream.agents.quarantine.selection import Selection
from deidstream.agents.runtime.connections import kafka_connection
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import Rejected
from deidstream.stream.kafka.topic_reader import TopicReader

if TYPE_CHECKING:
    from deidstream.agents.settings import Settings
    from deidstream.schemas.note import RawNote
    from deidstream.schemas.outcome import Coordinates


@dataclass(frozen=True, slots=True)
class QuarantinedNote:
    """A note that was quarantined and can be read."""

    note: "RawNote"
    source: "Coordinates"
    reason: str

    @property
    def place(self) -> str:
        """The coordinates of its message."""
        return f"{self.source.topic}/{self.source.partition}/{self.source.offset}"


@dataclass(frozen=True, slots=True)
class QuarantinedNotes:
    """What was found."""

    notes: Sequence[QuarantinedNote]
    looked_up: int
    """Dead letters whose originals were looked for."""
    of: int
    """All open dead letters."""


async def read_quarantined(settings: "Settings", most: int) -> QuarantinedNotes:
    """Read the notes of the latest open dead letters, those that the input topic still holds.

    A message that is no note is left out: 'deidstream quarantine show' shows it.

    Raises:
        Unavailable: Kafka cannot be reached, or does not have the topics.
    """
    kafka, connection = settings.kafka, kafka_connection(settings.kafka)
    async with TopicReader.open(connection, kafka.quarantine_topic) as reader:
        ledger = await read_ledger(reader)
    opened = sorted(ledger.select(Selection()), key=lambda entry: entry.seconds)
    entries = opened[-most:]
    found: list[QuarantinedNote] = []
    async with TopicReader.open(connection, kafka.raw_topic) as raw:
        async for original in read_originals(raw, kafka.raw_topic, entries):
            letter = original.entry.letter
            value = bytes(original.record.value or b"")
            try:
                note = read_message(value, limit_bytes=settings.worker.note_bytes)
            except Rejected:
                continue
            if not note.cancelled:
                found.append(QuarantinedNote(note, letter.source, str(letter.reason)))
    return QuarantinedNotes(found, len(entries), len(opened))
