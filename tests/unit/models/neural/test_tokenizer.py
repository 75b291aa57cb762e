import json
from pathlib import Path

import pytest

from deidstream.models.neural.tokenizer import SYMBOLS_APART, Pieces
from deidstream.schemas.errors import InvalidSettings
from support.checkpoints import byte_level_classifier, encoder


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
