"""Round weights and the ranges of activations to int8, for whichever library multiplies them.

An activation is rounded to 256 levels of its range, one of which is 0; weights by row, to levels
between a greatest one and its opposite.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural.quantization import Range

LEVELS: Final = 256


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of an activation."""

    step: float
    """What lies between two of them."""
    zero: int
    """Which of them is 0, counted from the least."""

    @classmethod
    def of_range(cls, wanted: Range) -> "Levels":
        """Return levels for a range like the given one in which 0 is one of them."""
        low, high = min(wanted.low, 0.0), max(wanted.high, 0.0)
        step = (high - low) / (LEVELS - 1) or 1.0
        return cls(step, round(-low / step))

    @property
    def low(self) -> float:
        """The least of them."""
        return -self.zero * self.step

    @property
    def high(self) -> float:
        """The greatest of them."""
        return (LEVELS - 1 - self.zero) * self.step


@dataclass(frozen=True, slots=True)
class RoundedRows:
    """A matrix of weights in int8, each row in steps of its own."""

    values: NDArray[np.int8] = field(repr=False)
    steps: NDArray[np.float32] = field(repr=False)
    """Shape ``(rows, 1)``."""

    @classmethod
    def of_weight(cls, weight: NDArray[np.floating[Any]], greatest: int) -> "RoundedRows":
        """Round a matrix to levels between ``-greatest`` and ``greatest``."""
        steps = np.abs(weight).max(axis=1, keepdims=True) / greatest
        steps[steps == 0] = 1
        rounded = np.rint(weight / steps).clip(-greatest, greatest)
        return cls(rounded.astype(np.int8), steps)


def list_divisors(known: Range, width: int) -> NDArray[np.float32]:
    """Return for each channel what its values are divided by, and its weights multiplied with."""
    by = np.ones(width, dtype=np.float32)
    by[list(known.outliers)] = list(known.outliers.values())
    return by
