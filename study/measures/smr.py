"""SMR: share of the identifiers whose very words stand nowhere in the output.

Source: String Matching-based Recall, Pissarra et al. (2024), as used by Alves et al., section 3.
Case and punctuation do not count. As there, an identifier is found inside longer words too.
"""

from dataclasses import dataclass

from deidstream.study.attacks.word_rows import split_words
from deidstream.study.measures.measure import Figure, Judged, Side, share_of


@dataclass(frozen=True, slots=True)
class Smr:
    """String Matching-based Recall."""

    name: str = "SMR"
    side: Side = Side.SENSITIVITY
    meaning: str = "share of identifiers whose words stand nowhere in the output (Pissarra et al.)"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        gone = whole = 0
        for output, identifiers in zip(judged.outputs, judged.identifiers(), strict=True):
            text = " ".join(split_words(output.text))
            gone += sum(" ".join(one.words) not in text for one in identifiers)
            whole += len(identifiers)
        return share_of(gone, whole)
