"""Bounds and intervals of shares: exact for equal weights, conservative for others.

Sources: C. J. Clopper, E. S. Pearson, Biometrika 26 (1934), 404-413; for weighted sums M. P. Fay,
E. J. Feuer, Statistics in Medicine 16 (1997), 791-801, whose gamma interval is that of Garwood for
a Poisson count where all weights are equal.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import betaincinv, gammaincinv


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its two-sided interval, and the one-sided bound of the same confidence."""

    share: float
    low: float
    high: float
    bound: float
    """The share is below it with the confidence asked for."""


def bound_share(found: int, of: int, confidence: float = 0.95) -> float:
    """Return the exact one-sided upper bound of a share (Clopper and Pearson).

    >>> round(bound_share(0, 299), 5)
    0.00997
    """
    return 1.0 if found >= of else float(betaincinv(found + 1, of - found, confidence))


def find_exact_interval(found: int, of: int, confidence: float = 0.95) -> Interval:
    """Return the exact interval of a share (Clopper and Pearson).

    Args:
        found: How many of them.
        of: How many there are; of 0, nothing is known.
        confidence: Of the interval, and of the bound.
    """
    if of == 0:
        return Interval(0.0, 0.0, 1.0, 1.0)
    tail = (1 - confidence) / 2
    low = float(betaincinv(found, of - found + 1, tail)) if found else 0.0
    high = bound_share(found, of, 1 - tail)
    return Interval(found / of, low, high, bound_share(found, of, confidence))


def find_weighted_interval(
    events: Sequence[float], largest: float, confidence: float = 0.95
) -> Interval:
    """Return the interval of a weighted sum of rare events (Fay and Feuer).

    Args:
        events: What each event that was seen adds to the share: the weight of its note, times what
            was found there if things come in clusters.
        largest: The most that one event not seen could have added.
        confidence: Of the interval, and of the bound.
    """
    total = math.fsum(events)
    spread = math.fsum(event * event for event in events)
    tail = (1 - confidence) / 2
    low = _gamma_quantile(total, spread, tail) if events else 0.0
    mean, variance = total + largest, spread + largest * largest
    high, bound = (_gamma_quantile(mean, variance, level) for level in (1 - tail, confidence))
    return Interval(min(1.0, total), min(1.0, low), min(1.0, high), min(1.0, bound))


def _gamma_quantile(mean: float, variance: float, level: float) -> float:
    if variance == 0:
        return mean  # nothing was left to sample
    return float(gammaincinv(mean * mean / variance, level)) * variance / mean
