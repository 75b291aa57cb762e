"""Output files: complete under their names, or not there."""

from pathlib import Path

import pytest

from deidstream.agents.note_files.files import Files
from deidstream.agents.note_files.output_files import check_outputs, open_outputs
from deidstream.schemas.errors import MissingArtefact


def test_a_file_has_its_name_only_when_it_is_complete(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"before")
    out.chmod(0o640)
    with open_outputs([out]) as handles:
        handles[out].write(b"new")
        assert out.read_bytes() == b"before"
    assert out.read_bytes() == b"new"
    assert out.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_interrupted_run_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"before")

    def run() -> None:
        with open_outputs([out]) as handles:
            handles[out].write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    assert out.read_bytes() == b"before"
    assert (tmp_path / "out.partial").read_bytes() == b"half"


def test_a_link_stays_a_link_and_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "there")
    with open_outputs([tmp_path / "link", Path("/dev/null")]) as handles:
        for handle in handles.values():
            handle.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").read_bytes() == b"new"


def test_a_check_leaves_nothing_behind(tmp_path: Path) -> None:
    check_outputs([tmp_path / "out", Path("/dev/null")])
    assert list(tmp_path.iterdir()) == []
    for wrong in (tmp_path / "no" / "out", tmp_path):
        with pytest.raises(MissingArtefact, match="cannot be written"):
            check_outputs([wrong])


def test_all_paths_are_checked_before_anything_is_loaded(tmp_path: Path) -> None:
    notes = tmp_path / "in.jsonl"
    notes.touch()
    Files(notes, tmp_path / "out").check()
    wrong = [(tmp_path / "no", tmp_path / "out")]
    for given, out in [*wrong, (notes, tmp_path / "no" / "out"), (notes, tmp_path)]:
        with pytest.raises(MissingArtefact, match="cannot be"):
            Files(given, out).check()
