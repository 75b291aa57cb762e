"""Cut long sequences into windows, and run sequences so that neighbours change no result.

Nothing is ever truncated: every position lies in a window, and its result is taken from the window
that shows the model most context on both sides of it.

A sequence is padded to a length that its own length alone decides, and a forward pass holds only
sequences of one padded length. On a CPU a row's result is then the same to the last bit whatever
lies beside it, for fp32 and int8 by torch and int8 by OpenVINO (measured with torch 2.15 and
OpenVINO 2026.4, one and two threads); in bf16 the engine of torch computes each row alone. On CUDA
the kernel may change with the number of rows; there scores agree to the quantum they are rounded
to.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural.model_turn import take_model_turn, works_beside
from deidstream.models.time_budget import check_time

MULTIPLE = 8
"""Sequences are padded to a multiple of this; coarser wastes work, finer makes small passes."""
HANDED_OVER = 32_768
"""Most padded positions that a model is given at once: a full batch is fewer. What a model answers
for them is in memory together, and no other batch has its turn meanwhile."""
HANDED_OVER_BESIDE = 4_096
"""The same for a long note. A short one waits for as many at each of its turns: about half a second
on one core."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a sequence."""

    start: int
    """Start of ``[start, end)``, which the model reads."""
    end: int
    kept_start: int
    """Start of ``[kept_start, kept_end)``, whose results are taken from this window."""
    kept_end: int


