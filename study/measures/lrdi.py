"""LRDI: share of the outputs from which all direct identifiers are gone.

Source: Levenshtein Recall for Direct Identifiers, Pissarra et al. (2024), as used by Alves et al.,
section 3: all or nothing for each note. Outputs of notes without a direct identifier do not count.
"""

from dataclasses import dataclass

from deidstream.study.measures.lr import is_gone
from deidstream.study.measures.measure import Figure, Judged, Side, share_of


@dataclass(frozen=True, slots=True)
class Lrdi:
    """Levenshtein Recall for Direct Identifiers."""

    name: str = "LRDI"
    side: Side = Side.SENSITIVITY
    meaning: str = "share of outputs from which every direct identifier is gone, by LR"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        clean = whole = 0
        for identifiers in judged.identifiers():
            direct = [is_gone(one) for one in identifiers if one.direct]
            clean += bool(direct) and all(direct)
            whole += bool(direct)
        return share_of(clean, whole)
