"""Read several topics from positions that the caller keeps, not Kafka."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition

from deidstream.schemas.errors import Refused
from deidstream.schemas.outcome import Coordinates, Place
from deidstream.stream.kafka.committed_consumer import open_committed_consumer, require_topics
from deidstream.stream.kafka.connection import KafkaConnection

POLL_SECONDS = 1.0
MOST_RECORDS = 500
"""Records that one poll returns."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Records that retention deleted before they were read."""

    first: Coordinates
    count: int


@dataclass(frozen=True, slots=True)
class PartitionReader:
    """A consumer without a group that reads what was committed."""

    client: AIOKafkaConsumer

    @classmethod
    @asynccontextmanager
    async def open(
        cls, connection: KafkaConnection, topics: Collection[str]
    ) -> "AsyncGenerator[PartitionReader]":
        """Connect.

        Raises:
            Unavailable: Kafka cannot be reached, or does not have a topic.
        """
        await require_topics(connection, topics)
        async with open_committed_consumer(connection, topics) as client:
            yield cls(client)

    def places(self) -> list[Place]:
        """Return all partitions of the topics, sorted."""
        return sorted((place.topic, place.partition) for place in self.client.assignment())

    async def ends(self) -> dict[Place, int]:
        """Return the offset after the last record of each partition."""
        found: Mapping[Any, int] = await self.client.end_offsets(list(self.client.assignment()))
        return {(place.topic, place.partition): end for place, end in found.items()}

    async def seek(self, positions: Mapping[Place, int]) -> list[Gap]:
        """Go to the positions of partitions; those without one are read from their beginning.

        Returns:
            What lies before the beginning of a partition and was not read.

        Raises:
            Refused: A partition ends before the position: the topic was created again.
        """
        places = [TopicPartition(*place) for place in self.places()]
        first = await self.client.beginning_offsets(places)
        end = await self.client.end_offsets(places)
        gaps: list[Gap] = []
        for place in places:
            at = positions.get((place.topic, place.partition), 0)
            if at > end[place]:
                msg = (
                    f"{place.topic}/{place.partition}: ends at {end[place]}, before {at}, where "
                    "this table has read it to: the topic was created again; begin a new table"
                )
                raise Refused(msg)
            if at < first[place] and (place.topic, place.partition) in positions:
                gaps.append(Gap(Coordinates(place.topic, place.partition, at), first[place] - at))
            self.client.seek(place, max(at, first[place]))
        return gaps

    async def position(self, place: Place) -> int:
        """Return the offset of the next record of a partition."""
        position: int = await self.client.position(TopicPartition(*place))
        return position

    async def poll(self, places: Collection[Place]) -> Sequence[Any]:
        """Return the next records of some partitions; an empty list after a second without any."""
        chosen = [TopicPartition(*place) for place in places]
        found: Mapping[Any, Sequence[Any]] = await self.client.getmany(
            *chosen, timeout_ms=int(POLL_SECONDS * 1_000), max_records=MOST_RECORDS
        )
        return [record for records in found.values() for record in records]
