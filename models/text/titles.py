"""Read the one list of titles of persons, with a set for each use.

It is here, below ``phi``, as the context of a match is read by it too.
"""

from deidstream.models.text.word_files import lines

_MARKS = {word: frozenset(marks) for word, *marks in map(str.split, lines("names.titles.txt"))}


def _marked(mark: str) -> frozenset[str]:
    return frozenset(word for word, marks in _MARKS.items() if mark in marks)


TITLES = frozenset(_MARKS)
"""Every title, in lower case and without full stop."""
ABBREVIATED = _marked("abbreviated")
"""Titles after which a full stop does not end the sentence."""
EVIDENT = TITLES - _marked("doubtful")
"""Titles that are evidence for a name behind them."""
BEFORE_SURNAME = _marked("surname")
"""Titles after which a name alone is a surname."""
LEFT_OUT = _marked("left-out")
"""Titles that rules leave out of a name even where they take words as they come."""
NEVER_NAMES = TITLES - _marked("name")
"""Titles that are no name themselves."""
KEPT = TITLES - _marked("replaced")
"""Titles that the name operator leaves as they are."""
