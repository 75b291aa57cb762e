"""Files of terms under headings."""

import pytest

from deidstream.models.text.word_files import cut_groups, write_groups


def test_groups_are_read_as_they_were_written() -> None:
    text = write_groups("# Why.\n", {"b": {"two words", "#1"}, "a c": ["x"]})
    assert text == "# Why.\n[a c]\nx\n[b]\n#1\ntwo words\n"
    assert list(cut_groups(text)) == [("a c", ["x"]), ("b", ["#1", "two words"])]


@pytest.mark.parametrize("term", ["[x]", "one\ntwo"])
def test_a_term_that_would_be_read_otherwise_is_not_written(term: str) -> None:
    with pytest.raises(ValueError, match="heading"):
        write_groups("", {"a": [term]})
