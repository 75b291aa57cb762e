"""Compute forward passes with torch side by side, each on a thread of its own.

Two threads on one pass share each of its products, and so each waits for the other a hundred times
a pass, or for whatever else has its core (ADR 44). torch holds no interpreter while it
computes.
"""

import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

import numpy as np
import torch

from deidstream.models.neural.passes.packing import ForwardPass, Results
from deidstream.models.time_budget import check_time

POSITIONS: Final = 512
"""Most padded positions that a thread computes at once, if a row is not longer."""
FEWEST_POSITIONS: Final = 256
"""What is cut so that a thread has something to do need not be smaller."""
MOST_THREADS: Final = 8
"""Most passes at a time; each needs memory of its own."""
_TURN: Final = threading.Lock()
"""Held by the call that computes, since the number of torch's threads is one for all."""


def run_side_by_side(
    compute: Callable[[ForwardPass], Results],
    passes: Sequence[ForwardPass],
    *,
    positions: int = POSITIONS,
) -> list[Results]:
    """Compute passes; return the output of each, in order.

    They are cut into rows of at most ``positions``, fewer where threads would have nothing to do; a
    row's output must not depend on the others.
    The calling thread computes its share, and looks at the time before and after each part.

    Args:
        compute: Computes a pass; called on several threads, as many as torch would use for one.
        passes: What is to be computed.
        positions: Most padded positions at once, if a row is not longer; 1: each row alone.

    Raises:
        OutOfTime: The budget of the stage that runs on the calling thread is used up.
    """
    with _TURN, _one_thread_a_product() as threads:
        most = min(positions, _choose_positions(passes, threads))
        parts = [cut_rows(one, most) for one in passes]
        outputs = iter(_compute_parts(compute, [part for cut in parts for part in cut], threads))
    return [np.concatenate([next(outputs) for _ in cut]) for cut in parts]


def _compute_parts(
    compute: Callable[[ForwardPass], Results], parts: Sequence[ForwardPass], threads: int
) -> list[Results]:
    waiting = deque(enumerate(parts))
    done: dict[int, Results] = {}

    def help_out() -> None:
        torch.set_num_threads(1)
        while (taken := _take(waiting)) is not None:
            done[taken[0]] = compute(taken[1])

    helpers = min(threads, MOST_THREADS, len(parts)) - 1
    if helpers < 1:
        _work_in_time(compute, waiting, done)
    else:
        with ThreadPoolExecutor(helpers, thread_name_prefix="passes") as pool:
            helping = [pool.submit(help_out) for _ in range(helpers)]
            try:
                _work_in_time(compute, waiting, done)
                for one in helping:
                    one.result()
            finally:
                waiting.clear()
    return [done[place] for place in range(len(parts))]


def _work_in_time(
    compute: Callable[[ForwardPass], Results],
    waiting: deque[tuple[int, ForwardPass]],
    done: dict[int, Results],
) -> None:
    check_time()
    while (taken := _take(waiting)) is not None:
        done[taken[0]] = compute(taken[1])
        check_time()


def _take(waiting: deque[tuple[int, ForwardPass]]) -> tuple[int, ForwardPass] | None:
    """Take the last part, which is the longest; ``None`` if all are taken."""
    try:
        return waiting.pop()
    except IndexError:
        return None


@contextmanager
def _one_thread_a_product() -> Generator[int]:
    """Let torch compute on the thread that calls it; yields how many threads it had before."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield before
    finally:
        torch.set_num_threads(before)


def _choose_positions(passes: Sequence[ForwardPass], threads: int) -> int:
    """Return how many positions a part may have, so that each thread has two parts or more."""
    even = sum(one.ids.size for one in passes) // (2 * threads)
    return min(POSITIONS, max(FEWEST_POSITIONS, even))


def cut_rows(one: ForwardPass, positions: int) -> list[ForwardPass]:
    """Cut a pass into passes of at most ``positions`` positions, and of at least one row."""
    rows, length = one.ids.shape
    most = max(1, positions // length)
    return [
        ForwardPass(
            one.ids[first : first + most],
            one.mask[first : first + most],
            None if one.types is None else one.types[first : first + most],
        )
        for first in range(0, rows, most)
    ]
