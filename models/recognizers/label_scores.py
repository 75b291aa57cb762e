"""The scores of a tagger: its outputs summed by label, in whole thousandths."""

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

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


@dataclass(frozen=True, slots=True)
class Meanings:
    """The meaning of a model's outputs."""

    labels: tuple[int, ...]
    """For each output 0, not PHI, or 1 plus the place of its label in ``LABELS``."""
    begins: tuple[bool, ...]
    """For each output whether it means that a span begins, or its label has no such output."""


def sum_by_label(probabilities: NDArray[np.float32], meanings: Meanings) -> Thousandths:
    """Sum a model's outputs by label and round them.

    Args:
        probabilities: Shape ``(pieces, outputs)``, each row summing to 1.
        meanings: Meanings of the outputs.

    Returns:
        Shape ``(pieces, 1 + 2 * labels)``. Outputs are added in their order, so that a row's sum
        never depends on the rows beside it.

    Raises:
        ValueError: A probability is NaN, which would read as no PHI.
    """
    if np.isnan(probabilities).any():
        msg = "the model answers with NaN"
        raise ValueError(msg)
    sums = np.zeros((len(probabilities), COLUMNS), dtype=np.float32)
    for addition in _order_additions(meanings):
        sums[:, addition.columns] += probabilities[:, addition.outputs]
    np.subtract(1, sums[:, 0], out=sums[:, 0])
    sums *= WHOLE
    return np.rint(sums, out=sums).clip(0, WHOLE, out=sums).astype(np.int16)


class _Addition(NamedTuple):
    """Outputs that are added to columns at once, each column at most once."""

    outputs: list[int]
    columns: list[int]


@lru_cache(maxsize=8)
def _order_additions(meanings: Meanings) -> tuple[_Addition, ...]:
    """Sort the outputs so that the first of each column come first, then the second, and so on."""
    columns: defaultdict[int, list[int]] = defaultdict(list)
    for output, (label, begins) in enumerate(zip(meanings.labels, meanings.begins, strict=True)):
        columns[label].append(output)
        if label and begins:
            columns[COUNT + label].append(output)
    additions: list[_Addition] = []
    for turn in range(max(map(len, columns.values()))):
        left = [column for column, outputs in columns.items() if len(outputs) > turn]
        additions.append(_Addition([columns[column][turn] for column in left], left))
    return tuple(additions)
