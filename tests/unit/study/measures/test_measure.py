"""Intervals of figures."""

import pytest

from deidstream.study.measures.measure import mean_of, share_of


def test_a_share_has_wilsons_interval() -> None:
    figure = share_of(8, 10)
    assert figure is not None
    assert (figure.value, figure.of) == (0.8, 10)
    assert figure.low == pytest.approx(0.490, abs=1e-3)
    assert figure.high == pytest.approx(0.943, abs=1e-3)
    assert share_of(0, 0) is None


def test_a_mean_has_that_of_the_normal_distribution() -> None:
    figure = mean_of([0.0, 1.0, 1.0, 0.0])
    assert figure is not None
    # The standard deviation is sqrt(1/3).
    assert figure.value == 0.5
    assert figure.high == pytest.approx(0.5 + 1.96 * (1 / 3) ** 0.5 / 2, abs=1e-3)
    assert mean_of([]) is None


def test_a_single_value_has_no_interval() -> None:
    figure = mean_of([0.25])
    assert figure is not None
    assert (figure.value, figure.low, figure.high) == (0.25, None, None)
