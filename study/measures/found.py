"""found, a-o and avg-sim: who holds the originals looks for the own one of each output.

Source: Larbi et al., section 4.4 and table 3, by the words that two notes share (Jaccard); by rare
words (TF-IDF) and by sentence vectors the same is asked of the attacks of ``deidstream attack``.
An output that was merged of several notes counts as found if one of them is the most similar, or if
all of them come before all others: the paper does not say which it means.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from deidstream.study.attacks.word_rows import Similarities
from deidstream.study.measures.measure import Figure, Judged, Side, mean_of, share_of

Compare = Callable[[Sequence[str], Sequence[str]], Iterator[Similarities]]
"""Yields the similarities of each output to all originals."""


@dataclass(frozen=True, slots=True)
class OutputLikeness:
    """How like one output is to the originals."""

    nearest: float
    """To that of its own originals that is the most similar."""
    farthest: float
    """To that of its own originals that is the least similar."""
    own: float
    """To its own originals, on average."""
    others: float
    """To the most similar of all others; less than any similarity where there are none."""
    every: float
    """To all originals, on average."""
    alike: bool
    """Whether it is equally like all originals: who sees that has learnt nothing."""


@dataclass(slots=True)
class OutputLikenesses:
    """Compares outputs with originals; measures that share it compare those of a technique once."""

    compare: Compare = field(repr=False)
    most: int | None = None
    """Outputs that are compared at most, drawn at random; the originals are always all."""
    seed: int = 0
    _judged: Judged | None = field(default=None, repr=False)
    _kept: list[OutputLikeness] = field(default_factory=list[OutputLikeness], repr=False)

    def of(self, judged: Judged) -> Sequence[OutputLikeness]:
        """Return the likeness of each output that is compared."""
        if self._judged is not judged:
            self._judged, self._kept = judged, list(self._read(judged))
        return self._kept

    def _read(self, judged: Judged) -> Iterator[OutputLikeness]:
        outputs = list(judged.outputs)
        if self.most is not None and self.most < len(outputs):
            outputs = random.Random(self.seed).sample(outputs, self.most)
        rows = self.compare([note.text for note in judged.notes], [one.text for one in outputs])
        for row, output in zip(rows, outputs, strict=True):
            own = sorted(output.members)
            theirs = row[own]
            yield OutputLikeness(
                nearest=float(theirs.max()),
                farthest=float(theirs.min()),
                own=float(theirs.mean()),
                others=float(np.delete(row, own).max(initial=-1.0)),
                every=float(row.mean()),
                alike=bool(row.min() == row.max()),
            )


@dataclass(frozen=True, slots=True)
class Found:
    """Share of the outputs for which an own original is the most similar."""

    likeness: str
    likenesses: OutputLikenesses = field(repr=False)
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
        drawn = "" if self.likenesses.most is None else f" {self.likenesses.most} at most, drawn"
        if self.whole:
            return f"the same where all originals of a merged output come first, by {self.likeness}"
        return f"share of outputs{drawn} whose own original is the most similar, by {self.likeness}"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; ties go to the attacker."""
        found, compared = 0, self.likenesses.of(judged)
        for one in compared:
            near = one.farthest if self.whole else one.nearest
            found += near >= one.others and not one.alike
        return share_of(found, len(compared))


@dataclass(frozen=True, slots=True)
class OwnSimilarity:
    """Mean similarity of an output to its own original."""

    likenesses: OutputLikenesses = field(repr=False)
    name: str = "a-o"
    side: Side = Side.REIDENTIFICATION
    meaning: str = "mean Jaccard index of the words of an output and of its own original"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; of merged ones the mean over their notes."""
        return mean_of([one.own for one in self.likenesses.of(judged)])


@dataclass(frozen=True, slots=True)
class AverageSimilarity:
    """Mean similarity of an output to all originals."""

    likenesses: OutputLikenesses = field(repr=False)
    name: str = "avg-sim"
    side: Side = Side.REIDENTIFICATION
    meaning: str = "the same of an output and of all originals"

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs."""
        return mean_of([one.every for one in self.likenesses.of(judged)])
