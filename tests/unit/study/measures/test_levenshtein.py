"""Distances to the nearest n-gram, counted by hand and against the plain algorithm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.study.measures.levenshtein import find_dissimilarities

WORDS = st.lists(st.text("abc", min_size=1, max_size=5), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("words", "text", "distance"),
    [
        (("john", "doe"), "mr jon doe came", 1 / 8),
        (("kitten",), "sitting quietly", 3 / 7),
        (("smith",), "mr smith came", 0),
        (("smith",), "", 1),
        (("ab",), "xy", 1),
        # Two words against the only one of the text: "b" and its space are missing.
        (("a", "b"), "a", 2 / 3),
        # "1980" in "19 80": bigrams do not count for one word.
        (("1980",), "19 80", 2 / 4),
    ],
)
def test_the_nearest_words_count(words: tuple[str, ...], text: str, distance: float) -> None:
    assert find_dissimilarities([words], text.split()) == pytest.approx([distance])


@given(wanted=st.lists(WORDS.map(tuple), max_size=4), text=WORDS)
def test_it_is_the_least_plain_distance(wanted: list[tuple[str, ...]], text: list[str]) -> None:
    for words, found in zip(wanted, find_dissimilarities(wanted, text), strict=True):
        size = min(len(words), len(text))
        grams = [" ".join(text[at : at + size]) for at in range(len(text) - size + 1)]
        written = " ".join(words)
        plain = [_distance(written, gram) / max(len(written), len(gram)) for gram in grams]
        assert found == pytest.approx(min(plain))


def _distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for number, sign in enumerate(one, 1):
        now = [number]
        for place, theirs in enumerate(other, 1):
            now.append(min(row[place - 1] + (sign != theirs), row[place] + 1, now[-1] + 1))
        row = now
    return row[-1]
