"""How well scores tell two kinds of things apart: the area under the ROC curve."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deidstream.study.scoring.cells import NORMAL_95

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Auc:
    """The chance that one of the first kind scores higher than one of the second; .5: a guess."""

    area: float
    low: float
    high: float
    """Ends of the 95 % interval."""


def measure_auc(higher: Sequence[float], lower: Sequence[float]) -> Auc:
    """Return the area under the ROC curve of two samples of scores; a tie counts half.

    Source of the interval: E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988),
    837-845.

    Args:
        higher: Scores of those that should score high, at least two.
        lower: Scores of the others, at least two.
    """
    above = _share_below(np.asarray(higher, float), np.asarray(lower, float))
    below = 1 - _share_below(np.asarray(lower, float), np.asarray(higher, float))
    area = math.fsum(above) / len(above)
    variance = float(np.var(above, ddof=1) / len(above) + np.var(below, ddof=1) / len(below))
    half = NORMAL_95 * math.sqrt(variance)
    return Auc(area, max(0.0, area - half), min(1.0, area + half))


def _share_below(ones: Scores, others: Scores) -> Scores:
    """Return for each of ``ones`` the share of ``others`` below it, equal ones by half."""
    ordered = np.sort(others)
    under = np.searchsorted(ordered, ones, "left")
    up_to = np.searchsorted(ordered, ones, "right")
    shares: Scores = (under + up_to) / (2 * len(ordered))
    return shares
