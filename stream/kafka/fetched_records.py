"""Read what Kafka returns so that what cannot be read costs itself alone, not its partition.

aiokafka raises on the first record that it cannot read, such as one with a header whose name is not
UTF-8, and on a batch that does not decompress. Its consumer then ends at the same offset after each
start, and nothing behind it is ever read. Here such a record comes without what cannot be read: its
headers, or all that it holds. A record without a value is no note and no output: whoever reads it
sets it aside by its coordinates.

A batch with a wrong checksum still raises: the broker may have a sound copy.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from aiokafka.consumer import fetcher
from aiokafka.errors import CorruptRecordException
from aiokafka.record.default_records import DefaultRecord, DefaultRecordBase, DefaultRecordBatch
from aiokafka.record.legacy_records import LegacyRecordBatch

from deidstream.stream.kafka.compression import Unreadable, decompress
from deidstream.stream.observing.logs import Logger

LOG = Logger("consumer")
_FRAME = struct.Struct(">qi")
"""How a batch of any format begins: with an offset, and the length of what follows."""
_FORMAT_AT = 16
"""Where a batch of any format has the number of its format."""
_FORMAT = 2
"""The format with headers; brokers since 4.0 keep no other."""
_HEADER: struct.Struct = DefaultRecordBase.HEADER_STRUCT
_ATTRIBUTES, _COUNT = 5, 12
"""Which of the header's fields these are."""
_FLAGS_BYTES = 1
_VARINT_BYTES = 10


def read_tolerantly() -> None:
    """Let the consumers of aiokafka read by this module; they have no setting for it."""
    fetcher.MemoryRecords = FetchedRecords


class FetchedRecords:
    """The batches of one partition that a broker has returned, as aiokafka's fetcher takes them."""

    def __init__(self, data: bytes) -> None:
        """Take what the broker has returned; its last batch may be cut off."""
        self._data = memoryview(data)
        self._begin = 0
        self._end = self._find_end()

    def _find_end(self) -> int:
        if self._begin + _FRAME.size > len(self._data):
            return len(self._data) + 1
        _, length = _FRAME.unpack_from(self._data, self._begin)
        return self._begin + _FRAME.size + int(length)

    def size_in_bytes(self) -> int:
        """Return the length of all batches."""
        return len(self._data)

    def has_next(self) -> bool:
        """Return whether another whole batch follows."""
        return self._end <= len(self._data)

    def next_batch(self) -> Any:  # noqa: ANN401 - aiokafka has no types
        """Return the next batch.

        Raises:
            CorruptRecordException: It is shorter than its header.
        """
        batch = self._data[self._begin : self._end]
        if len(batch) <= _FORMAT_AT:
            raise CorruptRecordException
        self._begin = self._end
        self._end = self._find_end()
        if batch[_FORMAT_AT] < _FORMAT:
            return LegacyRecordBatch(batch, batch[_FORMAT_AT])
        if len(batch) < _HEADER.size:
            raise CorruptRecordException
        # The broker alone writes control batches.
        whole = DefaultRecordBatch(batch)
        return whole if whole.is_control_batch else ReadableBatch(whole, batch)


@dataclass(frozen=True, slots=True)
class ReadableBatch:
    """A batch of which every record is returned, in the order of their offsets."""

    whole: Any
    """As aiokafka reads it."""
    data: memoryview = field(repr=False)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - aiokafka has no types
        """Answer for the batch, whose header can be read in any case."""
        return getattr(self.whole, name)

    def __iter__(self) -> Iterator[Any]:
        """Yield each record, without what of it cannot be read."""
        header = self._header_of_one()
        after, end = int(self.whole.base_offset), int(self.whole.next_offset)
        try:
            for record in self._split():
                read = _read_whole(header + record) or self._read_bare(record)
                if read and after <= read.offset < end:
                    yield read
                    after = read.offset + 1
                else:
                    yield from self._without_content(after, after + 1)
                    after += 1
        except Unreadable:
            yield from self._without_content(after, end)

    def _header_of_one(self) -> bytes:
        """Return the header that this batch would have with one record, uncompressed."""
        fields = list(_HEADER.unpack_from(self.data))
        fields[_ATTRIBUTES] &= ~DefaultRecordBase.CODEC_MASK
        fields[_COUNT] = 1
        return _HEADER.pack(*fields)

    def _split(self) -> Iterator[bytes]:
        """Yield each record with its length before it.

        Raises:
            Unreadable: The batch cannot be decompressed, or ends before a record does.
        """
        body = decompress(self.whole.compression_type, self.data[_HEADER.size :])
        begin = 0
        for _ in range(_HEADER.unpack_from(self.data)[_COUNT]):
            length, at = _read_varint(body, begin)
            end = at + length
            if not at < end <= len(body):
                raise Unreadable
            yield body[begin:end]
            begin = end

    def _read_bare(self, record: bytes) -> Any:  # noqa: ANN401 - aiokafka has no types
        """Read a record without its headers; return ``None`` if the rest cannot be read either."""
        try:
            _, at = _read_varint(record, 0)
            _, at = _read_varint(record, at + _FLAGS_BYTES)
            delta, at = _read_varint(record, at)
            key, at = _read_bytes(record, at)
            value, _ = _read_bytes(record, at)
        except Unreadable:
            return None
        return self._record(self.whole.base_offset + delta, key, value)

    def _without_content(self, begin: int, end: int) -> Iterator[Any]:
        if begin < end:
            LOG.error("records-unreadable", offset=begin, count=end - begin)
        for offset in range(begin, end):
            yield self._record(offset)

    def _record(self, offset: int, key: bytes | None = None, value: bytes | None = None) -> Any:  # noqa: ANN401 - aiokafka has no types
        stamp, kind = self.whole.max_timestamp, self.whole.timestamp_type
        return DefaultRecord(offset, stamp, kind, key, value, [])


def _read_whole(batch: bytes) -> Any:  # noqa: ANN401 - aiokafka has no types
    try:
        return next(iter(DefaultRecordBatch(batch)))
    except (CorruptRecordException, ValueError):
        return None


def _read_bytes(record: bytes, at: int) -> tuple[bytes | None, int]:
    length, at = _read_varint(record, at)
    if length < 0:
        return None, at
    if at + length > len(record):
        raise Unreadable
    return record[at : at + length], at + length


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at a place, and the place after it; aiokafka's reads beyond the end."""
    number = 0
    for shift, byte in enumerate(data[at : at + _VARINT_BYTES]):
        number |= (byte & 0x7F) << 7 * shift
        if byte < 0x80:  # noqa: PLR2004 - the bit that says that more follow
            return (number >> 1) ^ -(number & 1), at + shift + 1
    raise Unreadable
