"""Count the scores of notes in bins, and find from which score on a share of them is red.

Counts add up: those of several workers, weeks or note types are one table each. A bin holds the
scores within 4 % of each other, so that a cut is as exact, whatever the number of notes.

The score that is counted is a measure as a share of its red threshold, so that measures with
different thresholds are comparable.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from deidstream.schemas.outcome import LevelCuts, RiskReport

_LOWEST, _STEP, _HIGHEST = 0.01, 1.04, 250
EDGES: Final = tuple(_LOWEST * _STEP**number for number in range(_HIGHEST))
"""Where each bin but the first begins; the first holds what is below all of them, from 0."""
LEAST_RED = 10
"""Fewer notes than would leave so many red ones say nothing of where a share begins."""
_NO_RED = 1e-9
"""Stands for a threshold of 0."""


@dataclass(frozen=True, slots=True)
class BinCuts:
    """The first bins of yellow and red."""

    yellow: int
    red: int

    def of_threshold(self, red: float) -> LevelCuts:
        """Return the cuts as scores of a measure with this red threshold, rounded as scores are."""
        yellow, upper = (
            max(1e-4, round(_edge(number) * max(red, _NO_RED), 4))
            for number in (self.yellow, self.red)
        )
        return LevelCuts(yellow, upper)


def find_bin(report: RiskReport) -> int:
    """Return the number of the bin of a note, from 0 to ``len(EDGES)``."""
    red = report.cuts.red if report.cuts else 1.0
    return bisect_right(EDGES, report.score / max(red, _NO_RED))


def find_cuts(counts: Mapping[int, int], red: float, yellow: float) -> BinCuts | None:
    """Return where red and yellow begin, so that they have the nearest shares that bins allow.

    Args:
        counts: Notes by bin.
        red: Share of the notes that is to be red, the worst ones.
        yellow: Share that is to be yellow beside them.

    Returns:
        The cuts; nothing if the notes are too few for these shares.
    """
    notes = sum(counts.values())
    if notes * red < LEAST_RED:
        return None
    first = _find_first(counts, red * notes)
    return BinCuts(min(first, _find_first(counts, (red + yellow) * notes)), first)


def _find_first(counts: Mapping[int, int], wanted: float) -> int:
    """Return the bin from which on there are as nearly as possible so many notes.

    Of two that are as near, it is the lower one: rather too many notes are looked at than too few.
    The bin of the lowest scores is never looked at.
    """
    best, distance = len(EDGES) + 1, wanted
    for number, above in _count_above(counts):
        if abs(above - wanted) <= distance:
            best, distance = number, abs(above - wanted)
    return best


def _count_above(counts: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Yield each bin with notes but the lowest, and the notes of it and of those above it."""
    held = sorted((number for number, notes in counts.items() if number and notes), reverse=True)
    yield from zip(held, accumulate(counts[number] for number in held), strict=True)


def _edge(number: int) -> float:
    """Return where a bin begins; of the one behind the last, a score that no note has."""
    return EDGES[number - 1] if number <= len(EDGES) else EDGES[-1] * _STEP
