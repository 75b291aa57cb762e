"""Batches are decompressed by all codecs of Kafka, up to a limit."""

import gzip
import resource

import cramjam
import pytest

from deidstream.stream.kafka import compression
from deidstream.stream.kafka.compression import CODECS, MOST_BYTES, Unreadable, decompress
from support.batches import COMPRESS

TEXT = b"the patient is seen; " * 1_000


def number(codec: str) -> int:
    return CODECS.index(codec)


@pytest.mark.parametrize("codec", CODECS)
def test_it_gives_what_was_compressed(codec: str) -> None:
    assert decompress(number(codec), memoryview(COMPRESS[codec](TEXT))) == TEXT


def test_what_other_clients_write_is_read() -> None:
    plain = bytes(cramjam.snappy.compress_raw(TEXT))
    assert decompress(number("snappy"), memoryview(plain)) == TEXT
    twice = gzip.compress(TEXT) + gzip.compress(TEXT)
    assert decompress(number("gzip"), memoryview(twice)) == TEXT + TEXT
    frames = b"".join(bytes(cramjam.zstd.compress(TEXT)) for _ in range(2))
    assert decompress(number("zstd"), memoryview(frames)) == TEXT + TEXT


@pytest.mark.parametrize("codec", CODECS[1:])
def test_what_is_cut_off_or_garbage_is_refused(codec: str) -> None:
    whole = COMPRESS[codec](TEXT)
    for data in (whole[: len(whole) // 2], b"garbage" * 9, b"\xff" * 40):
        with pytest.raises(Unreadable):
            decompress(number(codec), memoryview(data))


@pytest.mark.parametrize("codec", range(5, 8))
def test_codecs_that_are_not_known_are_refused(codec: int) -> None:
    with pytest.raises(Unreadable):
        decompress(codec, memoryview(TEXT))


@pytest.mark.parametrize("codec", CODECS[1:])
def test_a_batch_that_stands_for_more_than_the_limit_is_refused(
    codec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "MOST_BYTES", 50_000)
    assert decompress(number(codec), memoryview(COMPRESS[codec](bytes(50_000)))) == bytes(50_000)
    with pytest.raises(Unreadable):
        decompress(number(codec), memoryview(COMPRESS[codec](bytes(50_001))))


def test_memory_is_that_of_the_limit() -> None:
    bomb = COMPRESS["zstd"](bytes(3 * MOST_BYTES))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Unreadable):
        decompress(number("zstd"), memoryview(bomb))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (after - before) * 1024 < 2 * MOST_BYTES
