import hashlib
import json
from pathlib import Path

import pytest

from deidstream.models.neural.engine_port import ROUNDING
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.weights import (
    SHIPPED_TAGGERS,
    check_digest,
    digest,
    loading,
    locate,
    shipped_tagger,
)
from deidstream.schemas.errors import InvalidSettings, MissingArtefact


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


@pytest.mark.parametrize("name", SHIPPED_TAGGERS)
def test_a_shipped_tagger_may_run_in_int8(name: str) -> None:
    quantization = Quantization.find(shipped_tagger(name))
    assert quantization is not None
    assert not any(map(quantization.find_excess, ROUNDING))


def test_the_fast_tagger_has_half_the_layers() -> None:
    layers = {
        name: json.loads((shipped_tagger(name) / "config.json").read_bytes())["num_hidden_layers"]
        for name in SHIPPED_TAGGERS
    }
    assert layers == {"accurate": 6, "fast": 3}


def test_a_shipped_tagger_of_another_name_is_refused() -> None:
    with pytest.raises(InvalidSettings, match="not one of accurate, fast"):
        shipped_tagger("slow")
