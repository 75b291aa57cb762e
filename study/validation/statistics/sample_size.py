"""How many units must be read so that a share is proved to be below a bound."""

from scipy.special import betainc


def find_units_to_read(
    bound: float, *, allowed: int = 0, confidence: float = 0.95, sensitivity: float = 1.0
) -> int:
    """Return how many units must be read, if no more than ``allowed`` leaks are seen.

    It is the smallest number for which so few leaks are improbable (1 - ``confidence``) while the
    share is at the bound: exact, by the binomial distribution.

    Args:
        bound: The share to prove, over 0 and below 1.
        allowed: Leaks that may be seen.
        confidence: Of the proof.
        sensitivity: Share of the leaks that the readers see.

    >>> find_units_to_read(0.01), find_units_to_read(0.001)
    (299, 2995)
    """
    risk = 1 - confidence
    low, high = allowed, max(16, 2 * allowed + 2)
    while probability_of_few(allowed, high, bound * sensitivity) > risk:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if probability_of_few(allowed, middle, bound * sensitivity) > risk:
            low = middle
        else:
            high = middle
    return high


def probability_of_few(most: int, of: int, share: float) -> float:
    """Return the probability of ``most`` or fewer among ``of``, each with probability ``share``."""
    if of <= most:
        return 1.0
    return 1 - float(betainc(most + 1, of - most, share))
