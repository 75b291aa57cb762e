"""Decide for each word whether it is PHI and its label, so that labels form whole spans."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from deidstream.schemas.label import PhiLabel

Thousandths = NDArray[np.int16]
"""Probabilities as whole thousandths, shape ``(pieces or words, 1 + 2 * labels)``.

Column 0 is the probability of being PHI at all; then each label's, in ``PhiLabel`` order; then the
probability that a span of the label begins here. Decisions are taken on these integers alone, so
that float noise below the quantum flips none.
"""

WHOLE = 1000
LABELS = tuple(PhiLabel)
COUNT = len(LABELS)
COLUMNS = 1 + 2 * COUNT

NO_PHI = -1

# Costs in thousandths of a nat, as integers: sums of them do not depend on the machine.
_COST = np.rint(-WHOLE * np.log((np.arange(WHOLE + 1) + 0.5) / (WHOLE + 1))).astype(np.int64)


def decode(words: Thousandths, thresholds: NDArray[np.int16]) -> list[int]:
    """Give each word the place of its label in ``LABELS``, or ``NO_PHI``.

    A word is PHI when its probability of being PHI reaches the threshold of its most probable
    label: which PHI it is does not count against it. A run of PHI words then takes the most
    probable sequence of labels in which another label starts only where the model sees a beginning
    (BIO constraints; Viterbi). Ties go to the first in ``PhiLabel`` order.

    Args:
        words: Shape ``(words, 1 + 2 * labels)``.
        thresholds: In thousandths, by label in ``PhiLabel`` order.
    """
    likely = words[:, 1 : 1 + COUNT].argmax(axis=1)
    found = words[:, 0] >= thresholds[likely]
    labels = np.where(found, likely, NO_PHI)
    for start, end in _find_runs(found.tolist()):
        if end - start > 1:
            labels[start:end] = _find_best_path(words[start:end])
    return [int(label) for label in labels]


def _find_runs(found: Sequence[bool]) -> Iterator[tuple[int, int]]:
    for is_found, places in groupby(range(len(found)), key=found.__getitem__):
        if is_found:
            run = list(places)
            yield run[0], run[-1] + 1


def _find_best_path(run: Thousandths) -> list[int]:
    stays = _COST[run[:, 1 : 1 + COUNT]]
    opens = _COST[run[:, 1 + COUNT :]]
    cost, came_from = stays[0], list[NDArray[np.int64]]()
    own = np.arange(COUNT)
    for stay, begin in zip(stays[1:], opens[1:], strict=True):
        cheapest = int(cost.argmin())
        switched = cost[cheapest] + begin
        kept = cost + stay
        came_from.append(np.where(switched < kept, cheapest, own))
        cost = np.minimum(switched, kept)
    path = [int(cost.argmin())]
    for before in reversed(came_from):
        path.append(int(before[path[-1]]))
    return path[::-1]
