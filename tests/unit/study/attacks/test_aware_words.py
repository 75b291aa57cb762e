"""The attacker with the vectors finds what was drawn from them, and nothing of another draw."""

import random
from collections.abc import Sequence

import pytest

from deidstream.study.attacks.attack_figures import measure_attack
from deidstream.study.attacks.aware_words import chances_of_ranks, compare_likelihoods, expect_words
from deidstream.study.attacks.ranking import rank_originals

DRAWS = random.Random(3)
VOCABULARY = ["".join(DRAWS.choices("aeiourstn", k=6)) for _ in range(600)]
NEAR = {word: DRAWS.sample(VOCABULARY, 5) for word in VOCABULARY}
NOTES = [" ".join(DRAWS.choices(VOCABULARY, k=40)) for _ in range(30)]


def near(word: str) -> Sequence[str]:
    return NEAR.get(word, ())


def found(outputs: Sequence[str]) -> float:
    rows = compare_likelihoods(expect_words(NOTES, near, [0.2] * 5), outputs)
    return measure_attack(list(rank_originals(rows, range(30)))).found(1).share


def test_chances_are_the_mean_over_the_degrees() -> None:
    assert chances_of_ranks(2, 3) == pytest.approx([(1 / 2 + 1 / 3) / 2] * 2 + [1 / 6])
    assert chances_of_ranks(4, 4) == [0.25] * 4
    assert sum(chances_of_ranks(3, 14)) == pytest.approx(1)


def test_words_drawn_from_the_neighbours_are_undone() -> None:
    drawn = [" ".join(DRAWS.choice(NEAR[word]) for word in note.split()) for note in NOTES]
    assert found(drawn) == 1
    shuffled = [" ".join(DRAWS.sample(note.upper().split(), 40)) for note in drawn]
    assert found(shuffled) == 1


def test_words_drawn_from_anything_are_not() -> None:
    drawn = [" ".join(DRAWS.choices(VOCABULARY, k=40)) for _ in NOTES]
    assert found(drawn) < 0.3


def test_what_can_come_of_no_candidate_tells_nothing() -> None:
    expected = expect_words(["knee pain", ""], {"knee": ["hip"], "pain": ["ache"]}.__getitem__, [1])
    rows = [row.tolist() for row in compare_likelihoods(expected, ["[NUMBER] arm", "", "Hip 12"])]
    assert rows[:2] == [[0, 0], [0, 0]]
    # Half of the words become it; of nothing, one word in ten becomes one of two.
    assert rows[2] == pytest.approx([2.302585, 0], abs=1e-6)


def test_an_output_does_not_depend_on_those_beside_it() -> None:
    expected = expect_words(NOTES, near, [0.2] * 5)
    together = list(compare_likelihoods(expected, NOTES))
    for note, row in zip(NOTES, together, strict=True):
        (alone,) = compare_likelihoods(expected, [note])
        assert alone.tolist() == row.tolist()
