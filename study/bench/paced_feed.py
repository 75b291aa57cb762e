"""Send notes to a measured worker, all at once or at a steady rate."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deidstream.agents.demo.feed import to_record
from deidstream.models.keyring import Keyring
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import encode_note
from deidstream.stream.delivery.producer import KafkaProducer


@dataclass(frozen=True, slots=True)
class NoteFeed:
    """Sends notes, and knows under which pseudonyms they come out."""

    producer: KafkaProducer
    topic: str
    root: bytes
    """The root key of the worker."""
    release: str
    """``Policy.id_release``."""

    async def send_all(self, notes: Sequence[RawNote]) -> None:
        """Send notes at once."""
        await self.producer.send([to_record(encode_note(note), self.topic) for note in notes])

    async def send_paced(self, notes: Sequence[RawNote], rate: float) -> Mapping[str, float]:
        """Send ``rate`` notes a second.

        A late note is sent at once and counts from when it was due: a sender that waits for a slow
        receiver would hide its latency.

        Returns:
            By the pseudonym of each note, when it was due, by ``time.time``.
        """
        due: dict[str, float] = {}
        start = time.time()
        for number, note in enumerate(notes):
            moment = start + number / rate
            await asyncio.sleep(max(0.0, moment - time.time()))
            due[self.pseudonym(note)] = moment
            await self.send_all([note])
        return due

    def pseudonym(self, note: RawNote) -> str:
        """Return the name that a note has in the outputs."""
        return note_pseudonym(Keyring(self.root, 1, note.tenant), note.note_id, self.release)
