"""Cut a long sequence of word pieces into windows, and put the windows' results together again.

Nothing is ever truncated: every position lies in a window, and its result is taken from the window
that shows the model most context on both sides of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a sequence."""

    start: int
    """Start of ``[start, end)``, which the model reads."""
    end: int
    kept_start: int
    """Start of ``[kept_start, kept_end)``, whose results are taken from this window."""
    kept_end: int


def cut_windows(length: int, *, size: int, overlap: int) -> tuple[Window, ...]:
    """Cut ``length`` positions into windows of ``size`` that share ``overlap`` with the next.

    The last window may be shorter. The kept parts of the windows are disjoint and cover every
    position; away from the ends of the sequence each position has at least ``overlap // 2``
    positions of context on either side.

    Args:
        length: Number of positions; 0 gives no window.
        size: Most positions of a window.
        overlap: Positions that a window shares with the next, ``0 <= overlap < size``.

    Raises:
        ValueError: ``length`` is negative or ``overlap`` out of range.

    >>> [(w.start, w.kept_start, w.kept_end, w.end) for w in split(10, size=6, overlap=2)]
    [(0, 0, 5, 6), (4, 5, 10, 10)]
    """
    if length < 0 or not 0 <= overlap < size:
        msg = f"{length} positions cannot be cut into windows of {size} sharing {overlap}"
        raise ValueError(msg)
    if not length:
        return ()
    starts = range(0, max(1, length - overlap), size - overlap)
    ends = [min(start + size, length) for start in starts]
    cuts = [
        0,
        *((start + end + 1) // 2 for end, start in zip(ends, starts[1:], strict=False)),
        length,
    ]
    return tuple(
        Window(start, end, *kept)
        for start, end, kept in zip(starts, ends, pairwise(cuts), strict=True)
    )


def stitch(windows: Sequence[Window], results: Sequence[NDArray[np.int16]]) -> NDArray[np.int16]:
    """Join the windows' results into one row for each position.

    Args:
        windows: The result of ``cut_windows``, at least one window.
        results: For each window an array whose first axis is its positions, in order.

    Returns:
        The same axes, the first as long as the whole sequence.
    """
    kept = [
        result[window.kept_start - window.start : window.kept_end - window.start]
        for window, result in zip(windows, results, strict=True)
    ]
    return np.concatenate(kept)
