import numpy as np
import pytest

from deidstream.models.neural.packing import Window, cut_windows, stitch


def test_nothing_has_no_window() -> None:
    assert cut_windows(0, size=8, overlap=2) == ()


def test_what_fits_is_one_window() -> None:
    assert cut_windows(8, size=8, overlap=2) == (Window(0, 8, 0, 8),)


def test_the_last_window_may_be_short() -> None:
    assert cut_windows(9, size=8, overlap=4) == (Window(0, 8, 0, 6), Window(4, 9, 6, 9))


def test_windows_without_overlap_meet() -> None:
    assert cut_windows(5, size=2, overlap=0) == (
        Window(0, 2, 0, 2),
        Window(2, 4, 2, 4),
        Window(4, 5, 4, 5),
    )


@pytest.mark.parametrize(("length", "size", "overlap"), [(-1, 4, 0), (5, 4, 4), (5, 4, -1)])
def test_what_cannot_be_cut_is_refused(length: int, size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="cannot be cut"):
        cut_windows(length, size=size, overlap=overlap)


def test_each_row_comes_from_its_own_window() -> None:
    windows = cut_windows(9, size=8, overlap=4)
    results = [
        np.full((window.end - window.start, 2), number, dtype=np.int16)
        for number, window in enumerate(windows)
    ]
    assert stitch(windows, results)[:, 0].tolist() == [0] * 6 + [1] * 3
