"""A word of the glossary has one meaning."""

import re
from collections import Counter
from pathlib import Path

GLOSSARY = Path(__file__).parents[2] / "docs/glossary.md"
WORDS = re.compile(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)


def list_words(text: str) -> list[str]:
    """Return the defined words; what stands in brackets tells no two of them apart."""
    cells = (cell for cell in WORDS.findall(text) if cell != "word")
    return [re.sub(r" \(.*\)$", "", word) for cell in cells for word in cell.split(", ")]


def test_each_word_is_defined_once() -> None:
    words = Counter(list_words(GLOSSARY.read_text("utf-8")))
    assert len(words) > 100
    assert [word for word, times in words.items() if times > 1] == []


def test_a_word_with_two_meanings_is_seen() -> None:
    twice = "| word | meaning | not |\n| form (note) | one | - |\n| form | another | - |\n"
    assert list_words(twice) == ["form", "form"]
