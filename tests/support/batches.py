"""Batches of records in Kafka's format, byte by byte: what no client would write, too."""

import asyncio
import gzip
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import cramjam
from aiokafka import TopicPartition
from aiokafka.client import AIOKafkaClient
from aiokafka.protocol.produce import ProduceRequest
from aiokafka.record.util import calc_crc32c

from deidstream.stream.kafka.compression import CODECS

STAMP = 1_700_000_000_000
"""The time of every record, in milliseconds."""
_HEADER = struct.Struct(">qiibIhiqqqhii")
_CHECKED = 21
"""The checksum is about what follows from here."""


def _xerial(data: bytes) -> bytes:
    """Compress as Java does: in blocks."""
    blocks = [
        bytes(cramjam.snappy.compress_raw(data[at : at + 40])) for at in range(0, len(data), 40)
    ]
    return b"\x82SNAPPY\0\0\0\0\1\0\0\0\1" + b"".join(
        len(block).to_bytes(4) + block for block in blocks
    )


COMPRESS: Mapping[str, Callable[[bytes], bytes]] = {
    "none": bytes,
    "gzip": gzip.compress,
    "snappy": _xerial,
    "lz4": lambda data: bytes(cramjam.lz4.compress(data)),
    "zstd": lambda data: bytes(cramjam.zstd.compress(data)),
}


def varint(number: int) -> bytes:
    """Encode a number as records have it."""
    left, found = (number << 1) ^ (number >> 63), bytearray()
    while left > 0x7F:
        found.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([*found, left])


def sized(data: bytes | None) -> bytes:
    """Put the length before data."""
    return varint(-1) if data is None else varint(len(data)) + data


def record(
    delta: int, value: bytes | None, header: bytes | None = None, key: bytes = b"k"
) -> bytes:
    """Make a record, with a header of this name."""
    headers = varint(0) if header is None else varint(1) + sized(header) + sized(b"x")
    return sized(b"\0" + varint(0) + varint(delta) + sized(key) + sized(value) + headers)


def batch(records: Sequence[bytes], codec: str = "none", *, base: int = 0) -> bytes:
    """Make a batch of what :func:`record` makes; ``base``: the offset of the first."""
    body = COMPRESS[codec](b"".join(records))
    return batch_of(CODECS.index(codec), body, len(records), base=base)


def batch_of(flags: int, body: bytes, count: int, *, base: int = 0, last: int = 0) -> bytes:
    """Make a batch of any body.

    Args:
        flags: The codec, and whether it is of a transaction and the broker's own.
        body: What follows the header.
        count: How many records are promised.
        base: Offset of the first.
        last: Offset of the last after ``base``, if some between them are gone.
    """
    fields = [base, 0, 0, 2, 0, flags, last or count - 1, STAMP, STAMP, -1, -1, -1, count]
    fields[1] = _HEADER.size - 12 + len(body)
    whole = _HEADER.pack(*fields) + body
    fields[4] = calc_crc32c(whole[_CHECKED:])
    return _HEADER.pack(*fields) + body


def send_batch(bootstrap: str, topic: str, data: bytes, partition: int = 0) -> int:
    """Send a batch as it is; return the error code of the broker."""

    async def send() -> int:
        client = AIOKafkaClient(bootstrap_servers=bootstrap)
        await client.bootstrap()
        try:
            await client.add_topic(topic)
            leader = client.cluster.leader_for_partition(TopicPartition(topic, partition))
            request = ProduceRequest(
                transactional_id=None,
                required_acks=-1,
                timeout=10_000,
                topics=[(topic, [(partition, data)])],
            )
            answer: Any = await client.send(leader, request)
            return int(answer.topics[0][1][0][1])
        finally:
            await client.close()

    return asyncio.run(send())
