"""Laws of windows."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from deidstream.models.neural.passes.packing import Window, cut_windows, stitch

CUTS = st.integers(1, 24).flatmap(
    lambda size: st.tuples(st.integers(1, 200), st.just(size), st.integers(0, size - 1))
)


@given(CUTS)
def test_every_position_is_answered_for_once(cut: tuple[int, int, int]) -> None:
    length, size, overlap = cut
    windows = cut_windows(length, size=size, overlap=overlap)
    answered = [at for window in windows for at in range(window.kept_start, window.kept_end)]
    assert answered == list(range(length))
    assert all(w.start <= w.kept_start < w.kept_end <= w.end for w in windows)
    assert all(w.end - w.start <= size for w in windows)


@given(CUTS)
def test_the_answer_comes_from_where_context_is_greatest(cut: tuple[int, int, int]) -> None:
    length, size, overlap = cut
    windows = cut_windows(length, size=size, overlap=overlap)
    for window in windows:
        for at in range(window.kept_start, window.kept_end):
            seeing = [w for w in windows if w.start <= at < w.end]
            assert _context(window, at, length) == max(_context(w, at, length) for w in seeing)


@given(CUTS, st.integers(0, 2**32 - 1))
def test_what_looks_half_the_overlap_far_sees_no_windows(
    cut: tuple[int, int, int], seed: int
) -> None:
    length, size, overlap = cut
    values = np.random.default_rng(seed).integers(0, 100, length).astype(np.int16)
    windows = cut_windows(length, size=size, overlap=overlap)
    results = [_sums(values[w.start : w.end], overlap // 2) for w in windows]
    assert stitch(windows, results).tolist() == _sums(values, overlap // 2).tolist()


@st.composite
def lines(draw: st.DrawFn) -> tuple[int, int, int, list[int]]:
    """Length, size, an overlap of at most a quarter of it, and places where lines begin."""
    length, size = draw(st.integers(1, 200)), draw(st.integers(1, 24))
    breaks = draw(st.sets(st.integers(1, max(1, length - 1)), max_size=60))
    return length, size, draw(st.integers(0, size // 4)), sorted(breaks)


@given(lines())
def test_windows_at_line_ends_answer_for_every_position_once(
    cut: tuple[int, int, int, list[int]],
) -> None:
    length, size, overlap, breaks = cut
    windows = cut_windows(length, size=size, overlap=overlap, breaks=breaks)
    answered = [at for window in windows for at in range(window.kept_start, window.kept_end)]
    assert answered == list(range(length))
    assert all(w.start <= w.kept_start < w.kept_end <= w.end for w in windows)
    assert all(w.end - w.start <= size for w in windows)
    assert all(after.start >= w.end - overlap for w, after in pairwise(windows))


@given(lines())
def test_a_position_sees_the_end_of_its_line_or_half_the_overlap(
    cut: tuple[int, int, int, list[int]],
) -> None:
    length, size, overlap, breaks = cut
    edges = [0, *breaks, length]
    for window in cut_windows(length, size=size, overlap=overlap, breaks=breaks):
        for at in range(window.kept_start, window.kept_end):
            left = max(edge for edge in edges if edge <= at)
            right = min(edge for edge in edges if edge > at)
            assert left >= window.start or at - window.start >= overlap // 2
            assert right <= window.end or window.end - 1 - at >= overlap // 2


@given(lines())
def test_a_window_ends_at_a_line_end_if_its_last_quarter_has_one(
    cut: tuple[int, int, int, list[int]],
) -> None:
    length, size, overlap, breaks = cut
    for window in cut_windows(length, size=size, overlap=overlap, breaks=breaks)[:-1]:
        full = window.start + size
        least = max(full - size // 4, window.start + overlap + 1)
        assert window.end == max([at for at in breaks if least <= at <= full], default=full)


def _context(window: Window, at: int, length: int) -> int:
    left = at - window.start if window.start else length
    right = window.end - 1 - at if window.end < length else length
    return min(left, right)


def _sums(values: NDArray[np.int16], reach: int) -> NDArray[np.int16]:
    near = [values[max(0, at - reach) : at + reach + 1].sum() for at in range(len(values))]
    return np.array(near, dtype=np.int16)
