from hypothesis import given
from hypothesis import strategies as st

from deidstream.study.pools.near_duplicates import LEAST, find_near_duplicates

words = st.lists(st.sampled_from("abcdefghijklmno"), min_size=1, max_size=25).map(" ".join)


def jaccard(one: str, other: str) -> float:
    first, second = set(one.split()), set(other.split())
    return len(first & second) / len(first | second)


@given(st.lists(words, max_size=25))
def test_it_finds_what_comparing_all_finds(texts: list[str]) -> None:
    expected: list[int] = []
    for place, text in enumerate(texts):
        before = (n for n in range(place) if expected[n] == n)
        near = (n for n in before if jaccard(texts[n], text) >= LEAST)
        expected.append(next(near, place))
    assert find_near_duplicates(texts) == expected


def test_case_and_marks_do_not_count() -> None:
    assert find_near_duplicates(["No fever, today.", "today: NO fever", "no cough"]) == [0, 0, 2]


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    find_near_duplicates(["a", "b"], lambda done, total: told.append((done, total)))
    assert told[-1] == (2, 2)
