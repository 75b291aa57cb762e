"""Read the one list of titles of persons, with a set or a pattern for each use.

It is here, below ``phi``, as the context of a match is read by it too.
"""

from collections.abc import Set as AbstractSet

from deidstream.models.text.word_files import lines

_MARKS = {word: frozenset(marks) for word, *marks in map(str.split, lines("names.titles.txt"))}


def _words_with(mark: str) -> frozenset[str]:
    return frozenset(word for word, marks in _MARKS.items() if mark in marks)


TITLES = frozenset(_MARKS)
"""Every title, in lower case and without full stop."""
ABBREVIATED = _words_with("abbreviated")
"""Titles after which a full stop does not end the sentence."""
EVIDENT = TITLES - _words_with("doubtful")
"""Titles that are evidence for a name behind them."""
BEFORE_SURNAME = _words_with("surname")
"""Titles after which a name alone is a surname."""
BEFORE_GIVEN = _words_with("given")
"""Titles after which a name alone is a given name."""
OF_WOMEN = _words_with("woman")
"""Titles of women alone."""
OF_MEN = _words_with("man")
"""Titles of men alone."""
LEFT_OUT = _words_with("left-out")
"""Titles that rules leave out of a name even where they take words as they come."""
NEVER_NAMES = TITLES - _words_with("name")
"""Titles that are no name themselves."""
KEPT = TITLES - _words_with("replaced")
"""Titles that the name operator leaves as they are."""
PHYSICIANS = _words_with("physician")
"""Titles of physicians and professors."""
TYPED = _words_with("typed")
"""Titles that rules take in small letters before a name in small letters."""


def title_pattern(titles: AbstractSet[str], *, with_lower: bool = False) -> str:
    """Make a pattern of titles as they are written, with a capital and in capitals.

    Args:
        titles: Some of ``TITLES``; those marked ``mixed`` are not taken in capitals.
        with_lower: Take those marked ``lower`` in small letters too.
    """
    forms: set[str] = set()
    for title in titles:
        forms.add(title.capitalize())
        if "mixed" not in _MARKS[title]:
            forms.add(title.upper())
        if with_lower and "lower" in _MARKS[title]:
            forms.add(title)
    return "(?:" + "|".join(sorted(forms)) + ")"


BEFORE_NAME = title_pattern(NEVER_NAMES | LEFT_OUT)
"""A title that is left out where a field or a word of kinship announces a name."""
PERSONAL = title_pattern(TITLES - PHYSICIANS - _words_with("staff"), with_lower=True)
"""A title of anybody but staff, which is enough for a name behind it."""
