import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from deidstream.models.recognizers.label_scores import (
    COLUMNS,
    COUNT,
    LABELS,
    WHOLE,
    Meanings,
    Thousandths,
    sum_by_label,
)
from deidstream.schemas.label import PhiLabel

DATE = 1 + LABELS.index(PhiLabel.DATE)
OUTPUTS = st.lists(st.tuples(st.integers(0, COUNT), st.booleans()), min_size=1, max_size=60)


def test_outputs_of_one_label_are_summed_and_rounded() -> None:
    outputs = np.array([[0.5, 0.2504, 0.2496]], dtype=np.float32)
    scores = sum_by_label(outputs, Meanings((0, DATE, DATE), (False, True, False)))
    assert scores[0, [0, DATE, DATE + COUNT]].tolist() == [500, 500, 250]
    assert scores.sum() == 1250


def test_an_answer_that_is_no_number_is_not_read_as_no_phi() -> None:
    outputs = np.array([[0.5, 0.5, 0], [np.nan] * 3], dtype=np.float32)
    with pytest.raises(ValueError, match="NaN"):
        sum_by_label(outputs, Meanings((0, DATE, DATE), (False, True, False)))


@given(OUTPUTS, st.integers(0, 6), st.integers(0, 2**32 - 1))
def test_outputs_of_one_label_are_added_in_their_order(
    outputs: list[tuple[int, bool]], pieces: int, seed: int
) -> None:
    labels, begins = zip(*outputs, strict=True)
    meanings = Meanings(labels, begins)
    shares = np.random.default_rng(seed).dirichlet([0.05] * len(outputs), pieces)
    probabilities = shares.astype(np.float32).reshape(pieces, len(outputs))
    summed = sum_by_label(probabilities, meanings)
    assert summed.tolist() == _sum_one_by_one(probabilities, meanings).tolist()


def _sum_one_by_one(probabilities: NDArray[np.float32], meanings: Meanings) -> Thousandths:
    sums = np.zeros((COLUMNS, len(probabilities)), dtype=np.float32)
    for output, (label, begins) in enumerate(zip(meanings.labels, meanings.begins, strict=True)):
        sums[label] += probabilities[:, output]
        if label and begins:
            sums[COUNT + label] += probabilities[:, output]
    sums[0] = 1 - sums[0]
    rounded: Thousandths = np.rint(sums.T * WHOLE).clip(0, WHOLE).astype(np.int16)
    return rounded
