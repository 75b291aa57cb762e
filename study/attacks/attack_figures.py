"""What an attack found, over all outputs.

Source: Larbi et al., section 4.4 and table 3. ``found`` there is found@1 here, the share of outputs
whose most similar candidate is the right one; ``a/o sim`` is the similarity of an output to its own
original; ``avg-sim`` is the similarity of an output to all candidates, on average. found@5 and the
mean reciprocal rank are not in the paper.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.study.attacks.ranking import Ranked
from deidstream.study.scoring.cells import wilson


@dataclass(frozen=True, slots=True)
class Found:
    """Outputs whose own original is among the ``within`` nearest candidates."""

    within: int
    outputs: int
    of: int

    @property
    def share(self) -> float:
        """Share of the outputs."""
        return self.outputs / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson 95 % interval of the share."""
        return wilson(self.outputs, self.of) or (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class AttackFigures:
    """The figures of one attack."""

    ranks: Sequence[int] = field(repr=False)
    """Rank of the own original, in the order of the outputs."""
    mean_reciprocal_rank: float
    own_similarity: float
    """a-o: mean similarity of an output to its own original."""
    average_similarity: float
    """avg-sim: mean similarity of an output to all candidates."""
    tied: int
    """Outputs for which another candidate is as near as the own original."""

    def found(self, within: int) -> Found:
        """Count the outputs whose own original is among the ``within`` nearest."""
        return Found(within, sum(rank <= within for rank in self.ranks), len(self.ranks))


def measure_attack(ranked: Sequence[Ranked]) -> AttackFigures:
    """Add up what was found of each output.

    Args:
        ranked: At least one.
    """
    return AttackFigures(
        [one.rank for one in ranked],
        _mean([1 / one.rank for one in ranked]),
        _mean([one.own for one in ranked]),
        _mean([one.mean for one in ranked]),
        sum(one.tied for one in ranked),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
