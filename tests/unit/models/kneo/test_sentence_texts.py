import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.kneo.sentence_texts import SentenceDonors, SentenceTexts

lines = st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8")), min_size=1)


@given(lines)
def test_sentences_are_read_as_they_were_packed(texts: list[str]) -> None:
    packed = SentenceTexts.pack(texts)
    assert list(packed) == texts
    assert len(packed) == len(texts)
    assert packed[-1] == texts[-1]
    assert packed[1:] == tuple(texts[1:])


@pytest.mark.parametrize("row", [2, -3])
def test_a_row_that_is_not_there_is_refused(row: int) -> None:
    with pytest.raises(IndexError):
        _ = SentenceTexts.pack(["one", "two"])[row]


def test_nothing_of_a_sentence_is_in_a_repr() -> None:
    packed = (SentenceTexts.pack(["secret"]), SentenceDonors.pack(["secret"]))
    assert "secret" not in repr(packed)


def test_donors_that_do_not_fit_are_refused() -> None:
    stored = SentenceDonors.pack(["a", ("a", "b")]).lists.flatten()
    assert SentenceDonors.parse("a\nb\n", stored, 2).of(1) == ("a", "b")
    for names, numbers, count in (("a\n", stored, 2), ("a\nb\n", stored[:-1], 2)):
        with pytest.raises(ValueError, match=r"damaged|lengths"):
            SentenceDonors.parse(names, np.array(numbers), count)
