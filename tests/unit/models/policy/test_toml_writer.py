"""What is written as TOML reads back as it was."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.policy.toml_writer import write_toml

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_plain = _texts | st.integers(-(2**60), 2**60) | st.booleans() | st.floats(-1e9, 1e9)
_values = _plain | st.lists(_plain, max_size=3)
_tables = st.dictionaries(
    st.sampled_from(["technique", "deny", "a.b", "ä", "", "HOSPITAL"]),
    _values | st.dictionaries(st.sampled_from(["x", "st.anne", "y z"]), _values, max_size=3),
    max_size=5,
)


@given(_tables)
def test_tables_read_back(table: dict[str, object]) -> None:
    assert tomllib.loads(write_toml(table)) == table


def test_other_values_are_refused() -> None:
    with pytest.raises(TypeError):
        write_toml({"a": None})
