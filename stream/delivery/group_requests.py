"""Requests of the Kafka protocol that aiokafka lacks: TxnOffsetCommit 3 and OffsetFetch 7.

The first takes member and generation (KIP-447), so that the broker refuses a worker that has lost
its partitions. The second answers only when no transaction on a partition is open.
"""

# aiokafka declares these as properties, and sets them as constants in its own requests.
# pyright: reportIncompatibleMethodOverride=false, reportAssignmentType=false, reportIncompatibleVariableOverride=false

from collections.abc import Mapping
from dataclasses import dataclass

from aiokafka.protocol.api import Request, RequestStruct, Response
from aiokafka.protocol.types import (
    Boolean,
    CompactArray,
    CompactString,
    Int16,
    Int32,
    Int64,
    Schema,
    TaggedFields,
)

from deidstream.schemas.outcome import Place
from deidstream.stream.delivery.positions import Membership

NO_EPOCH = -1
"""No epoch of the partition's leader is known."""
_TEXT = CompactString("utf-8")


class TxnOffsetCommitResponse3(Response):
    """The broker's answer, by partition."""

    API_KEY = 28
    API_VERSION = 3
    SCHEMA = Schema(
        ("throttle_time_ms", Int32),
        (
            "topics",
            CompactArray(
                ("name", _TEXT),
                (
                    "partitions",
                    CompactArray(
                        ("partition_index", Int32), ("error_code", Int16), ("tags", TaggedFields)
                    ),
                ),
                ("tags", TaggedFields),
            ),
        ),
        ("tags", TaggedFields),
    )


class TxnOffsetCommitStruct3(RequestStruct):
    """Offsets of a group as part of a transaction."""

    API_KEY = 28
    API_VERSION = 3
    RESPONSE_TYPE = TxnOffsetCommitResponse3
    FLEXIBLE_VERSION = True
    SCHEMA = Schema(
        ("transactional_id", _TEXT),
        ("group_id", _TEXT),
        ("producer_id", Int64),
        ("producer_epoch", Int16),
        ("generation_id", Int32),
        ("member_id", _TEXT),
        ("group_instance_id", _TEXT),
        (
            "topics",
            CompactArray(
                ("name", _TEXT),
                (
                    "partitions",
                    CompactArray(
                        ("partition_index", Int32),
                        ("committed_offset", Int64),
                        ("committed_leader_epoch", Int32),
                        ("committed_metadata", _TEXT),
                        ("tags", TaggedFields),
                    ),
                ),
                ("tags", TaggedFields),
            ),
        ),
        ("tags", TaggedFields),
    )


@dataclass(frozen=True, slots=True)
class ProducerIdentity:
    """Who a transactional producer is to the broker."""

    transactional_id: str
    producer_id: int
    epoch: int


class TxnOffsetCommit(Request[TxnOffsetCommitStruct3]):
    """Make positions of a group part of a transaction."""

    API_KEY = 28

    def __init__(
        self,
        group: str,
        producer: ProducerIdentity,
        membership: Membership,
        offsets: Mapping[Place, int],
    ) -> None:
        """Keep what is sent."""
        self._group, self._producer = group, producer
        self._membership, self._offsets = membership, offsets

    def build(self, request_struct_class: type[TxnOffsetCommitStruct3]) -> TxnOffsetCommitStruct3:
        """Return the request in the one version that there is."""
        topics: list[object] = [
            (topic, [(number, at, NO_EPOCH, "", {}) for number, at in partitions], {})
            for topic, partitions in by_topic(self._offsets).items()
        ]
        return request_struct_class(
            self._producer.transactional_id,
            self._group,
            self._producer.producer_id,
            self._producer.epoch,
            self._membership.generation,
            self._membership.member,
            self._membership.instance,
            topics,
            {},
        )


class OffsetFetchResponse7(Response):
    """The positions of a group."""

    API_KEY = 9
    API_VERSION = 7
    SCHEMA = Schema(
        ("throttle_time_ms", Int32),
        (
            "topics",
            CompactArray(
                ("name", _TEXT),
                (
                    "partitions",
                    CompactArray(
                        ("partition_index", Int32),
                        ("committed_offset", Int64),
                        ("committed_leader_epoch", Int32),
                        ("metadata", _TEXT),
                        ("error_code", Int16),
                        ("tags", TaggedFields),
                    ),
                ),
                ("tags", TaggedFields),
            ),
        ),
        ("error_code", Int16),
        ("tags", TaggedFields),
    )


class OffsetFetchStruct7(RequestStruct):
    """A question for the positions of a group."""

    API_KEY = 9
    API_VERSION = 7
    RESPONSE_TYPE = OffsetFetchResponse7
    FLEXIBLE_VERSION = True
    SCHEMA = Schema(
        ("group_id", _TEXT),
        (
            "topics",
            CompactArray(
                ("name", _TEXT), ("partition_indexes", CompactArray(Int32)), ("tags", TaggedFields)
            ),
        ),
        ("require_stable", Boolean),
        ("tags", TaggedFields),
    )


class StableOffsetFetch(Request[OffsetFetchStruct7]):
    """Ask for the positions of a group, of which no transaction is open."""

    API_KEY = 9

    def __init__(self, group: str, topics: Mapping[str, list[int]]) -> None:
        """Keep what is asked."""
        self._group, self._topics = group, topics

    def build(self, request_struct_class: type[OffsetFetchStruct7]) -> OffsetFetchStruct7:
        """Return the request in the one version that there is."""
        topics: list[object] = [(topic, numbers, {}) for topic, numbers in self._topics.items()]
        return request_struct_class(self._group, topics, True, {})  # noqa: FBT003 - Kafka's layout


def by_topic(offsets: Mapping[Place, int]) -> dict[str, list[tuple[int, int]]]:
    """Return partition and position by topic, in order."""
    found: dict[str, list[tuple[int, int]]] = {}
    for (topic, number), at in sorted(offsets.items()):
        found.setdefault(topic, []).append((number, at))
    return found
