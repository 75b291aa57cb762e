"""Read the one list of credentials behind names of persons, with a set for each use."""

from deidstream.models.text.word_files import lines

_MARKS = {word: frozenset(marks) for word, *marks in map(str.split, lines("names.credentials.txt"))}


def _marked(mark: str) -> tuple[str, ...]:
    return tuple(word for word, marks in _MARKS.items() if mark in marks)


def _lowered(mark: str) -> frozenset[str]:
    return frozenset(map(str.lower, _marked(mark)))


CREDENTIALS = frozenset(map(str.lower, _MARKS))
"""Every credential, in lower case."""
KEPT_CREDENTIALS = _lowered("kept")
"""Credentials that the name operator leaves as they are."""
CAPITAL_CREDENTIALS = _lowered("capitals")
"""Credentials only in capitals, in a name that is not: Do and Pa are surnames too."""
EVIDENT = _marked("degree")
"""Credentials before which a name stands, as they are written."""
STATE_CODES = frozenset(_marked("state"))
"""Credentials that are also the code of a state."""
NEVER_NAMES = CREDENTIALS - _lowered("name")
"""Credentials that are no name themselves."""
ENDING = CREDENTIALS - _lowered("run")
"""Credentials that end a run of name words."""
