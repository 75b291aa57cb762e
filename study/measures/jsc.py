"""JSC: Jaccard index of the groups that a model gives a note and its output.

Source: Jaccard Similarity Coefficient, Pissarra et al. (2024), as used by Alves et al., section 3.
A note has the most likely group, and every other that is at least half as likely.
"""

from dataclasses import dataclass, field
from typing import Final

from deidstream.study.measures.code_groups import CodeGroups
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
    one, other = (row >= _NEAR_THE_BEST * row.max() for row in (before, after))
    return float((one & other).sum() / (one | other).sum())
