"""The area under the ROC curve against the count of pairs."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.study.scoring.auc import measure_auc

SCORES = st.lists(st.integers(0, 5).map(float), min_size=2, max_size=12)


@given(higher=SCORES, lower=SCORES)
def test_it_is_the_share_of_ordered_pairs(higher: Sequence[float], lower: Sequence[float]) -> None:
    won = sum((a > b) + (a == b) / 2 for a in higher for b in lower)
    auc = measure_auc(higher, lower)
    assert auc.area == pytest.approx(won / (len(higher) * len(lower)))
    assert 0 <= auc.low <= auc.area + 1e-12
    assert auc.area - 1e-12 <= auc.high <= 1


def test_the_interval_is_that_of_delong() -> None:
    auc = measure_auc([0.9, 0.8, 0.35], [0.7, 0.3, 0.1, 0.05])
    # Shares of the others below each: 1, 1, 3/4; of those above each: 2/3, 1, 1, 1.
    variance = (1 / 48) / 3 + (1 / 36) / 4
    assert auc.area == pytest.approx(11 / 12)
    assert auc.area - auc.low == pytest.approx(1.959964 * variance**0.5, abs=1e-6)
    assert auc.high == 1
