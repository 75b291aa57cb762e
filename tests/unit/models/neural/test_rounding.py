import numpy as np
import pytest

from deidstream.models.neural.quantization import Range
from deidstream.models.neural.rounding import LEVELS, Levels, RoundedRows, list_divisors


@pytest.mark.parametrize(("low", "high"), [(-1.0, 3.0), (0.0, 2.0), (-2.0, 0.0), (0.5, 1.0)])
def test_zero_is_a_level_and_the_range_is_covered(low: float, high: float) -> None:
    levels = Levels.of_range(Range(low, high))
    assert 0 <= levels.zero < LEVELS
    assert abs(levels.low - min(low, 0)) <= levels.step / 2 + 1e-9
    assert abs(levels.high - max(high, 0)) <= levels.step / 2 + 1e-9


def test_an_empty_range_has_levels_too() -> None:
    assert Levels.of_range(Range(0, 0)) == Levels(1.0, 0)


@pytest.mark.parametrize("greatest", [63, 127])
def test_rows_are_rounded_by_their_own_steps(greatest: int) -> None:
    weight = np.random.default_rng(0).normal(size=(5, 40)).astype(np.float32)
    weight[3] = 0
    weight[4] *= 100
    rows = RoundedRows.of_weight(weight, greatest)
    assert np.abs(rows.values).max(axis=1).tolist() == [greatest] * 3 + [0, greatest]
    assert (np.abs(rows.values * rows.steps - weight) <= rows.steps / 2 + 1e-6).all()


def test_only_outliers_are_divided() -> None:
    assert list_divisors(Range(-1, 1, {2: 1.5}), 4).tolist() == [1, 1, 1.5, 1]
