import re

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.text.outline import MARK, outline

WORD = re2.compile(r"\p{Lu}[\p{L}\p{M}]*(?:['\x{2019}-]\p{L}[\p{L}\p{M}]*)*")
DRAWN = re.compile(rf"[A-Z][A-Za-z{MARK}]*(?:['-][A-Za-z][A-Za-z{MARK}]*)*")
PIECES = st.sampled_from(
    "ABab'-\u2019\u00c9\u00e9\u01c5\u0301\u4e2d\u02bc1 \n\x01\u00aa\u2160\U0001f600"
)
ANY = st.characters(categories=("L", "M", "N", "P", "S", "Z"))


@given(st.text(PIECES | ANY, max_size=40))
def test_words_of_the_outline_are_those_of_the_text(text: str) -> None:
    words = [match.span() for match in WORD.finditer(text)]
    assert [match.span() for match in DRAWN.finditer(outline(text))] == words


@pytest.mark.parametrize("text", ["", "O'Brien, 2 x", "Zo\u00eb \u00c9l\u2019a", "A\u0301 \x01"])
def test_no_place_moves(text: str) -> None:
    assert len(outline(text)) == len(text)
    assert outline(text).isascii()
