import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.recognizers.label_scores import WHOLE, Thousandths
from deidstream.models.recognizers.second_tagger import weigh_in

CHANCES = st.integers(0, WHOLE)


def _column(*chances: int) -> Thousandths:
    return np.array(chances, dtype=np.int16)[:, None]


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        (900, 900, 900),
        (500, 500, 500),
        (900, 100, 500),
        (1000, 500, 984),
        (0, 0, 0),
        (0, 1000, 500),
    ],
)
def test_a_piece_is_judged_by_the_mean_of_the_log_odds(first: int, second: int, both: int) -> None:
    assert weigh_in([(0, 4)], _column(first), [(0, 4)], _column(second)).item() == both


@given(CHANCES, CHANCES)
def test_the_judgement_lies_between_both_in_either_order(first: int, second: int) -> None:
    found = weigh_in([(0, 4)], _column(first), [(0, 4)], _column(second)).item()
    assert min(first, second) <= found <= max(first, second)
    assert found == weigh_in([(0, 4)], _column(second), [(0, 4)], _column(first)).item()


def test_the_largest_score_of_all_pieces_that_touch_one_counts() -> None:
    # "Okonkwo," in one piece of the first, in three of the second, the last with the comma.
    found = weigh_in([(3, 10)], _column(500), [(2, 5), (5, 9), (9, 11)], _column(10, 500, 20))
    assert found.item() == 500


def test_one_piece_of_the_second_judges_all_that_it_touches() -> None:
    found = weigh_in([(0, 2), (2, 3), (3, 5)], _column(900, 900, 900), [(0, 5)], _column(900))
    assert found.ravel().tolist() == [900, 900, 900]


def test_a_piece_that_the_second_does_not_see_keeps_its_scores() -> None:
    first = [(0, 2), (3, 4), (5, 7)]
    found = weigh_in(first, _column(700, 800, 900), [(0, 2)], _column(700))
    assert found.ravel().tolist() == [700, 800, 900]
    assert weigh_in(
        first, _column(1, 2, 3), [], np.zeros((0, 1), dtype=np.int16)
    ).ravel().tolist() == [1, 2, 3]


def test_columns_are_judged_each_for_itself() -> None:
    scores = np.array([[900, 100, 0]], dtype=np.int16)
    others = np.array([[900, 900, 0]], dtype=np.int16)
    assert weigh_in([(0, 1)], scores, [(0, 1)], others).tolist() == [[900, 500, 0]]


OFFSETS = st.lists(st.integers(0, 60), min_size=2, max_size=20, unique=True).map(sorted)


@given(OFFSETS, OFFSETS, st.randoms(use_true_random=False))
def test_every_piece_gets_the_largest_score_that_touches_it(
    first: list[int], second: list[int], rng: random.Random
) -> None:
    ones = list(zip(first[::2], first[1::2], strict=False))
    others = list(zip(second[::2], second[1::2], strict=False))
    chances = [int(rng.random() * WHOLE) for _ in others]
    found = weigh_in(ones, _column(*[500] * len(ones)), others, _column(*chances))
    for (start, end), chance in zip(ones, found.ravel().tolist(), strict=True):
        touching = [
            one
            for (begin, stop), one in zip(others, chances, strict=True)
            if begin < end and start < stop
        ]
        alone = weigh_in([(0, 1)], _column(500), [(0, 1)], _column(max(touching, default=500)))
        assert chance == alone.item()
