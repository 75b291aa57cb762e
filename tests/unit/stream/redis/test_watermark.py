"""The count that a worker keeps outside Redis."""

import asyncio
import errno
import os
import stat
from pathlib import Path

import pytest

from deidstream.schemas.errors import MissingArtefact, UntrustedStore
from deidstream.stream.redis.watermark import Watermark, read_watermarks


def strict(folder: Path) -> Watermark:
    return Watermark.on_disk(folder, strict=True)


def saw(mark: Watermark, claims: int, at_least: int) -> None:
    asyncio.run(mark.compare(claims, at_least=at_least))


def test_a_count_outlives_its_worker(tmp_path: Path) -> None:
    first = strict(tmp_path)
    saw(first, 7, 1)
    assert first.file
    first.file.release()
    again = strict(tmp_path)
    assert (again.worker, again.claims) == (first.worker, 7)


def test_workers_share_a_folder_and_not_a_count(tmp_path: Path) -> None:
    workers = [strict(tmp_path) for _ in range(3)]
    for number, mark in enumerate(workers):
        saw(mark, number + 1, 0)
    assert sorted(count for _, count in read_watermarks(tmp_path)) == [1, 2, 3]
    assert len({worker for worker, _ in read_watermarks(tmp_path)}) == 3


def test_a_lower_count_stops_a_strict_worker_and_is_not_kept(tmp_path: Path) -> None:
    mark = strict(tmp_path)
    saw(mark, 7, 1)
    with pytest.raises(UntrustedStore):
        saw(mark, 6, 7)
    assert list(read_watermarks(tmp_path)) == [(mark.worker, 7)]


def test_a_lower_count_is_where_another_worker_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    mark = Watermark.in_memory()
    saw(mark, 7, 1)
    saw(mark, 1, 8)
    saw(mark, 2, 2)
    assert mark.claims == 2
    assert [record.msg for record in caplog.records] == ["redis-went-back"]


def test_answers_out_of_order_do_not_lower_it() -> None:
    mark = Watermark.in_memory()
    saw(mark, 7, 1)
    saw(mark, 6, 1)
    assert mark.claims == 7


def test_batches_that_claim_at_once_write_one_after_the_other(tmp_path: Path) -> None:
    mark = strict(tmp_path)

    async def claim_at_once() -> None:
        await asyncio.gather(*(mark.compare(count, at_least=0) for count in range(1, 200)))

    asyncio.run(claim_at_once())
    assert [count for _, count in read_watermarks(tmp_path)] == [199]


def test_only_the_owner_reads_the_folder(tmp_path: Path) -> None:
    strict(tmp_path / "deep" / "state")
    assert stat.S_IMODE((tmp_path / "deep" / "state").stat().st_mode) == stat.S_IRWXU


@pytest.mark.parametrize("content", [b"", b"x", b"ab 7\n", b"0" * 32 + b" -1\n"])
def test_what_is_no_count_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "worker-0.mark").write_bytes(content)
    with pytest.raises(MissingArtefact, match="worker-0"):
        list(read_watermarks(tmp_path))
    with pytest.raises(MissingArtefact, match="worker-0"):
        strict(tmp_path)


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingArtefact, match="STATE"):
        strict(tmp_path / "file" / "state")


def test_a_disk_that_is_gone_stops_a_strict_worker_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for name, is_strict in (("a", True), ("b", False)):
        mark = Watermark.on_disk(tmp_path / name, strict=is_strict)
        for file in (tmp_path / name).iterdir():
            file.unlink()
        (tmp_path / name).rmdir()
        if is_strict:
            with pytest.raises(MissingArtefact):
                saw(mark, 1, 1)
        else:
            saw(mark, 1, 1)


def test_a_full_disk_is_named_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = Watermark.on_disk(tmp_path, strict=True)
    assert mark.file

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MissingArtefact, match="No space left on device") as caught:
        mark.file.write(b"0" * 32, 1)
    assert "\n" not in str(caught.value)
