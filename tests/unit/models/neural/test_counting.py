from pathlib import Path

import pytest

from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.neural.weights import locate
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.ports import TokenCounter
from support.checkpoints import byte_level_classifier, encoder


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
