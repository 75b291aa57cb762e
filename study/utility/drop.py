"""What a task loses if its model is trained on outputs, by several seeds, and by chance.

Source of the protocol: Larbi, Burchardt and Roller, "Which anonymization technique is best for
which NLP task?", section 4: train on anonymized text, test on plain text, mean over several runs,
significant at p < 0.05.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Final, TypeVar

SEEDS: Final = (0, 1, 2, 3, 4)
_ROUNDS: Final = 1_000
_STUDENT: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""Quantiles .975 of Student's distribution with 1 to 9 degrees of freedom."""

Answer = TypeVar("Answer")
Score = Callable[[Sequence[Answer]], float]
"""Scores the answers to all test items, in their order."""


@dataclass(frozen=True, slots=True)
class UtilityDrop:
    """The scores of models that learned from plain text and from outputs, seed by seed."""

    plain: tuple[float, ...]
    anonymized: tuple[float, ...]
    p_value: float
    """Chance of a difference as large between models that are equally good."""
    differences: tuple[float, ...] = field(init=False)
    """Of each seed, anonymized less plain: below 0 where something is lost."""

    def __post_init__(self) -> None:
        """Pair the scores."""
        pairs = zip(self.anonymized, self.plain, strict=True)
        object.__setattr__(self, "differences", tuple(one - other for one, other in pairs))

    @property
    def change(self) -> float:
        """Mean difference, as a share of the mean score on plain text."""
        return fmean(self.differences) / fmean(self.plain)

    @property
    def interval(self) -> tuple[float, float]:
        """Student's 95 % interval of the mean difference of 2 to 10 seeds, in points."""
        count, mean = len(self.differences), fmean(self.differences)
        half = _STUDENT[count - 2] * stdev(self.differences) / math.sqrt(count)
        return mean - half, mean + half


def measure_drop(
    answers: Sequence[tuple[Sequence[Answer], Sequence[Answer]]], score: Score[Answer]
) -> UtilityDrop:
    """Compare two models on the same test items.

    Args:
        answers: For each of 2 to 10 seeds those of the model that learned from plain text, and
            those of the one that learned from outputs; each to all test items.
        score: Of one model's answers.
    """
    plain = tuple(score(one) for one, _ in answers)
    anonymized = tuple(score(other) for _, other in answers)
    return UtilityDrop(plain, anonymized, _randomize(answers, score))


def _randomize(
    answers: Sequence[tuple[Sequence[Answer], Sequence[Answer]]], score: Score[Answer]
) -> float:
    """Return the p-value of approximate randomization.

    In each round every test item changes its two models with chance one half, in all seeds alike.

    Source: E. W. Noreen, Computer Intensive Methods for Testing Hypotheses (1989), chapter 2.
    """
    seen = abs(fmean(score(other) - score(one) for one, other in answers))
    rng, extreme = random.Random(0), 0
    items = len(answers[0][0])
    for _ in range(_ROUNDS):
        changed = [rng.random() < 0.5 for _ in range(items)]  # noqa: PLR2004 - a fair coin
        found = fmean(_differ_changed(one, other, changed, score) for one, other in answers)
        extreme += abs(found) >= seen - 1e-12
    return (extreme + 1) / (_ROUNDS + 1)


def _differ_changed(
    one: Sequence[Answer], other: Sequence[Answer], changed: Sequence[bool], score: Score[Answer]
) -> float:
    first = [b if change else a for a, b, change in zip(one, other, changed, strict=True)]
    second = [a if change else b for a, b, change in zip(one, other, changed, strict=True)]
    return score(second) - score(first)
