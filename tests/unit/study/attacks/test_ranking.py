"""Laws that hold by whatever notes are compared."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.study.attacks.ranking import Ranked, rank_originals
from support.attacks import Attack, Compare
from support.profiles import few

WORDS = st.sampled_from(["fever", "denies", "knee", "left", "12", "mg", "Aspirin", "MRI"])
SENTENCES = st.lists(WORDS, min_size=1, max_size=6).map(lambda words: " ".join(words) + ".")
NOTES = st.lists(SENTENCES, max_size=4).map("\n".join)
CORPORA = st.lists(NOTES, min_size=2, max_size=7)


def rank(row: list[float], original: int) -> Ranked:
    (ranked,) = rank_originals([np.array(row)], [original])
    return ranked


def test_rank_counts_the_nearer_ones() -> None:
    assert rank([0.9, 0.5, 0.7, 0.1], 1) == Ranked(3, tied=False, own=0.5, mean=0.55)


def test_ties_go_to_the_attacker() -> None:
    assert rank([0.9, 0.5, 0.5, 0.5], 2).rank == 2
    assert rank([0.9, 0.5, 0.5, 0.5], 2).tied


def test_an_output_that_is_alike_to_all_tells_nothing() -> None:
    assert rank([0.0, 0.0, 0.0], 0).rank == 3
    assert rank([1.0], 0) == Ranked(1, tied=False, own=1.0, mean=1.0)


def test_each_output_has_one_original() -> None:
    with pytest.raises(ValueError, match="zip"):
        list(rank_originals([np.zeros(2)], [0, 1]))


@few(40)
@given(notes=CORPORA)
def test_what_is_unchanged_is_found(attack: Attack, notes: Sequence[str]) -> None:
    for ranked in attack(notes, notes, range(len(notes))):
        assert ranked.rank == (len(notes) if tells_nothing(ranked) else 1)


def tells_nothing(ranked: Ranked) -> bool:
    """Whether all candidates are as near as the own original, which nothing is nearer than."""
    return math.isclose(ranked.own, ranked.mean, abs_tol=1e-12)


@few(40)
@given(candidates=CORPORA, outputs=CORPORA, seed=st.integers(0, 99))
def test_the_order_of_candidates_changes_nothing(
    attack: Attack, candidates: Sequence[str], outputs: Sequence[str], seed: int
) -> None:
    own = [number % len(candidates) for number in range(len(outputs))]
    order = random.Random(seed).sample(range(len(candidates)), len(candidates))
    moved = [order.index(number) for number in own]
    shuffled = [candidates[number] for number in order]
    assert attack(shuffled, outputs, moved) == attack(candidates, outputs, own)


@few(40)
@given(candidates=CORPORA, outputs=CORPORA)
def test_an_output_does_not_depend_on_those_beside_it(
    compare: Compare, candidates: Sequence[str], outputs: Sequence[str]
) -> None:
    together = compare(candidates, outputs)
    for output, row in zip(outputs, together, strict=True):
        (alone,) = compare(candidates, [output])
        assert alone.tolist() == row.tolist()


@given(row=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=2), more=st.floats(0, 1))
def test_a_further_candidate_hides_no_worse(row: Sequence[float], more: float) -> None:
    few, many = rank([*row], 0), rank([*row, more], 0)
    assert few.rank <= many.rank or tells_nothing(few)
