"""Entity recall of TAB: an entity is masked if none of its mentions is left.

Source: Pilán et al., "The Text Anonymization Benchmark" (2022), section 5: recall of direct and of
quasi-identifiers separately, over entities of all notes. Here an entity is what has the same words;
the benchmark's annotators also joined different names of one person.
"""

from dataclasses import dataclass

from deidstream.study.attacks.word_rows import split_words
from deidstream.study.measures.measure import Figure, Judged, Side, share_of


@dataclass(frozen=True, slots=True)
class EntityRecall:
    """Recall of direct, or of quasi-identifiers."""

    direct: bool
    side: Side = Side.SENSITIVITY

    @property
    def name(self) -> str:
        """Which identifiers count."""
        return "ER direct" if self.direct else "ER quasi"

    @property
    def meaning(self) -> str:
        """What it is."""
        kind = "direct" if self.direct else "quasi-"
        return f"share of {kind} identifiers that stand nowhere in the output as whole words (TAB)"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        gone = whole = 0
        for output, identifiers in zip(judged.outputs, judged.identifiers(), strict=True):
            text = f" {' '.join(split_words(output.text))} "
            counted = [one for one in identifiers if one.direct is self.direct]
            gone += sum(f" {' '.join(one.words)} " not in text for one in counted)
            whole += len(counted)
        return share_of(gone, whole)
