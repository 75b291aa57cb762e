import resource
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deidstream.agents.runtime.private_files import append_private, make_private, write_private
from deidstream.schemas.errors import MissingArtefact


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_replaced_as_a_whole_and_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "plan.json"
    for content in (b"a longer one", b"short"):
        write_private(path, content)
        assert path.read_bytes() == content
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert list(path.parent.iterdir()) == [path]


def test_lines_are_added(tmp_path: Path) -> None:
    path = tmp_path / "marks.jsonl"
    for line in (b"one", b"two"):
        append_private(path, line)
    assert path.read_bytes() == b"one\ntwo\n"
    assert mode(path) == 0o600


@contextmanager
def full_disk(size: int) -> Generator[None]:
    """Let no file become longer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_no_part_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "marks.jsonl"
    append_private(path, b"one")
    with full_disk(8), pytest.raises(MissingArtefact, match="cannot be written"):
        append_private(path, b"a line without room")
    append_private(path, b"two")
    assert path.read_bytes() == b"one\ntwo\n"


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    write_private(path, b"before")
    with full_disk(8), pytest.raises(MissingArtefact, match="cannot be written"):
        write_private(path, b"what has no room")
    assert path.read_bytes() == b"before"


def test_folders_are_made_once(tmp_path: Path) -> None:
    for _ in range(2):
        make_private(tmp_path / "review", "policies")
    assert mode(tmp_path / "review") == mode(tmp_path / "review" / "policies") == 0o700


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    path = tmp_path / "file" / "below"
    with pytest.raises(MissingArtefact, match="cannot be written: NotADirectoryError"):
        append_private(path, b"line")
    with pytest.raises(MissingArtefact, match="cannot be written"):
        write_private(path, b"content")
    with pytest.raises(MissingArtefact, match="cannot be created"):
        make_private(path, "policies")
