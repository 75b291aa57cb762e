"""Deliver the records of a group, then commit its positions (at-least-once).

A worker that ends between the two leaves records that its successor sends again, byte for byte.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.schemas.outcome import Place
from deidstream.stream.delivery.failures import Superseded
from deidstream.stream.delivery.group_offsets import GroupOffsets
from deidstream.stream.delivery.positions import Membership
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord


@dataclass(slots=True)
class PlainDelivery:
    """Delivers records first and commits positions second."""

    producer: KafkaProducer
    offsets: GroupOffsets
    _confirmed: list[TopicRecord] = field(default_factory=list[TopicRecord])
    """What the broker has of records whose positions are not committed yet."""

    async def deliver(
        self,
        records: Sequence[TopicRecord],
        offsets: Mapping[Place, int],
        membership: Membership,
    ) -> None:
        """Deliver records, and commit positions for a member of the group.

        Raises:
            OversizeRecords: Some are over the size limit; the others may have been delivered.
            Superseded: All were delivered, but the group has another generation.
            Unavailable: Kafka is unavailable; some may have been delivered.
            DeliveryFailed: Kafka refuses; some may have been delivered.
        """
        known = {id(record) for record in self._confirmed}
        left = [record for record in records if id(record) not in known]
        if left:
            await self.producer.send(left, self._confirmed)
        try:
            await self.offsets.commit(offsets, membership)
        except Superseded:
            self._confirmed.clear()
            raise Superseded(sent=True) from None
        self._confirmed.clear()

    async def renew(self) -> None:
        """Make sure of a connection; the producer renews itself.

        Raises:
            Unavailable: Kafka is unavailable.
        """
        await self.producer.connect()

    async def committed(self, places: Collection[Place]) -> dict[Place, int]:
        """Read the committed positions.

        Raises:
            Unavailable: Kafka is unavailable.
            DeliveryFailed: Kafka refuses.
        """
        return await self.offsets.fetch(places)

    async def stop(self) -> None:
        """Send what is buffered and disconnect."""
        await self.producer.stop()
