"""LRQI: share of the quasi-identifiers that are gone, of each output and then on average.

Source: Levenshtein Recall for Quasi Identifiers, Pissarra et al. (2024), as used by Alves et al.,
section 3. Outputs of notes without a quasi-identifier do not count.
"""

from dataclasses import dataclass

from deidstream.study.measures.lr import is_gone
from deidstream.study.measures.measure import Figure, Judged, Side, mean_of


@dataclass(frozen=True, slots=True)
class Lrqi:
    """Levenshtein Recall for Quasi Identifiers."""

    name: str = "LRQI"
    side: Side = Side.SENSITIVITY
    meaning: str = "share of the quasi-identifiers of an output that are gone, by LR, on average"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        shares: list[float] = []
        for identifiers in judged.identifiers():
            quasi = [is_gone(one) for one in identifiers if not one.direct]
            if quasi:
                shares.append(sum(quasi) / len(quasi))
        return mean_of(shares)
