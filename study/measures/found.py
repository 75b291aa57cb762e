"""found, a-o and avg-sim: who holds the originals looks for the own one of each output.

Source: Larbi et al., section 4.4 and table 3, by the words that two notes share (Jaccard); by rare
words (TF-IDF) and by sentence vectors the same is asked of the attacks of ``deidstream attack``.
An output that was merged of several notes counts as found if one of them is the most similar, or if
all of them come before all others: the paper does not say which it means.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from deidstream.study.attacks.word_rows import Similarities
from deidstream.study.measures.measure import Figure, Judged, Side, mean_of, share_of

Compare = Callable[[Sequence[str], Sequence[str]], Iterator[Similarities]]
"""Yields the similarities of each output to all originals."""


@dataclass(frozen=True, slots=True)
class Found:
    """Share of the outputs for which an own original is the most similar."""

    likeness: str
    compare: Compare = field(repr=False)
    whole: bool = False
    """Whether all notes of an output must come before all others."""
    side: Side = Side.REIDENTIFICATION

    @property
    def name(self) -> str:
        """By what notes are compared."""
        return f"found{' all' if self.whole else ''}, {self.likeness}"

    @property
    def meaning(self) -> str:
        """What it is."""
        if self.whole:
            return f"the same where all originals of a merged output come first, by {self.likeness}"
        return f"share of outputs whose own original is the most similar, by {self.likeness}"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; ties go to the attacker."""
        found = 0
        for row, own in _rows_of(judged, self.compare):
            others = np.delete(row, own)
            near = float(row[own].min() if self.whole else row[own].max())
            # Who sees all candidates alike has learnt nothing.
            found += bool((others <= near).all() and row.min() < row.max())
        return share_of(found, len(judged.outputs))


@dataclass(frozen=True, slots=True)
class OwnSimilarity:
    """Mean similarity of an output to its own original."""

    compare: Compare = field(repr=False)
    name: str = "a-o"
    side: Side = Side.REIDENTIFICATION
    meaning: str = "mean Jaccard index of the words of an output and of its own original"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; of merged ones the mean over their notes."""
        return mean_of([float(row[own].mean()) for row, own in _rows_of(judged, self.compare)])


@dataclass(frozen=True, slots=True)
class AverageSimilarity:
    """Mean similarity of an output to all originals."""

    compare: Compare = field(repr=False)
    name: str = "avg-sim"
    side: Side = Side.REIDENTIFICATION
    meaning: str = "the same of an output and of all originals"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        return mean_of([float(row.mean()) for row, _ in _rows_of(judged, self.compare)])


def _rows_of(judged: Judged, compare: Compare) -> Iterator[tuple[Similarities, list[int]]]:
    """Yield the similarities of each output, and the numbers of its own originals."""
    rows = compare([note.text for note in judged.notes], [one.text for one in judged.outputs])
    for row, output in zip(rows, judged.outputs, strict=True):
        yield np.asarray(row), sorted(output.members)
