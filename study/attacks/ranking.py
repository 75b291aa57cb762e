"""The rank of each output's own original among all candidates.

Ties go to the attacker: the own original comes before the others of its similarity, so that no
figure understates what he finds, and a copy of the original is as good as the original. But where
all candidates tie, as for an output without a word, he has learnt nothing, and it comes last.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from deidstream.study.attacks.word_rows import Similarities


@dataclass(frozen=True, slots=True)
class Ranked:
    """How near one output is to its own original, and to all candidates."""

    rank: int
    """1 where no other candidate is nearer."""
    tied: bool
    """Whether another candidate is as near as the own original."""
    own: float
    """Similarity to the own original."""
    mean: float
    """Mean similarity to all candidates, the own original included."""


def rank_originals(rows: Iterable[Similarities], originals: Iterable[int]) -> Iterator[Ranked]:
    """Rank the own original of each output.

    Args:
        rows: For each output, its similarity to every candidate.
        originals: For each output, the number of its own original among the candidates.
    """
    for row, original in zip(rows, originals, strict=True):
        yield _rank_original(row, original)


def _rank_original(row: Similarities, original: int) -> Ranked:
    own = float(row[original])
    nearer = int(np.count_nonzero(row > own))
    equal = int(np.count_nonzero(row == own))
    rank = len(row) if equal == len(row) else nearer + 1
    # An exact sum does not depend on the order of the candidates.
    return Ranked(rank, equal > 1, own, math.fsum(row) / len(row))
