"""The bytes of requests that aiokafka lacks, after Kafka's description of its protocol."""

# pyright: reportAttributeAccessIssue=false

from io import BytesIO

from deidstream.stream.delivery.group_requests import (
    OffsetFetchResponse7,
    ProducerIdentity,
    StableOffsetFetch,
    TxnOffsetCommit,
    TxnOffsetCommitResponse3,
)
from deidstream.stream.delivery.positions import Membership

KAFKA_4 = {28: (0, 5), 9: (1, 9)}


def test_offsets_in_a_transaction_name_member_and_generation() -> None:
    request = TxnOffsetCommit(
        "grp", ProducerIdentity("tx", 513, 3), Membership("mem", 7), {("raw", 2): 258}
    )
    struct = request.prepare(KAFKA_4)
    assert (struct.API_KEY, struct.API_VERSION) == (28, 3)
    assert struct.encode() == bytes.fromhex(
        "03 7478"  # transactional_id: compact string
        "04 677270"  # group_id
        "0000000000000201"  # producer_id
        "0003"  # producer_epoch
        "00000007"  # generation_id
        "04 6d656d"  # member_id
        "00"  # group_instance_id: null
        "02 04 726177"  # one topic
        "02 00000002 0000000000000102 ffffffff 01 00"  # one partition, no epoch, no metadata
        "00"  # tags of the topic
        "00"  # tags
    )


def test_a_static_member_names_its_instance() -> None:
    member = Membership("mem", 7, "one")
    request = TxnOffsetCommit("grp", ProducerIdentity("tx", 1, 0), member, {})
    assert bytes.fromhex("04 6f6e65") in request.prepare(KAFKA_4).encode()


def test_the_answer_to_offsets_in_a_transaction_is_read() -> None:
    answer = bytes.fromhex("00000000 02 04726177 02 00000002 0016 00 00 00")
    read = TxnOffsetCommitResponse3.decode(BytesIO(answer))
    assert read.topics == [("raw", [(2, 22, {})], {})]


def test_positions_are_asked_for_when_no_transaction_is_open() -> None:
    struct = StableOffsetFetch("grp", {"raw": [0, 1]}).prepare(KAFKA_4)
    assert (struct.API_KEY, struct.API_VERSION) == (9, 7)
    assert struct.encode() == bytes.fromhex(
        "04 677270"  # group_id
        "02 04 726177 03 00000000 00000001 00"  # one topic with two partitions
        "01"  # require_stable
        "00"  # tags
    )


def test_the_answer_with_positions_is_read() -> None:
    answer = bytes.fromhex(
        "00000000 02 04726177 02 00000001 0000000000000102 ffffffff 00 0000 00 00 0000 00"
    )
    read = OffsetFetchResponse7.decode(BytesIO(answer))
    assert read.topics == [("raw", [(1, 258, -1, None, 0, {})], {})]
    assert read.error_code == 0
