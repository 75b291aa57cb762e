"""Send the originals of dead letters again, or discard the dead letters; each is marked as done.

The originals and their marks leave in one transaction. The transactional id is the same for every
operator of a consumer group, so that a second run locks out the first instead of repeating it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from deidstream.agents.quarantine.originals import RawMessage, read_originals
from deidstream.agents.quarantine.selection import Entry
from deidstream.agents.runtime.progress_bar import progress
from deidstream.schemas.quarantine_record import Mark, encode_quarantine_record
from deidstream.stream.kafka.topic_reader import TopicReader
from deidstream.stream.kafka.transaction import Outgoing, TransactionalSender

GROUP = 100
"""Dead letters of one transaction."""
GROUP_BYTES = 8 * 2**20


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of the selected dead letters."""

    found: int
    """Originals that are, or with a dry run would be, sent again."""
    gone: int
    """Their topic no longer holds the original."""
    elsewhere: int
    """The original is in another topic, or in a file."""


@dataclass(frozen=True, slots=True)
class Replayer:
    """Sends originals to the place that they came from, and marks to the quarantine topic."""

    raw_topic: str
    quarantine_topic: str
    sender: TransactionalSender | None
    """``None`` for a dry run."""
    mark: Mark

    async def replay(self, raw: TopicReader, entries: Sequence[Entry]) -> Replayed:
        """Send the originals again that the raw topic still holds, each to its own partition.

        Raises:
            Unavailable: Kafka cannot be reached; run it again, what was sent is marked.
            Refused: Another process replays; what it left is open.
        """
        here = [entry for entry in entries if entry.letter.source.topic == self.raw_topic]
        found, waiting = 0, list[RawMessage]()
        with progress("records") as bar:
            task = bar.add_task("replay", total=len(here))
            async for original in read_originals(raw, self.raw_topic, here):
                waiting.append(original)
                found += 1
                bar.advance(task, 1)
                if len(waiting) >= GROUP or _size(waiting) >= GROUP_BYTES:
                    await self._send(waiting)
                    waiting = []
            await self._send(waiting)
        return Replayed(found, len(here) - found, len(entries) - len(here))

    async def discard(self, entries: Sequence[Entry]) -> None:
        """Mark dead letters as done.

        Raises:
            Unavailable: Kafka cannot be reached; run it again, what was marked is closed.
            Refused: Another process replays or discards.
        """
        with progress("records") as bar:
            task = bar.add_task("discard", total=len(entries))
            for start in range(0, len(entries), GROUP):
                group = entries[start : start + GROUP]
                if self.sender is not None:
                    await self.sender.send([self._marked(entry) for entry in group])
                bar.advance(task, len(group))

    async def _send(self, originals: Sequence[RawMessage]) -> None:
        if self.sender is None or not originals:
            return
        again = [
            Outgoing(self.raw_topic, r.key, r.value, r.partition, tuple(r.headers))
            for r in (original.record for original in originals)
        ]
        marks = [self._marked(original.entry) for original in originals]
        await self.sender.send([*again, *marks])

    def _marked(self, entry: Entry) -> Outgoing:
        return Outgoing(
            self.quarantine_topic, None, encode_quarantine_record(entry.letter, self.mark)
        )


def _size(originals: Sequence[RawMessage]) -> int:
    return sum(len(original.record.value or b"") for original in originals)
