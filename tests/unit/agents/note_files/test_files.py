"""The file commands: what they may write over."""

from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.note_files.files import Files
from deidstream.schemas.errors import InvalidSettings


def files(folder: Path, *names: str) -> Files:
    return Files(*(folder / name for name in names))


def test_outputs_of_their_own_are_written(tmp_path: Path) -> None:
    given = files(tmp_path, "in", "out", "risk", "audit", "quarantine")
    assert given.outputs() == (given.out, given.risk, given.audit, given.quarantine)


@pytest.mark.parametrize(
    "names", [("in", "in"), ("in", "out", "in"), ("in", "out", "x", "out"), ("in", "./x/../in")]
)
def test_one_file_is_not_two(tmp_path: Path, names: tuple[str, ...]) -> None:
    (tmp_path / "x").mkdir(exist_ok=True)
    (tmp_path / "in").touch()
    with pytest.raises(InvalidSettings, match="different files"):
        files(tmp_path, *names).outputs()


def test_a_link_to_the_input_is_the_input(tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    (tmp_path / "soft").symlink_to(tmp_path / "in")
    (tmp_path / "hard").hardlink_to(tmp_path / "in")
    for name in ("soft", "hard"):
        with pytest.raises(InvalidSettings, match="different files"):
            files(tmp_path, "in", name).outputs()


def test_a_device_may_be_written_to_twice(tmp_path: Path) -> None:
    assert len(Files(tmp_path / "in", Path("/dev/null"), Path("/dev/null")).outputs()) == 2


def test_the_input_is_not_written_over(tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text('{"note_id": "n", "patient_id": "p", "text": "Mr. Vanterpool left."}\n')
    before = notes.read_bytes()
    assert main(["detect", str(notes), "--out", str(notes)]) == 78
    assert notes.read_bytes() == before
