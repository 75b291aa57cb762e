"""Entities are the characters that they mean, and are written as a text writes them."""

import pytest

from deidstream.models.text.html_entities import find_entities, read_spellings, write_entities


def meant(text: str) -> list[str]:
    return [entity.meant for entity in find_entities(text)]


def test_names_and_numbers_mean_characters() -> None:
    text = "O&apos;Brien Nu&ntilde;ez &#39; &#x00e9; &nbsp; &lt;"
    assert meant(text) == ["'", "\u00f1", "'", "\u00e9", "\u00a0", "<"]


@pytest.mark.parametrize(
    "text", ["R&D;", "a & b;", "&unknownname;", "&#0;", "&#xD800;", "&#9999999;", "?a=1&copy=2"]
)
def test_what_means_nothing_is_text(text: str) -> None:
    assert meant(text) == []


def test_characters_are_written_as_the_text_writes_them() -> None:
    spellings = read_spellings("&ntilde; &#39; &apos; &nbsp; &#65; &amp;")
    assert spellings == {"\u00f1": "&ntilde;", "'": "&#39;", "&": "&amp;"}
    assert write_entities("Pe\u00f1a's A & b", spellings) == "Pe&ntilde;a&#39;s A &amp; b"
