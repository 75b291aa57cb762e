"""What two readers both overlooked, by what each of them found that the other did.

Sources: D. G. Chapman, University of California Publications in Statistics 1 (1951), 131-160; the
interval (transformed logit, .5 added), M. Sadinle, Communications in Statistics - Simulation and
Computation 38 (2009), 1909-1924.
"""

import math
from dataclasses import dataclass

from scipy.special import ndtri

_ADDED = 0.5


@dataclass(frozen=True, slots=True)
class Captures:
    """What two readers found of the same things."""

    both: int
    first: int
    """By the first reader alone."""
    second: int
    """By the second reader alone."""

    @property
    def found(self) -> int:
        """How many were found at all."""
        return self.both + self.first + self.second


@dataclass(frozen=True, slots=True)
class Recaptured:
    """How many there are in all, the overlooked ones among them."""

    found: int
    total: float
    low: float
    high: float

    @property
    def seen(self) -> float:
        """The share of all that was found."""
        return self.found / self.total if self.total else 1.0


def estimate_total(captures: Captures, confidence: float = 0.95) -> Recaptured:
    """Estimate how many there are, if each reader finds as much whether or not the other does.

    Things that are hard to see are overlooked by both, so the truth may be higher.

    >>> round(estimate_total(Captures(both=92, first=4, second=4)).total, 2)
    100.17
    """
    first, second = captures.both + captures.first, captures.both + captures.second
    total = (first + 1) * (second + 1) / (captures.both + 1) - 1
    both, one, other = (
        count + _ADDED for count in (captures.both, captures.first, captures.second)
    )
    missed = one * other / both
    spread = math.sqrt(1 / both + 1 / one + 1 / other + both / (one * other))
    factor = math.exp(float(ndtri(0.5 + confidence / 2)) * spread)
    low, high = (captures.found - _ADDED + missed * end for end in (1 / factor, factor))
    found = float(captures.found)
    return Recaptured(captures.found, max(found, total), max(found, low), max(found, high))
