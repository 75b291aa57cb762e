"""The figures of an attack against what can be counted by hand."""

import pytest

from deidstream.study.attacks.attack_figures import measure_attack
from deidstream.study.attacks.ranking import Ranked
from deidstream.study.scoring.cells import wilson


def test_figures_are_shares_and_means() -> None:
    ranked = [Ranked(rank, rank == 2, own=0.5, mean=rank / 10) for rank in (1, 2, 4, 10)]
    figures = measure_attack(ranked)
    assert [figures.found(k).outputs for k in (1, 5, 10)] == [1, 3, 4]
    assert figures.found(5).share == 0.75
    assert figures.found(5).interval == wilson(3, 4)
    assert figures.mean_reciprocal_rank == pytest.approx((1 + 0.5 + 0.25 + 0.1) / 4)
    assert figures.own_similarity == 0.5
    assert figures.average_similarity == pytest.approx(0.425)
    assert figures.tied == 1
    assert figures.ranks == [1, 2, 4, 10]
