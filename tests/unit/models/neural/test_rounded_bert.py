import numpy as np
import torch

from deidstream.models.neural.quantization import Range
from deidstream.models.neural.rounded_bert import GREATEST, RoundedProduct
from deidstream.models.neural.rounding import LEVELS, Levels, RoundedRows

RANGE = Range(-1.5, 2.0, {1: 3.0, 7: 1.25})


def test_a_product_is_that_of_rounded_states_and_weights_and_of_exact_outliers() -> None:
    drawn = np.random.default_rng(0)
    weight = drawn.normal(size=(24, 40)).astype(np.float32)
    bias = drawn.normal(size=24).astype(np.float32)
    # Beyond the range too: such values are cut to it.
    states = drawn.normal(scale=2, size=(3, 8, 40)).astype(np.float32)
    product = RoundedProduct.of_weights(RANGE, (weight, bias))
    given = product(torch.from_numpy(states)).numpy()

    outlying, levels = sorted(RANGE.outliers), Levels.of_range(RANGE)
    usual = weight.copy()
    usual[:, outlying] = 0
    rows = RoundedRows.of_weight(usual, GREATEST)
    places = np.rint(states / levels.step + levels.zero).clip(0, LEVELS - 1) - levels.zero
    rounded = (places * levels.step) @ (rows.values * rows.steps).T.astype(np.float64)
    expected = rounded + states[..., outlying] @ weight[:, outlying].T + bias
    assert given.shape == expected.shape
    # A value halfway between two levels may fall to either.
    assert np.abs(given - expected).max() < 2 * levels.step * np.abs(usual).max()
    assert np.abs(given - expected).mean() < 1e-4
