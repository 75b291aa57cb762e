"""Send the messages of HL7 v2 files to the input topic; one that is refused costs itself alone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deidstream.agents.feeds.file_sender import SendTally, send_all
from deidstream.agents.feeds.message_records import MessageReader
from deidstream.agents.feeds.senders import Senders
from deidstream.agents.runtime.connections import kafka_connection
from deidstream.agents.settings import Settings
from deidstream.models.messages.hl7.batches import split_batch
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.schemas.errors import MissingArtefact
from deidstream.stream.delivery.producer import TopicRecord

_PIECE = 1 << 20
MOST_PLACES = 20
"""Refused messages whose places are said."""


@dataclass(slots=True)
class Hl7Tally:
    """Counts the messages of files."""

    taken: int = 0
    refused: Counter[MessageFault] = field(default_factory=Counter[MessageFault])
    places: list[str] = field(default_factory=list[str])
    """Of the first refused ones: file, number of the message in it, and the fault."""


@dataclass(slots=True)
class Hl7Files:
    """Files of messages, with or without the segments of batches around them."""

    paths: Sequence[Path]
    reader: MessageReader
    message_bytes: int
    tally: Hl7Tally = field(default_factory=Hl7Tally)

    def read_records(self) -> Iterator[TopicRecord]:
        """Yield the records of all files in order; the same files give the same bytes.

        Raises:
            MissingArtefact: A file cannot be read.
        """
        for path in self.paths:
            for number, body in enumerate(split_batch(_read_pieces(path), self.message_bytes), 1):
                yield from self._read_message(body, f"{path.name}, message {number}")

    def _read_message(self, body: bytes, place: str) -> Sequence[TopicRecord]:
        if len(body) > self.message_bytes:
            return self._refuse(MessageFault.TOO_LARGE, place)
        try:
            records = self.reader.read(body).records
        except MessageRefused as refused:
            return self._refuse(refused.fault, place)
        self.tally.taken += 1
        return records

    def _refuse(self, fault: MessageFault, place: str) -> Sequence[TopicRecord]:
        self.tally.refused[fault] += 1
        if len(self.tally.places) < MOST_PLACES:
            self.tally.places.append(f"{place}: {fault}")
        return ()


async def ingest_hl7(
    paths: Sequence[Path], settings: Settings, *, skip: int, sent: SendTally
) -> Hl7Tally:
    """Send the messages of files to the input topic.

    The same files give the same records in the same order, so that a run which was ended early is
    continued by skipping what the broker has.

    Args:
        paths: Files of messages.
        settings: All settings; those of the listener say whose messages they are.
        skip: How many records are not sent.
        sent: Counts the others, also when the run ends early.

    Raises:
        MissingArtefact: A file cannot be read.
        InvalidSettings: The topic does not exist, or Kafka refuses this client.
        Unavailable: Kafka cannot be reached.
    """
    topic, connection = settings.kafka.raw_topic, kafka_connection(settings.kafka)
    reader = MessageReader(Senders.read(settings.mllp), topic, settings.worker.note_bytes)
    files = Hl7Files(paths, reader, settings.mllp.message_bytes)
    await send_all(files.read_records(), connection, topic, skip=skip, sent=sent)
    return files.tally


def _read_pieces(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
