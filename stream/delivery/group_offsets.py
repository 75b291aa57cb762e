"""Read and commit the positions of the consumer group, for one member of one generation."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiokafka.client import AIOKafkaClient, ConnectionGroup, CoordinationType
from aiokafka.errors import (
    ConcurrentTransactions,
    CoordinatorLoadInProgressError,
    CoordinatorNotAvailableError,
    IllegalGenerationError,
    IncompatibleBrokerVersion,
    NotCoordinatorError,
    RebalanceInProgressError,
    RequestTimedOutError,
    UnknownMemberIdError,
    UnknownTopicOrPartitionError,
    for_code,
)
from aiokafka.protocol.commit import OffsetCommitRequest, OffsetFetchRequest
from aiokafka.protocol.transaction import AddOffsetsToTxnRequest

from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.schemas.outcome import Place
from deidstream.stream.delivery.failures import (
    CLIENT_ERRORS,
    KAFKA,
    DeliveryFailed,
    Superseded,
    failure_of,
)
from deidstream.stream.delivery.group_requests import (
    ProducerIdentity,
    StableOffsetFetch,
    TxnOffsetCommit,
    by_topic,
)
from deidstream.stream.delivery.positions import Membership
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.retrying.retry import Backoff, few_times

UNSTABLE_OFFSET_COMMIT = 88
FENCED_INSTANCE_ID = 82
STALE_MEMBER_EPOCH = 113
"""Error codes that aiokafka does not know."""
SUPERSEDED = frozenset(
    {
        IllegalGenerationError.errno,
        UnknownMemberIdError.errno,
        RebalanceInProgressError.errno,
        FENCED_INSTANCE_ID,
        STALE_MEMBER_EPOCH,
    }
)
MOVING = frozenset(
    {
        CoordinatorLoadInProgressError.errno,
        CoordinatorNotAvailableError.errno,
        NotCoordinatorError.errno,
    }
)
AGAIN = MOVING | frozenset(
    {
        ConcurrentTransactions.errno,
        RequestTimedOutError.errno,
        UnknownTopicOrPartitionError.errno,
        UNSTABLE_OFFSET_COMMIT,
    }
)
TOO_OLD = "DEIDSTREAM_KAFKA_DELIVERY: exactly-once takes brokers of Kafka 2.5 or newer"
TRIES = 40
PAUSE = Backoff(0.02, 0.5)
"""Between two questions to a coordinator that is moving, or waits for the end of a transaction."""


class CoordinatorBusy(Unavailable):
    """A coordinator moves, or waits for the end of a transaction: ask again soon."""


@dataclass(slots=True)
class GroupOffsets:
    """The committed positions of a consumer group."""

    client: AIOKafkaClient
    group: str
    stable: bool
    """Whether positions are read only when no transaction on them is open."""
    _nodes: dict[str, int] = field(default_factory=dict[str, int])

    @classmethod
    async def connect(
        cls, connection: KafkaConnection, group: str, *, stable: bool
    ) -> "GroupOffsets":
        """Connect.

        Raises:
            Unavailable: Kafka is unavailable.
        """
        client = AIOKafkaClient(**connection.client_options(), request_timeout_ms=10_000)
        try:
            await client.bootstrap()
        except CLIENT_ERRORS:
            await client.close()
            raise Unavailable(KAFKA) from None
        return cls(client, group, stable)

    async def fetch(self, places: Collection[Place]) -> dict[Place, int]:
        """Read the committed position of each partition; -1 where there is none.

        Raises:
            InvalidSettings: The brokers are too old for exactly-once.
            Unavailable: Kafka is unavailable, or a transaction stays open.
            DeliveryFailed: Kafka refuses.
        """
        if not places:
            return {}
        return await few_times(lambda: self._fetch(places), TRIES, PAUSE, CoordinatorBusy)

    async def commit(self, offsets: Mapping[Place, int], membership: Membership) -> None:
        """Commit positions outside of a transaction.

        Raises:
            Superseded: The group has another generation.
            Unavailable: Kafka is unavailable; they may have been committed.
            DeliveryFailed: Kafka refuses.
        """
        topics = [
            (topic, [(number, at, "") for number, at in partitions])
            for topic, partitions in by_topic(offsets).items()
        ]
        request = OffsetCommitRequest(
            self.group, membership.generation, membership.member, -1, topics
        )
        await few_times(lambda: self._commit(request), TRIES, PAUSE, CoordinatorBusy)

    async def commit_in_transaction(
        self, offsets: Mapping[Place, int], membership: Membership, producer: ProducerIdentity
    ) -> None:
        """Make positions part of an open transaction.

        Raises:
            Superseded: The group has another generation: the transaction must be aborted.
            Unavailable: Kafka is unavailable.
            DeliveryFailed: Kafka refuses.
        """
        who = producer.transactional_id, producer.producer_id, producer.epoch
        add = AddOffsetsToTxnRequest(*who, self.group)
        await few_times(lambda: self._add(add, producer), TRIES, PAUSE, CoordinatorBusy)
        request = TxnOffsetCommit(self.group, producer, membership, offsets)
        await few_times(lambda: self._commit_by_partition(request), TRIES, PAUSE, CoordinatorBusy)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()

    async def _fetch(self, places: Collection[Place]) -> dict[Place, int]:
        topics = {
            topic: [number for number, _ in partitions]
            for topic, partitions in by_topic(dict.fromkeys(places, 0)).items()
        }
        if self.stable:
            answer = await self._ask_group(StableOffsetFetch(self.group, topics))
        else:
            answer = await self._ask_group(OffsetFetchRequest(self.group, list(topics.items())))
        self._raise_for(getattr(answer, "error_code", 0))
        found: dict[Place, int] = {}
        for topic, partitions, *_ in answer.topics:
            for number, at, *more in partitions:
                # Version 7 has the leader's epoch before the metadata.
                self._raise_for(more[2] if self.stable else more[1])
                found[topic, number] = at
        return found

    async def _commit(self, request: OffsetCommitRequest) -> None:
        answer = await self._ask_group(request)
        for _, partitions in answer.topics:
            for _, code in partitions:
                self._raise_for(code)

    async def _commit_by_partition(self, request: TxnOffsetCommit) -> None:
        answer = await self._ask_group(request)
        for _, partitions, _ in answer.topics:
            for _, code, _ in partitions:
                self._raise_for(code)

    async def _add(self, request: AddOffsetsToTxnRequest, producer: ProducerIdentity) -> None:
        answer = await self._ask(CoordinationType.TRANSACTION, producer.transactional_id, request)
        self._raise_for(answer.error_code)

    async def _ask_group(self, request: object) -> Any:  # noqa: ANN401 - aiokafka has no types
        return await self._ask(CoordinationType.GROUP, self.group, request)

    async def _ask(self, kind: CoordinationType, key: str, request: object) -> Any:  # noqa: ANN401
        try:
            if key not in self._nodes:
                self._nodes[key] = await self.client.coordinator_lookup(kind, key)
            return await self.client.send(
                self._nodes[key], request, group=ConnectionGroup.COORDINATION
            )
        except (NotImplementedError, IncompatibleBrokerVersion):
            raise InvalidSettings(TOO_OLD) from None
        except CLIENT_ERRORS as error:
            self._nodes.clear()
            if getattr(error, "errno", 0) in MOVING:
                raise CoordinatorBusy(KAFKA) from None
            await self.client.force_metadata_update()
            raise failure_of(error) from None

    def _raise_for(self, code: int) -> None:
        if code in SUPERSEDED:
            raise Superseded
        if code in AGAIN:
            self._nodes.clear()
            raise CoordinatorBusy(KAFKA)
        if code:
            raise DeliveryFailed(for_code(code).__name__)
