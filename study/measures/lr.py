"""LR: share of the identifiers that the nearest words of the output do not resemble.

Source: Levenshtein Recall, Pissarra et al. (2024), as used by Alves et al., section 3. What
resembles an identifier by 0.85 or more counts as the identifier itself; the number is theirs as
others report it, the text of the paper was not at hand.
"""

from dataclasses import dataclass
from typing import Final

from deidstream.study.measures.measure import Figure, Identifier, Judged, Side, share_of

RESEMBLES: Final = 0.85


def is_gone(identifier: Identifier) -> bool:
    """Return whether no words of the output resemble an identifier."""
    return 1 - identifier.dissimilarity < RESEMBLES


@dataclass(frozen=True, slots=True)
class Lr:
    """Levenshtein Recall."""

    name: str = "LR"
    side: Side = Side.SENSITIVITY
    meaning: str = "share of identifiers that no words of the output resemble by 0.85 or more"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        each = [is_gone(one) for identifiers in judged.identifiers() for one in identifiers]
        return share_of(sum(each), len(each))
