"""Read the one list of titles of persons, with a set for each use.

It is here, below ``phi``, as the context of a match is read by it too.
"""

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
LEFT_OUT = _words_with("left-out")
"""Titles that rules leave out of a name even where they take words as they come."""
NEVER_NAMES = TITLES - _words_with("name")
"""Titles that are no name themselves."""
KEPT = TITLES - _words_with("replaced")
"""Titles that the name operator leaves as they are."""
