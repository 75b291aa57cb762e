"""Whether leaks are more frequent in some groups of notes than in others."""

from collections.abc import Mapping, Sequence

import numpy as np

_DRAWS = 20_000
"""Permutations; the smallest p-value that they can show is 1 in 20,001."""


def compare_groups(groups: Sequence[tuple[int, int]], seed: int = 0) -> float | None:
    """Return the probability of so great a difference if leaks fall into groups by chance.

    It is Pearson's chi-squared of the table of groups, compared with that of permuted tables, so
    that it holds for few leaks too.

    Args:
        groups: Of each, the notes with a leak, and all notes.
        seed: Of the permutations.

    Returns:
        ``None`` where fewer than two groups have notes, or where none or all of the notes leak.
    """
    sizes = np.array([of for _, of in groups if of])
    leaks = np.array([found for found, of in groups if of])
    total, all_notes = int(leaks.sum()), int(sizes.sum())
    if len(sizes) < 2 or total in {0, all_notes}:  # noqa: PLR2004 - groups to compare
        return None
    expected = sizes * total / all_notes
    draws = np.random.default_rng(seed).multivariate_hypergeometric(sizes, total, _DRAWS)
    # Rounded, so that tables that are mirrored count as equal.
    actual = np.round(((leaks - expected) ** 2 / expected).sum(), 9)
    drawn = np.round(((draws - expected) ** 2 / expected).sum(axis=1), 9)
    return float((1 + np.count_nonzero(drawn >= actual)) / (1 + _DRAWS))


def correct_by_holm(tests: Mapping[str, float]) -> dict[str, float]:
    """Return p-values that hold for all tests together.

    Source: S. Holm, Scandinavian Journal of Statistics 6 (1979), 65-70.
    """
    corrected: dict[str, float] = {}
    worst = 0.0
    ordered = sorted(tests.items(), key=lambda item: (item[1], item[0]))
    for place, (name, value) in enumerate(ordered):
        worst = max(worst, min(1.0, value * (len(ordered) - place)))
        corrected[name] = worst
    return corrected
