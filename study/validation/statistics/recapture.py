"""What two readers both overlooked, by what each of them found that the other did.

The estimate is that of D. G. Chapman, University of California Publications in Statistics 1 (1951),
131-160. The bound holds for few things too: the least that each reader finds (Clopper and Pearson,
of what the other one found) bounds what both overlook, and the negative binomial distribution how
many things that can be.
"""

from dataclasses import dataclass

from scipy.special import betainc

from deidstream.study.validation.statistics.intervals import bound_share

_MOST = 1 << 30
"""Overlooked things from which on the bound says nothing."""


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
    high: int | None
    """No more than so many; ``None``: so few were found by both that nothing bounds them."""

    @property
    def seen(self) -> float:
        """The share of all that was found."""
        return self.found / self.total if self.total else 1.0


def estimate_total(captures: Captures, confidence: float = 0.95) -> Recaptured:
    """Estimate how many there are, if each reader finds as much whether or not the other does.

    Things that are hard to see are overlooked by both, so the truth may be higher.

    Args:
        captures: What was found.
        confidence: Of the bound.

    >>> round(estimate_total(Captures(both=92, first=4, second=4)).total, 2)
    100.17
    """
    first, second = captures.both + captures.first, captures.both + captures.second
    total = (first + 1) * (second + 1) / (captures.both + 1) - 1
    # Half of the risk is that of what the readers find, and half that of how many they overlook.
    risk = (1 - confidence) / 2
    missed_by_first = bound_share(captures.second, second, 1 - risk / 2)
    missed_by_second = bound_share(captures.first, first, 1 - risk / 2)
    high = _bound_missed(captures.found, missed_by_first * missed_by_second, 1 - risk)
    bound = None if high is None else captures.found + high
    return Recaptured(captures.found, max(float(captures.found), total), bound)


def _bound_missed(found: int, missed: float, confidence: float) -> int | None:
    """Return how many are overlooked at most beside those that were found.

    Args:
        found: How many were.
        missed: Probability that one is overlooked.
        confidence: Of the bound.
    """
    if not found or missed == 1:
        return None
    low, high = -1, 1
    while betainc(found, high + 1, 1 - missed) < confidence:
        low, high = high, 2 * high
        if high > _MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if betainc(found, middle + 1, 1 - missed) < confidence:
            low = middle
        else:
            high = middle
    return high
