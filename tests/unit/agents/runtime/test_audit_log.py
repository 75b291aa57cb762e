"""The audit log as a file: locked, whole, and whole again after a write that failed."""

import os
import threading
import time
from pathlib import Path

import pytest

from deidstream.agents.runtime import private_files
from deidstream.agents.runtime.audit_log import check_log, open_log
from deidstream.schemas.errors import MissingArtefact, Refused


def entry(name: str = "t") -> dict[str, object]:
    return {"tenant": "mercy", "token": name}


def test_records_are_appended_in_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for size in (1, 2):
        with open_log(path) as log:
            log.add([entry() for _ in range(size)])
            assert len(log.lines) == 2 * size - 1
    assert check_log(path).startswith("3 records, whole")


def test_a_write_that_fails_leaves_the_log_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    with open_log(path) as log:
        log.add([entry()])

    def full(handle: int, content: bytes) -> None:
        os.write(handle, content[: len(content) // 2])
        raise OSError

    with open_log(path) as log, monkeypatch.context() as patched:
        patched.setattr(private_files, "write_whole", full)
        with pytest.raises(MissingArtefact, match="cannot be written"):
            log.add([entry()])
    with open_log(path) as log:
        log.add([entry()])
    assert check_log(path).startswith("2 records, whole")


def test_what_the_system_takes_in_parts_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def slowly(handle: int, content: bytes) -> int:
        return write(handle, bytes(content[:7]))

    with open_log(tmp_path / "log") as log, monkeypatch.context() as patched:
        patched.setattr(os, "write", slowly)
        log.add([entry(), entry()])
    assert check_log(tmp_path / "log").startswith("2 records, whole")


@pytest.mark.parametrize("tail", [b"{", b"\n", b'{"hash":"'])
def test_a_log_that_was_cut_in_a_record_is_broken(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "log"
    with open_log(path) as log:
        log.add([entry()])
    whole = path.read_bytes()
    for content in (whole + tail, whole[:-1]):
        path.write_bytes(content)
        with pytest.raises(Refused), open_log(path):
            pass
        with pytest.raises(Refused, match="broken"):
            check_log(path)


def test_who_comes_meanwhile_waits_and_sees_what_was_written(tmp_path: Path) -> None:
    path, seen = tmp_path / "log", list[int]()

    def second() -> None:
        with open_log(path) as log:
            seen.append(len(log.lines))

    with open_log(path) as log:
        other = threading.Thread(target=second)
        other.start()
        other.join(0.2)
        assert seen == []
        log.add([entry()])
    other.join(10)
    assert seen == [1]


def test_a_log_that_is_moved_away_while_somebody_waits_is_not_written(tmp_path: Path) -> None:
    path, refused = tmp_path / "log", list[str]()

    def second() -> None:
        try:
            with open_log(path) as log:
                log.add([entry()])
        except MissingArtefact as error:
            refused.append(str(error))

    with open_log(path) as log:
        log.add([entry()])
        other = threading.Thread(target=second)
        other.start()
        other.join(0.2)
        path.rename(tmp_path / "older")
        path.touch()
    other.join(10)
    assert len(refused) == 1
    assert "replaced" in refused[0]
    assert check_log(tmp_path / "older").startswith("1 records, whole")


def test_the_rate_does_not_trust_the_order_of_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([1_000.0, 5_000.0, 100.0, 6_000.0])
    with open_log(tmp_path / "log") as log:
        with monkeypatch.context() as patched:
            patched.setattr(time, "time", lambda: next(times))
            log.add([entry(), entry(), entry(), entry("")])
        assert log.decodes("mercy", 900.0) == 2
        assert log.decodes("other", 0.0) == 0
