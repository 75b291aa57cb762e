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


def test_a_row_beyond_the_last_is_refused() -> None:
    with pytest.raises(IndexError):
        FeatureTable.read(["one"]).row(1)
