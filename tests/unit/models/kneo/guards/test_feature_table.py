import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.kneo.guards.feature_table import FeatureTable
from deidstream.models.kneo.guards.features import read_features

PIECES = ["no", "fever", "left", "5", "mg", "aspirin", "held", "but", ",", "he"]
sentences = st.lists(st.lists(st.sampled_from(PIECES)).map(" ".join), max_size=8)


@given(sentences)
def test_a_row_has_the_features_of_its_sentence(texts: list[str]) -> None:
    table = FeatureTable.read(texts)
    assert [table.row(number) for number in range(len(texts))] == [*map(read_features, texts)]


@given(sentences)
def test_what_is_stored_is_read_again(texts: list[str]) -> None:
    table = FeatureTable.read(texts)
    parsed = FeatureTable.parse(table.flatten(), len(texts))
    assert [parsed.row(number) for number in range(len(texts))] == [*map(read_features, texts)]


@pytest.mark.parametrize("change", [-1, 1])
def test_an_array_of_another_length_is_refused(change: int) -> None:
    stored = FeatureTable.read(["no fever", "5 mg aspirin"]).flatten()
    with pytest.raises(ValueError, match=r"damaged|lengths"):
        FeatureTable.parse(np.resize(stored, len(stored) + change), 2)


def test_a_row_beyond_the_last_is_refused() -> None:
    with pytest.raises(IndexError):
        FeatureTable.read(["one"]).row(1)
