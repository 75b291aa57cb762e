"""JSC: Jaccard index of the groups that a model gives a note and its output.

Source: Jaccard Similarity Coefficient, Pissarra et al. (2024), as used by Alves et al., section 3.
A note has the most likely group, and every other that is at least half as likely; of two levels it
has those of both, so that the right class counts where the class within it is another. That is
ours: Alves et al. do not say how the levels of that model are counted.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.study.measures.code_groups import CodeGroups
from deidstream.study.measures.code_levels import CodeLevels, LevelScores
from deidstream.study.measures.measure import Figure, Judged, Side, mean_of
from deidstream.study.measures.paired_scores import Row, pair_scores

_NEAR_THE_BEST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Jsc:
    """Jaccard Similarity Coefficient."""

    groups: CodeGroups = field(repr=False)
    name: str = "JSC"
    side: Side = Side.INFORMATION
    meaning: str = "Jaccard index of the groups that a model gives a note and its output"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        if not self.groups.usable:
            return None
        pairs = pair_scores(judged, self.groups)
        return mean_of([compare_sets(before, after) for before, after in pairs])


def compare_sets(before: Row, after: Row) -> float:
    """Return the Jaccard index of the groups of two rows of scores."""
    one, other = choose_likely(before), choose_likely(after)
    return float((one & other).sum() / (one | other).sum())


def choose_likely(row: Row) -> NDArray[np.bool_]:
    """Return which groups a row of scores gives a text."""
    likely: NDArray[np.bool_] = row >= _NEAR_THE_BEST * row.max()
    return likely


@dataclass(frozen=True, slots=True)
class JscOfLevels:
    """Jaccard Similarity Coefficient of the groups of two levels."""

    levels: CodeLevels = field(repr=False)
    name: str = "JSC of levels"
    side: Side = Side.INFORMATION
    meaning: str = "the same of the groups of both levels, such as specialties and types of note"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; none where the notes have one level."""
        if not self.levels.usable:
            return None
        pairs = pair_scores(judged, self.levels)
        return mean_of([compare_levels(before, after) for before, after in pairs])


def compare_levels(before: LevelScores, after: LevelScores) -> float:
    """Return the Jaccard index of the groups of both levels."""
    one, other = (
        np.concatenate([choose_likely(scores.upper), choose_likely(scores.lower)])
        for scores in (before, after)
    )
    return float((one & other).sum() / (one | other).sum())
