"""Deliver the records of a group and its positions in one transaction (exactly-once).

A worker has one transactional producer. Whatever fails, the transaction is aborted and nothing of
it is visible to readers of committed records. Where it is not known whether a commit reached the
broker, the producer starts anew under the same transactional id, which ends what was open, and the
positions that the group has committed then say what came of it.
"""

# aiokafka has no public way to its coordinator and producer identity.
# pyright: reportPrivateUsage=false, reportOptionalMemberAccess=false

import asyncio
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from aiokafka import AIOKafkaProducer

from deidstream.schemas.errors import Unavailable
from deidstream.schemas.outcome import Place
from deidstream.stream.delivery.failures import (
    CLIENT_ERRORS,
    KAFKA,
    DeliveryFailed,
    OversizeRecords,
    Superseded,
    failure_of,
)
from deidstream.stream.delivery.group_offsets import GroupOffsets
from deidstream.stream.delivery.group_requests import ProducerIdentity
from deidstream.stream.delivery.positions import Membership
from deidstream.stream.delivery.producer import (
    BATCH_BYTES,
    TopicRecord,
    abandon,
    await_confirmed,
    hand_over,
    start_client,
)
from deidstream.stream.kafka.connection import KafkaConnection


def _random_id() -> str:
    return secrets.token_hex(8)


@dataclass(slots=True)
class TransactionalDelivery:
    """Delivers records and positions together, or neither."""

    connection: KafkaConnection
    offsets: GroupOffsets
    seconds: float
    """Longest time a transaction may take; the broker aborts it then."""
    batch_bytes: int = BATCH_BYTES
    transactional_id: str = field(default_factory=_random_id)
    _client: AIOKafkaProducer | None = None

    async def deliver(
        self,
        records: Sequence[TopicRecord],
        offsets: Mapping[Place, int],
        membership: Membership,
    ) -> None:
        """Deliver records, and commit positions for a member of the group.

        Raises:
            OversizeRecords: Some are over the size limit; nothing was delivered.
            Superseded: The group has another generation; nothing was delivered.
            Unavailable: Kafka is unavailable; it may have been delivered.
            DeliveryFailed: Kafka refuses; it may have been delivered.
        """
        client = self._client
        if client is None:
            raise Unavailable(KAFKA)
        usable = False
        try:
            async with asyncio.timeout(self.seconds):
                await self._deliver(client, records, offsets, membership)
            usable = True
        except Superseded:
            usable = await self._abort(client)
            raise
        except OversizeRecords as oversize:
            if len(oversize.records) == 1 or self.batch_bytes == 1:
                raise
            # Refused together, in one batch, they may be accepted apart.
            self.batch_bytes = 1
            raise DeliveryFailed(type(oversize).__name__) from None
        except CLIENT_ERRORS as error:
            raise failure_of(error) from None
        finally:
            if not usable:
                await self._drop()

    async def _deliver(
        self,
        client: AIOKafkaProducer,
        records: Sequence[TopicRecord],
        offsets: Mapping[Place, int],
        membership: Membership,
    ) -> None:
        await client.begin_transaction()
        futures = await hand_over(client, records)
        await await_confirmed(records, futures, [])
        await self.offsets.commit_in_transaction(offsets, membership, self._identity(client))
        # The client ends only a transaction in which it knows of something.
        client._txn_manager.consumer_group_added(self.offsets.group)  # noqa: SLF001
        await client.commit_transaction()

    async def renew(self) -> None:
        """Start a producer of another epoch; what an older one left open is ended.

        Raises:
            Unavailable: Kafka is unavailable.
            DeliveryFailed: Kafka refuses.
        """
        await self._drop()
        self._client = await start_client(
            self.connection,
            transactional_id=self._name(),
            transaction_timeout_ms=int(self.seconds * 1000),
            max_batch_size=self.batch_bytes,
        )

    async def committed(self, places: Collection[Place]) -> dict[Place, int]:
        """Read the committed positions, of which no transaction is open.

        Raises:
            Unavailable: Kafka is unavailable.
            DeliveryFailed: Kafka refuses.
        """
        return await self.offsets.fetch(places)

    async def stop(self) -> None:
        """Disconnect; what is open is aborted by the broker."""
        await self._drop()

    async def _abort(self, client: AIOKafkaProducer) -> bool:
        """Abort the transaction; return whether that is known to have been done."""
        try:
            async with asyncio.timeout(self.seconds):
                await client.abort_transaction()
        except CLIENT_ERRORS:
            return False
        return True

    async def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await abandon(client)

    def _name(self) -> str:
        return f"{self.offsets.group}-{self.transactional_id}"

    def _identity(self, client: AIOKafkaProducer) -> ProducerIdentity:
        known = client._txn_manager  # noqa: SLF001 - aiokafka has no other way to the producer id
        return ProducerIdentity(self._name(), known.producer_id, known.producer_epoch)
