"""Find the originals of outputs, by the key under which their pseudonyms were made.

An output does not say where its original is. So the notes of the input topic are read, the newest
first, and the pseudonym of each is computed as the worker does.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deidstream.agents.runtime.policy_files import Tenants, find_release
from deidstream.models.keyring import Keyring
from deidstream.models.messages.read_message import read_message
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.errors import Rejected
from deidstream.schemas.outcome import Coordinates
from deidstream.schemas.policy import Policy
from deidstream.schemas.wire import NOTE_BYTES
from deidstream.stream.kafka.topic_reader import Bounds

if TYPE_CHECKING:
    from deidstream.agents.runtime.root_keys import RootKeys
    from deidstream.schemas.note import RawNote
    from deidstream.stream.kafka.topic_reader import TopicReader

AT_ONCE = 4_000
"""Messages of all partitions together that are read before the search checks whether it is done."""


@dataclass(frozen=True, slots=True)
class NotePseudonyms:
    """The pseudonyms that notes have in outputs, under every key that is kept."""

    keys: "RootKeys"
    tenants: Tenants
    policies: Mapping[str, Policy]

    def of(self, note: "RawNote") -> Iterator[str]:
        """Yield the pseudonyms that a note may have; none where its tenant is refused."""
        release = find_release(note.tenant, self.tenants, self.policies)
        if release is None:
            return
        for version, root in self.keys.roots.items():
            yield note_pseudonym(Keyring(root, version, note.tenant), note.note_id, release)


@dataclass(frozen=True, slots=True)
class FoundOriginal:
    """The latest message of a note."""

    note: "RawNote"
    source: Coordinates
    milliseconds: int
    """When it was written, on the Unix clock."""

    def is_before(self, other: "FoundOriginal") -> bool:
        """Whether another message is later; clocks of senders count only between partitions."""
        if self.source.place == other.source.place:
            return self.source.offset < other.source.offset
        return self.milliseconds < other.milliseconds


@dataclass(slots=True)
class OriginalSearch:
    """Looks for the originals of some pseudonyms."""

    pseudonyms: NotePseudonyms
    wanted: frozenset[str]
    limit_bytes: int = NOTE_BYTES
    """Longest message that a worker takes for a note."""
    found: dict[str, FoundOriginal] = field(default_factory=dict[str, FoundOriginal], repr=False)
    """By pseudonym."""

    async def search(self, reader: "TopicReader", since: float, seconds: float) -> bool:
        """Look through the input topic backwards until every original is found.

        Args:
            reader: Of the input topic.
            since: Time of the oldest message that may be one, on the Unix clock.
            seconds: How long to look.

        Returns:
            Whether it looked at every message that may be one before its time was over.

        Raises:
            Unavailable: Kafka cannot be reached.
        """
        ends = time.monotonic() + seconds
        for bounds in step_back(await reader.bounds_since(since), AT_ONCE):
            async for records in reader.read_between(bounds):
                await asyncio.to_thread(self.look_at, records)
                if time.monotonic() > ends:
                    return False
            if len(self.found) == len(self.wanted):
                break
        return True

    def look_at(self, records: Sequence[Any]) -> None:
        """Keep the messages that are wanted originals; of two of one note the later one."""
        for record in records:
            try:
                note = read_message(bytes(record.value or b""), limit_bytes=self.limit_bytes)
            except Rejected:
                continue
            source = Coordinates(record.topic, record.partition, record.offset)
            original = FoundOriginal(note, source, record.timestamp)
            for pseudonym in self.wanted.intersection(self.pseudonyms.of(note)):
                held = self.found.get(pseudonym)
                if held is None or held.is_before(original):
                    self.found[pseudonym] = original


def step_back(bounds: Mapping[int, Bounds], most: int) -> Iterator[dict[int, Bounds]]:
    """Yield the last offsets of all partitions, then those before them, to their beginnings.

    >>> list(step_back({0: Bounds(5, 12), 1: Bounds(0, 3)}, 8))
    [{0: Bounds(first=8, end=12), 1: Bounds(first=0, end=3)}, {0: Bounds(first=5, end=8)}]
    """
    left = {number: one for number, one in bounds.items() if one.first < one.end}
    size = max(1, most // max(1, len(bounds)))
    while left:
        yield {n: Bounds(max(one.first, one.end - size), one.end) for n, one in left.items()}
        left = {
            n: Bounds(one.first, one.end - size)
            for n, one in left.items()
            if one.first < one.end - size
        }
