"""The shapes of words, and that packing loses nothing."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.recognizers.word_shapes import ID_BITS, SHAPES, pack_shapes, word_shapes
from support.checkpoints import byte_level_classifier, encoder

IDS = (1 << ID_BITS) - 1


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Pieces:
    return Pieces.load(encoder(tmp_path_factory.mktemp("shapes")))


@pytest.fixture(scope="module")
def bytewise(tmp_path_factory: pytest.TempPathFactory) -> Pieces:
    return Pieces.load(byte_level_classifier(tmp_path_factory.mktemp("bytes")))


def _shapes(pieces: Pieces, text: str) -> list[int]:
    (encoding,) = pieces.encode([text])
    return list(word_shapes(text, encoding))


def _last(pieces: Pieces, text: str) -> int:
    return _shapes(pieces, text)[-1]


KINDS = (
    ("*", "+"),
    ("john", "seen"),
    ("John", "Smith"),
    ("JOHN", "MR"),
    ("J", "S"),
    ("McJohn", "jOHN"),
    ("1980", "7"),
    ("b12", "4X"),
)
"""Words that are written alike."""
GAPS = (("", "x-"), (" ",), ("  ", "\t", "\u00a0"), ("\n", "\r\n", "\r", " \n "))
"""The gap before a word. Checkpoints have learnt the order of both."""


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_how_a_word_is_written_is_in_its_shape(pieces: Pieces, kind: int) -> None:
    assert {_last(pieces, f"x {word}") for word in KINDS[kind]} == {len(GAPS) * kind + 1}


@pytest.mark.parametrize("gap", range(len(GAPS)))
def test_what_stands_before_a_word_is_in_its_shape(pieces: Pieces, gap: int) -> None:
    assert {_last(pieces, f"({before}John") for before in GAPS[gap]} == {len(GAPS) * 2 + gap}


def test_there_are_as_many_shapes_as_are_promised() -> None:
    assert len(KINDS) * len(GAPS) == SHAPES


def test_the_first_word_of_a_note_begins_a_line(pieces: Pieces) -> None:
    assert _shapes(pieces, "John")[0] == _last(pieces, "seen\nJohn")


def test_a_mark_glued_to_a_word_has_shape_zero_as_padding_has(pieces: Pieces) -> None:
    assert _last(pieces, "John,") == 0


def test_pieces_of_a_word_share_the_shape_of_the_whole(pieces: Pieces) -> None:
    one, *pieces_of_word = _shapes(pieces, "x Zzyx")
    assert len(pieces_of_word) == 4
    assert set(pieces_of_word) == {_last(pieces, "x John")} != {one}


def test_case_and_layout_are_all_that_packing_adds(pieces: Pieces) -> None:
    texts = ("john smith", "John smith", "john  smith", "john\nsmith")
    found = [
        pack_shapes(text, each) for text, each in zip(texts, pieces.encode(texts), strict=True)
    ]
    assert len({tuple(ids) for ids in found}) == len(texts)
    assert len({tuple(id_ & IDS for id_ in ids) for ids in found}) == 1


@given(st.text(st.sampled_from("aB1 .\n\t\u00e9\u4e2d\u0301\u200b\U0001f600"), max_size=40))
def test_ids_and_shapes_come_out_as_they_went_in(
    pieces: Pieces, bytewise: Pieces, text: str
) -> None:
    for tokenizer in (pieces, bytewise):
        (encoding,) = tokenizer.encode([text])
        together = pack_shapes(text, encoding)
        assert [id_ & IDS for id_ in together] == encoding.ids
        assert [id_ >> ID_BITS for id_ in together] == list(word_shapes(text, encoding))
        assert all(0 <= id_ >> ID_BITS < SHAPES for id_ in together)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["a" * 200_000, " " * 200_000, "1-" * 100_000, "\n a" * 70_000])
def test_hostile_text_takes_linear_time(bytewise: Pieces, text: str) -> None:
    (encoding,) = bytewise.encode([text])
    began = time.process_time()
    assert sum(1 for _ in word_shapes(text, encoding)) == len(encoding)
    assert time.process_time() - began < 10


def test_nothing_has_no_shapes(pieces: Pieces) -> None:
    assert _shapes(pieces, "") == []
