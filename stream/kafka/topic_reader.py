"""Read a topic from its beginning to its present end, or messages by their offsets."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition

from deidstream.schemas.errors import Unavailable
from deidstream.stream.kafka.committed_consumer import open_committed_consumer, require_topics
from deidstream.stream.kafka.connection import KafkaConnection

SILENT_SECONDS = 30
"""Silent for this long before the end, Kafka counts as unavailable."""
NEAR = 500
"""Messages up to this far ahead are read over; those beyond are sought."""
_POLL_MS = 1_000
_Found = dict[TopicPartition, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The first offset of a partition, and the one after its last."""

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class TopicReader:
    """A consumer without a group that reads what was committed, of one topic."""

    client: AIOKafkaConsumer

    @classmethod
    @asynccontextmanager
    async def open(cls, connection: KafkaConnection, topic: str) -> "AsyncGenerator[TopicReader]":
        """Connect.

        Raises:
            Unavailable: Kafka cannot be reached, or does not have the topic.
        """
        await require_topics(connection, [topic])
        async with open_committed_consumer(connection, [topic]) as client:
            yield cls(client)

    async def bounds(self) -> dict[int, Bounds]:
        """Return the bounds of every partition."""
        places = list(self.client.assignment())
        first = await self.client.beginning_offsets(places)
        end = await self.client.end_offsets(places)
        return {place.partition: Bounds(first[place], end[place]) for place in places}

    async def bounds_since(self, seconds: float) -> dict[int, Bounds]:
        """Return the bounds of what was written since a time on the Unix clock."""
        bounds = await self.bounds()
        moment = max(0, int(seconds * 1_000))
        asked = dict.fromkeys(self.client.assignment(), moment)
        found = await self.client.offsets_for_times(asked)
        since = {place.partition: one.offset for place, one in found.items() if one is not None}
        return {
            number: Bounds(since.get(number, bound.end), bound.end)
            for number, bound in bounds.items()
        }

    async def read_all(self) -> "AsyncIterator[Sequence[Any]]":
        """Yield the records of all partitions, up to their ends at this moment, in groups.

        Raises:
            Unavailable: Kafka stays silent before the end.
        """
        async for records in self.read_between(await self.bounds()):
            yield records

    async def read_between(self, bounds: Mapping[int, Bounds]) -> "AsyncIterator[Sequence[Any]]":
        """Yield the records of some partitions between bounds, in groups of one partition each.

        Raises:
            Unavailable: Kafka stays silent before the end.
        """
        places = {place.partition: place for place in self.client.assignment()}
        for number, bound in bounds.items():
            self.client.seek(places[number], bound.first)
        left = {places[number]: bound.end for number, bound in bounds.items()}
        while left := {
            place: end for place, end in left.items() if await self.client.position(place) < end
        }:
            for place, records in (await self._poll(list(left))).items():
                if inside := [record for record in records if record.offset < left[place]]:
                    yield inside

    async def read_offsets(self, partition: int, offsets: Sequence[int]) -> "AsyncIterator[Any]":
        """Yield the records of ``offsets``, which ascend; those that are gone are left out.

        Raises:
            Unavailable: Kafka stays silent before the end.
        """
        (place,) = (p for p in self.client.assignment() if p.partition == partition)
        self.client.pause(*self.client.assignment())
        self.client.resume(place)
        bound = (await self.bounds())[partition]
        left = [offset for offset in offsets if bound.first <= offset < bound.end]
        self.client.seek(place, left[0] if left else bound.end)
        while left:
            position = await self.client.position(place)
            left = [offset for offset in left if offset >= position]
            if not left:
                return
            if left[0] > position + NEAR:
                self.client.seek(place, left[0])
            wanted = set(left)
            for record in (await self._poll([place])).get(place, ()):
                if record.offset in wanted:
                    yield record

    async def _poll(
        self, places: Sequence[TopicPartition]
    ) -> "dict[TopicPartition, Sequence[Any]]":
        before = [await self.client.position(place) for place in places]
        for _ in range(SILENT_SECONDS * 1_000 // _POLL_MS):
            found = await self.client.getmany(*places, timeout_ms=_POLL_MS, max_records=NEAR)
            # Markers of transactions are read over without being returned.
            if found or before != [await self.client.position(place) for place in places]:
                return found  # type: ignore[no-any-return]
        raise Unavailable("kafka")  # noqa: EM101
