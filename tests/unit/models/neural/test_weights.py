import hashlib
from pathlib import Path

import pytest

from deidstream.models.neural.weights import (
    check_digest,
    digest,
    loading,
    locate,
)
from deidstream.schemas.errors import MissingArtefact


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_bytes(b"{}")
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    (tmp_path / "README.md").write_bytes(b"read me")
    return tmp_path


def test_the_digest_can_be_made_by_sha256sum(folder: Path) -> None:
    lines = (
        f"{hashlib.sha256(b'{}').hexdigest()}  1_Pooling/config.json\n"
        f"{hashlib.sha256(b'weights').hexdigest()}  model.safetensors\n"
    )
    assert digest(folder) == hashlib.sha256(lines.encode()).hexdigest()


def test_what_decides_nothing_is_not_in_the_digest(folder: Path) -> None:
    before = digest(folder)
    (folder / "README.md").unlink()
    assert digest(folder) == before


def test_a_renamed_file_changes_the_digest(folder: Path) -> None:
    before = digest(folder)
    (folder / "1_Pooling" / "config.json").rename(folder / "config.json")
    assert digest(folder) != before


def test_an_expected_digest_is_compared(folder: Path) -> None:
    assert check_digest(folder, "") == check_digest(folder, digest(folder)) == digest(folder)
    with pytest.raises(MissingArtefact, match="not 1234"):
        check_digest(folder, "1234")


def test_a_folder_with_weights_is_located(folder: Path) -> None:
    assert locate(str(folder)) == folder


def test_a_folder_without_safetensors_is_refused(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(MissingArtefact, match="no weights in safetensors form"):
        locate(str(folder))


def test_a_broken_folder_is_a_missing_artefact() -> None:
    with (
        pytest.raises(MissingArtefact, match="tagger cannot be loaded: OSError"),
        loading("tagger"),
    ):
        raise OSError
