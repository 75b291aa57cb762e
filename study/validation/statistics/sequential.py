"""Plans that stop early: exact stages of a binomial test.

After so many notes of each stage the claim is proved if no more than the leaks of that stage were
seen: none at the first stage, one at the second, and so on. It has failed as soon as more leaks
were seen than the last stage allows, after whichever note. The stages share the risk of a wrong
proof, the first has the greatest part, and each begins as soon as its part suffices; the
probabilities are summed up over all paths, with no approximation.

Sources: stages and their exact probabilities, J. R. Schultz and others, Biometrics 29 (1973),
293-300; parts of the risk, K. K. G. Lan, D. L. DeMets, Biometrika 70 (1983), 659-663; the bound
after stopping, C. Jennison, B. W. Turnbull, Technometrics 25 (1983), 49-58.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from deidstream.study.validation.statistics.sample_size import probability_of_few

_HALVINGS = 60
"""Halvings of [0, 1] that find a bound to the last digit of a float."""


class Decision(StrEnum):
    """Where a plan stands."""

    READ_ON = "read on"
    PROVED = "proved"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Stage:
    """After so many notes, the claim is proved by no more than so many leaks."""

    notes: int
    leaks: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What a plan says of what was read, and after how many notes it said so."""

    decision: Decision
    notes: int
    stage: int | None = None
    """Number of the stage that proved the claim, from 0."""


def plan_stages(
    bound: float, *, allowed: int, confidence: float = 0.95, sensitivity: float = 1.0
) -> tuple[Stage, ...]:
    """Return the stages of a plan, each with one more leak than the one before.

    Args:
        bound: The share to prove, over 0 and below 1.
        allowed: Leaks with which the last stage still proves it.
        confidence: Of the whole plan, over all its stages.
        sensitivity: Share of the leaks that the readers see.
    """
    share = bound * sensitivity
    parts = allowed + 1
    stages: list[Stage] = []
    spent = 0.0
    for number in range(parts):
        # Falling parts: of four stages .4, .3, .2 and .1 of the risk.
        spent += (1 - confidence) * 2 * (parts - number) / (parts * (parts + 1))
        stages.append(_find_stage(stages, number, share, spent))
    return tuple(stages)


def _find_stage(stages: Sequence[Stage], leaks: int, share: float, risk: float) -> Stage:
    least = stages[-1].notes + 1 if stages else 1
    low, high = least - 1, least + 16
    while _risk_with(stages, Stage(high, leaks), share) > risk:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _risk_with(stages, Stage(middle, leaks), share) > risk:
            low = middle
        else:
            high = middle
    return Stage(high, leaks)


def _risk_with(stages: Sequence[Stage], added: Stage, share: float) -> float:
    return probability_of_proof((*stages, added), share)


def probability_of_proof(stages: Sequence[Stage], share: float, upto: int | None = None) -> float:
    """Return the probability that a plan proves its claim.

    Args:
        stages: Of the plan.
        share: Of the notes in which a leak is seen.
        upto: Number of the last stage that counts; by default the last of all.
    """
    last = len(stages) - 1 if upto is None else upto
    most = stages[-1].leaks
    # Probability of each number of leaks, as long as nothing is decided.
    going: NDArray[np.float64] = np.zeros(most + 1)
    going[0] = 1.0
    proved, read = 0.0, 0
    for stage in stages[: last + 1]:
        more = _binomial(stage.notes - read, share, most)
        going = np.convolve(going, more)[: most + 1]
        proved += float(going[: stage.leaks + 1].sum())
        going[: stage.leaks + 1] = 0.0
        read = stage.notes
    return proved


def _binomial(of: int, share: float, most: int) -> NDArray[np.float64]:
    """Return the probabilities of 0 to ``most`` among ``of``."""
    counts = np.arange(most + 1)
    possible = np.minimum(counts, of)
    ways = gammaln(of + 1) - gammaln(possible + 1) - gammaln(of - possible + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = ways + np.where(possible, possible * np.log(share), 0.0)
        logs = logs + np.where(of - possible, (of - possible) * np.log1p(-share), 0.0)
    chances: NDArray[np.float64] = np.where(counts <= of, np.exp(logs), 0.0)
    return chances


def judge_sequence(stages: Sequence[Stage], leaks: Sequence[bool]) -> Standing:
    """Say where a plan stands after the notes that were read, in the order of the sample.

    Args:
        stages: Of the plan.
        leaks: For each note, whether a leak was seen. Notes behind the one that decides are read
            for nothing, and do not change what was decided.
    """
    seen, most = 0, stages[-1].leaks
    at = {stage.notes: (number, stage) for number, stage in enumerate(stages)}
    for read, leaking in enumerate(leaks, 1):
        seen += leaking
        if seen > most:
            return Standing(Decision.FAILED, read)
        number, stage = at.get(read, (None, None))
        if stage is not None and seen <= stage.leaks:
            return Standing(Decision.PROVED, read, number)
    return Standing(Decision.READ_ON, len(leaks))


def bound_after(stages: Sequence[Stage], stage: int, confidence: float = 0.95) -> float:
    """Return the exact upper bound of the share after a stage has proved the claim.

    A proof at an earlier stage counts as stronger than one at a later stage.

    Args:
        stages: Of the plan.
        stage: Number of the stage that stopped it.
        confidence: Of the bound.
    """
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if probability_of_proof(stages, middle, stage) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def expect_notes(stages: Sequence[Stage], share: float) -> float:
    """Return how many notes a plan reads on average.

    Args:
        stages: Of the plan.
        share: Of the notes in which a leak is seen.
    """
    most = stages[-1].leaks
    going: NDArray[np.float64] = np.zeros(most + 1)
    going[0] = 1.0
    expected, read = 0.0, 0
    for stage in stages:
        for count, chance in enumerate(going):
            expected += float(chance) * _expect_within(stage.notes - read, most - count, share)
        more = _binomial(stage.notes - read, share, most)
        going = np.convolve(going, more)[: most + 1]
        going[: stage.leaks + 1] = 0.0
        read = stage.notes
    return expected


def _expect_within(notes: int, left: int, share: float) -> float:
    """Return how many of ``notes`` are read if reading stops at the leak after ``left`` more."""
    return sum(probability_of_few(left, read, share) for read in range(notes))
