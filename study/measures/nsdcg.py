"""NSDCG: whether a model ranks the groups of an output as it ranks those of the note.

Source: Normalized Softmax Discounted Cumulative Gain, Pissarra et al. (2024), as used by Alves et
al., section 3. The gain of a group is its softmax score for the note; groups are taken in the order
of their scores for the output, the gain at rank r is divided by log2(r + 1), and the sum by that of
the note's own order. Of two levels the groups of the lower one are ranked, and half of the gain is
for the class that a group is within (``code_levels``); that half is ours.
"""

from dataclasses import dataclass, field

import numpy as np

from deidstream.study.measures.code_groups import CodeGroups
from deidstream.study.measures.code_levels import CodeLevels
from deidstream.study.measures.measure import Figure, Judged, Side, mean_of
from deidstream.study.measures.paired_scores import Row, pair_scores


@dataclass(frozen=True, slots=True)
class Nsdcg:
    """Normalized Softmax Discounted Cumulative Gain."""

    groups: CodeGroups = field(repr=False)
    name: str = "NSDCG"
    side: Side = Side.INFORMATION
    meaning: str = "how well the ranking of groups by an output keeps that by its note, 0 to 1"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        if not self.groups.usable:
            return None
        pairs = pair_scores(judged, self.groups)
        return mean_of([compare_ranks(before, after) for before, after in pairs])


@dataclass(frozen=True, slots=True)
class NsdcgOfLevels:
    """Normalized Softmax Discounted Cumulative Gain over groups of two levels."""

    levels: CodeLevels = field(repr=False)
    name: str = "NSDCG of levels"
    side: Side = Side.INFORMATION
    meaning: str = "the same of the groups of the lower level, half of whose gain is for the upper"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; none where the notes have one level."""
        if not self.levels.usable:
            return None
        pairs = pair_scores(judged, self.levels)
        return mean_of([compare_ranks(before.gains, after.gains) for before, after in pairs])


def compare_ranks(before: Row, after: Row) -> float:
    """Return the gain of one order of groups over that of the best.

    >>> compare_ranks(np.array([0.75, 0.25]), np.array([0.75, 0.25]))
    1.0
    """
    discounts = np.log2(np.arange(len(before)) + 2)
    own = (np.sort(before)[::-1] / discounts).sum()
    theirs = (before[np.argsort(-after, kind="stable")] / discounts).sum()
    return float(theirs / own)