def padded_length(length: int) -> int:
    """Length a sequence is padded to: the next multiple of 8, at least 8.

    >>> [padded(0), padded(8), padded(9)]
    [8, 8, 16]
    """
    return -(-max(length, 1) // MULTIPLE) * MULTIPLE


def cut_windows(
    length: int, *, size: int, overlap: int, breaks: Sequence[int] = ()
) -> tuple[Window, ...]:
    """Cut ``length`` positions into windows of at most ``size`` that share up to ``overlap``.

    A window ends at the last break in its last quarter, and the next begins at the first break
    among the ``overlap`` positions before that end; without a break there it is full, and shares
    exactly ``overlap``. The kept parts of the windows are disjoint and cover every position; they
    meet at a break where the shared part has one. On either side of a position the window that
    answers for it thus shows the end of the sequence, the end of the position's line, or at least
    ``overlap // 2`` positions (with breaks only if ``overlap`` is at most a quarter of ``size``).

    Args:
        length: Number of positions; 0 gives no window.
        size: Most positions of a window.
        overlap: Most positions that a window shares with the next, ``0 <= overlap < size``.
        breaks: Positions at which a line begins, ascending.

    Raises:
        ValueError: ``length`` is negative or ``overlap`` out of range.

    >>> [(w.start, w.kept_start, w.kept_end, w.end) for w in cut_windows(10, size=6, overlap=2)]
    [(0, 0, 5, 6), (4, 5, 10, 10)]
    >>> [(w.start, w.end) for w in cut_windows(20, size=12, overlap=3, breaks=[8, 10])]
    [(0, 10), (8, 20)]
    """
    if length < 0 or not 0 <= overlap < size:
        msg = f"{length} positions cannot be cut into windows of {size} sharing {overlap}"
        raise ValueError(msg)
    if not length:
        return ()
    windows: list[Window] = []
    start = kept_start = 0
    while length - start > size:
        end = _choose_end(breaks, start, size, overlap)
        following = _choose_start(breaks, end, overlap)
        kept_end = _choose_border(breaks, max(following, kept_start + 1), following, end)
        windows.append(Window(start, end, kept_start, kept_end))
        start, kept_start = following, kept_end
    windows.append(Window(start, length, kept_start, length))
    return tuple(windows)


def _choose_end(breaks: Sequence[int], start: int, size: int, overlap: int) -> int:
    """Return the last break in the last quarter of a full window, else the end of that."""
    full = start + size
    # The next window must begin after this one even if it shares all it may.
    least = max(full - size // 4, start + overlap + 1)
    at = bisect_right(breaks, full)
    return breaks[at - 1] if at and breaks[at - 1] >= least else full


def _choose_start(breaks: Sequence[int], end: int, overlap: int) -> int:
    """Return the first break that leaves no more than ``overlap`` positions before ``end``."""
    earliest = end - overlap
    at = bisect_left(breaks, earliest)
    return breaks[at] if at < len(breaks) and breaks[at] <= end else earliest


def _choose_border(breaks: Sequence[int], least: int, following: int, end: int) -> int:
    """Return where two windows that share ``[following, end)`` meet: a break near its middle."""
    shared = breaks[bisect_left(breaks, least) : bisect_right(breaks, end)]
    if not shared:
        return max(least, (following + end + 1) // 2)
    return min(shared, key=lambda at: abs(2 * at - following - end))


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


Ids = NDArray[np.int64]
Results = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class ForwardPass:
    """What a model is given at once: rows of one padded length."""

    ids: Ids = field(repr=False)
    """Shape ``(rows, padded)``."""
    mask: Ids = field(repr=False)
    """The same shape; 0 for padding, else 1."""
    types: Ids | None = field(default=None, repr=False)
    """Token types of the same shape; all 0 when not given."""


Forward = Callable[[Sequence[ForwardPass]], Sequence[Results]]
"""Computes passes; returns for each an array of shape ``(rows, ...)``, in order."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How rows are laid into forward passes."""

    budget_tokens: int
    """Most padded positions of one forward pass; a longer row goes alone."""
    pad_id: int


def forward_groups(lengths: Sequence[int], budget_tokens: int) -> list[tuple[int, tuple[int, ...]]]:
    """Sort sequences into forward passes.

    Args:
        lengths: Length of each sequence.
        budget_tokens: Most padded positions of a pass.

    Returns:
        For each pass the padded length, shortest first, and the places of its sequences in
        ``lengths``, ascending. Each place occurs once. Padded length times places is within the
        budget, unless a sequence over the budget is alone.

    >>> forward_groups([3, 20, 8, 5], budget_tokens=16)
    [(8, (0, 2)), (8, (3,)), (24, (1,))]
    """
    alike: defaultdict[int, list[int]] = defaultdict(list)
    for place, length in enumerate(lengths):
        alike[padded_length(length)].append(place)
    return [
        (size, tuple(places[first : first + rows]))
        for size, places in sorted(alike.items())
        for rows in (max(1, budget_tokens // size),)
        for first in range(0, len(places), rows)
    ]


def run_packed_sequences(
    forward: Forward, sequences: Sequence[Sequence[int]], layout: Layout
) -> Iterator[tuple[int, Results]]:
    """Run every sequence of ids through ``forward``; equal ones once.

    Yields:
        The place of a sequence, and its row of what ``forward`` returned, padding included; each
        place once, in no promised order.
    """
    places_of: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for place, ids in enumerate(sequences):
        places_of[tuple(ids)].append(place)
    distinct = list(places_of)
    groups = forward_groups(list(map(len, distinct)), layout.budget_tokens)
    for handed in _cut_hand_overs(groups, HANDED_OVER_BESIDE if works_beside() else HANDED_OVER):
        check_time()
        passes = [
            _fill_pass([distinct[number] for number in group], size, layout)
            for size, group in handed
        ]
        with take_model_turn():
            results = forward(passes)
        for (_, group), rows in zip(handed, results, strict=True):
            for number, row in zip(group, rows, strict=True):
                yield from ((place, row) for place in places_of[distinct[number]])


def _cut_hand_overs(
    groups: Sequence[tuple[int, tuple[int, ...]]], most: int
) -> Iterator[list[tuple[int, tuple[int, ...]]]]:
    """Yield the passes that a model is given together, at least one."""
    handed: list[tuple[int, tuple[int, ...]]] = []
    filled = 0
    for size, group in groups:
        if handed and filled + size * len(group) > most:
            yield handed
            handed, filled = [], 0
        handed.append((size, group))
        filled += size * len(group)
    if handed:
        yield handed


def _fill_pass(rows: Sequence[Sequence[int]], size: int, layout: Layout) -> ForwardPass:
    ids = np.full((len(rows), size), layout.pad_id, dtype=np.int64)
    mask = np.zeros((len(rows), size), dtype=np.int64)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ForwardPass(ids, mask)
