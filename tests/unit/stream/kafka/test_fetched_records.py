"""What Kafka returns is read record by record: what cannot be read costs itself alone."""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from aiokafka import TopicPartition
from aiokafka.consumer import fetcher
from aiokafka.errors import CorruptRecordException
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords

from deidstream.stream.kafka.compression import CODECS
from deidstream.stream.kafka.fetched_records import FetchedRecords, read_tolerantly
from support.batches import STAMP, batch, batch_of, record, varint

PLACE = TopicPartition("notes", 0)
SETTINGS = (None, None, True, fetcher.READ_COMMITTED)
"""Keys and values as they are; checksums are compared; only what was committed is read."""
BAD_NAME = b"\xff\xfe"
SOUND = batch([record(0, b"a"), record(1, b"b", b"name")])
LATER = batch([record(0, b"later")], base=3)


@pytest.fixture(autouse=True)
def _as_aiokafka_has_it() -> Iterator[None]:
    fetcher.MemoryRecords = MemoryRecords
    yield
    read_tolerantly()


def fetched(data: bytes, at: int = 0) -> list[Any]:
    """Offsets, keys, values and headers, as a consumer of aiokafka gets them."""
    records = fetcher.MemoryRecords(data)
    found = fetcher.PartitionRecords(PLACE, records, [], at, *SETTINGS)
    return [(each.offset, each.key, each.value, each.headers) for each in found]


def values(data: bytes) -> list[bytes | None]:
    read_tolerantly()
    return [value for _, _, value, _ in fetched(data)]


def test_a_header_whose_name_is_no_utf8_costs_the_headers_of_its_record() -> None:
    data = batch([record(0, b"a", b"good"), record(1, b"b", BAD_NAME), record(2, b"c", b"good")])
    with pytest.raises(UnicodeDecodeError):
        fetched(data)
    read_tolerantly()
    assert fetched(data + LATER) == [
        (0, b"k", b"a", (("good", b"x"),)),
        (1, b"k", b"b", ()),
        (2, b"k", b"c", (("good", b"x"),)),
        (3, b"k", b"later", ()),
    ]


@pytest.mark.parametrize("codec", CODECS)
def test_sound_batches_are_read_as_aiokafka_reads_them(codec: str) -> None:
    records = [record(n, b"x" * n, b"name" if n % 2 else None) for n in range(40)]
    data = batch(records, codec, base=7) + batch([record(0, None)], codec, base=47)
    for at in (7, 20):
        fetcher.MemoryRecords = MemoryRecords
        as_before = fetched(data, at)
        read_tolerantly()
        assert fetched(data, at) == as_before
        assert len(as_before) == 48 - at


def test_times_are_those_of_the_batch() -> None:
    data = batch([record(0, b"a"), record(1, b"b", BAD_NAME)])
    (found,) = iterate(FetchedRecords(data))
    assert [(each.timestamp, each.timestamp_type) for each in found] == [(STAMP, 0)] * 2


def iterate(records: FetchedRecords) -> Iterator[list[Any]]:
    while records.has_next():
        yield list(records.next_batch())


@pytest.mark.usefixtures("expects_errors")
@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(varint(2) + b"\0" + varint(0), id="ends before its offset"),
        pytest.param(varint(9) + b"\0\0" + varint(1) + varint(1 << 40), id="key too long"),
        pytest.param(varint(4) + b"\0\0" + varint(1) + varint(-1), id="no value"),
        pytest.param(record(7, b"of another place"), id="offset behind the batch"),
        pytest.param(record(0, b"of another place"), id="offset again"),
    ],
)
def test_a_record_that_cannot_be_read_costs_itself(broken: bytes) -> None:
    broken = broken.ljust(1 + broken[0] // 2, b"\0")
    assert values(batch([record(0, b"a"), broken, record(2, b"c")]) + LATER) == [
        b"a",
        None,
        b"c",
        b"later",
    ]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(record(0, b"a") + varint(99), id="longer than the batch"),
        pytest.param(record(0, b"a") + varint(-4), id="negative length"),
        pytest.param(record(0, b"a") + b"\xff" * 12, id="endless length"),
        pytest.param(record(0, b"a"), id="fewer than were promised"),
    ],
)
def test_records_whose_beginning_is_lost_are_lost_with_their_batch(
    body: bytes, expects_errors: Sequence[logging.LogRecord]
) -> None:
    assert values(batch_of(0, body, 3) + LATER) == [b"a", None, None, b"later"]
    (logged,) = expects_errors
    assert vars(logged)["deid_fields"] == {"offset": 1, "count": 2}


@pytest.mark.usefixtures("expects_errors")
@pytest.mark.parametrize("codec", [*range(1, 8)])
def test_a_batch_that_does_not_decompress_costs_itself(codec: int) -> None:
    assert values(batch_of(codec, b"garbage" * 9, 3) + LATER) == [None, None, None, b"later"]


def test_what_is_gone_by_compaction_is_no_loss() -> None:
    kept = [record(0, b"a"), record(3, b"d")]
    assert values(batch_of(0, b"".join(kept), 2, last=4)) == [b"a", b"d"]


def test_a_wrong_checksum_still_raises() -> None:
    read_tolerantly()
    with pytest.raises(CorruptRecordException):
        fetched(SOUND[:-1] + b"\x01")


def test_a_batch_that_is_cut_off_is_not_there_yet() -> None:
    for end in range(len(SOUND) + 1, len(SOUND + LATER)):
        records = FetchedRecords((SOUND + LATER)[:end])
        assert records.size_in_bytes() == end
        assert [[each.value for each in found] for found in iterate(records)] == [[b"a", b"b"]]


def test_a_batch_without_a_header_raises() -> None:
    for length, magic in ((3, 0), (30, 2)):
        data = bytes(8) + length.to_bytes(4) + bytes(4) + bytes([magic]) + bytes(length)
        with pytest.raises(CorruptRecordException):
            FetchedRecords(data).next_batch()


def test_batches_of_old_brokers_are_read_by_aiokafka() -> None:
    builder = LegacyRecordBatchBuilder(magic=1, compression_type=0, batch_size=999)
    builder.append(0, STAMP, b"k", b"old")
    assert values(bytes(builder.build())) == [b"old"]


def test_what_was_aborted_is_read_over() -> None:
    read_tolerantly()
    transaction, marker = 0x10, 0x30
    aborted = batch_of(transaction, record(0, b"never", BAD_NAME), 1)
    end = batch_of(marker, record(0, b"\0\0\0\0\0\0", key=b"\0\0\0\0"), 1, base=1)
    records = fetcher.MemoryRecords(aborted + end + batch([record(0, b"later")], base=2))
    found = fetcher.PartitionRecords(PLACE, records, [(-1, 0)], 0, *SETTINGS)
    assert [each.value for each in found] == [b"later"]
