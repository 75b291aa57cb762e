"""Decompress batches of records, up to a limit: 1 MB of zstd may stand for 32 GB of zeros."""

import mmap
from collections.abc import Callable

import cramjam

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
"""What a batch may be compressed by, at the number that Kafka has for it."""
MOST_BYTES = 128 * 2**20
"""Longest batch after decompression, over a hundred times what a topic takes by default."""
_XERIAL = b"\x82SNAPPY\0"
"""How snappy begins if Java has written it: in blocks, each after its length."""
_XERIAL_HEADER = 16
_LENGTH_BYTES = 4


class Unreadable(Exception):
    """A batch, or a record of it, is not of the form that it should have."""


def decompress(codec: int, data: memoryview) -> bytes:
    """Return the records of a batch.

    Args:
        codec: Kafka's number of the codec.
        data: What follows the header of the batch.

    Raises:
        Unreadable: The codec is not known, the data is not of the codec, or the records are
            longer than ``MOST_BYTES``.
    """
    if not codec:
        return bytes(data)
    if codec not in _DECOMPRESSING:
        raise Unreadable
    # The system gives memory only to the pages that are written.
    with mmap.mmap(-1, MOST_BYTES) as output:
        try:
            length = _DECOMPRESSING[codec](data, output)
        except cramjam.DecompressionError:
            raise Unreadable from None
        return output[:length]


def _read_snappy(data: memoryview, output: mmap.mmap) -> int:
    if bytes(data[: len(_XERIAL)]) != _XERIAL:
        return cramjam.snappy.decompress_raw_into(data, output)
    read, written = _XERIAL_HEADER, 0
    with memoryview(output) as whole:
        while read < len(data):
            begin = read + _LENGTH_BYTES
            read = begin + int.from_bytes(data[read:begin])
            with whole[written:] as rest:
                written += cramjam.snappy.decompress_raw_into(data[begin:read], rest)
    return written


_DECOMPRESSING: dict[int, Callable[[memoryview, mmap.mmap], int]] = {
    CODECS.index("gzip"): cramjam.gzip.decompress_into,
    CODECS.index("snappy"): _read_snappy,
    CODECS.index("lz4"): cramjam.lz4.decompress_into,
    CODECS.index("zstd"): cramjam.zstd.decompress_into,
}
