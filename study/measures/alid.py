"""ALID: how far the nearest words of the output are from an identifier, on average.

Source: Average Levenshtein Index of Dissimilarity, Pissarra et al. (2024), as used by Alves et al.,
section 3; they give it in percent.
"""

from dataclasses import dataclass

from deidstream.study.measures.measure import Figure, Judged, Side, mean_of


@dataclass(frozen=True, slots=True)
class Alid:
    """Average Levenshtein Index of Dissimilarity."""

    name: str = "ALID"
    side: Side = Side.SENSITIVITY
    meaning: str = "mean distance of an identifier to the nearest words of the output, 0 to 1"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        return mean_of([one.dissimilarity for each in judged.identifiers() for one in each])
