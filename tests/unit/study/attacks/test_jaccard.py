"""Word Jaccard against Python's own sets."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.study.attacks.jaccard import compare_word_sets

LETTERS = st.lists(st.sampled_from(["a", "b", "c", "d", "A", "B"]), max_size=8).map(" ".join)


def test_words_count_once_in_any_case() -> None:
    (row,) = compare_word_sets(["Knee pain, knee!", "left hip"], ["pain of the KNEE"])
    assert row.tolist() == [2 / 4, 0]


@pytest.mark.parametrize("text", ["", " \n", "[...]", "\u2028"])
def test_without_words_nothing_is_alike(text: str) -> None:
    (row,) = compare_word_sets(["knee", text], [text])
    assert row.tolist() == [0, 0]


@given(candidates=st.lists(LETTERS, min_size=1, max_size=5), output=LETTERS)
def test_it_is_the_jaccard_index_of_sets(candidates: Sequence[str], output: str) -> None:
    (row,) = compare_word_sets(candidates, [output])
    own = set(output.lower().split())
    for found, text in zip(row, candidates, strict=True):
        words = set(text.lower().split())
        assert found == (len(own & words) / len(own | words) if own | words else 0)
