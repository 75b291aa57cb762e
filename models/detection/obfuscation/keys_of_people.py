"""Tell keys and columns that name people from those that name fields."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from deidstream.models.phi.names.identity import share_of
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.machine_marks import Mark
from deidstream.models.text.word_files import lines

_WORD = re.compile(r"[^\W\d_]+?(?=[A-Z][a-z]|[\W\d_]|$)|[^\W\d_]+")
_SHORT = 4
"""So many letters are the abbreviation of a field, if they are no name."""
_LEAST = 3
"""So many letters has a word that says what a value is."""
_COMMON_PERCENT = 0.01
"""A name that is an ordinary word besides names a person if it is so common."""


def drop_people(marks: Iterable[Mark]) -> list[Mark]:
    """Return the marks whose names are of fields.

    A word is of a field if it is ordinary, short or of FHIR, or if its key stands in several
    objects; a name that is no ordinary word never is. Beside such names a name that is one too
    (``grace``) may be a person. A value that a program chose is known by an ordinary word in it.
    """
    found = list(marks)
    times = Counter[str]()
    for mark in found:
        times[mark.name] += mark.values
    del times[""]
    words = {name: _words(name) for name in times}
    people = any(_is_name(word) and word not in _fields() for name in words for word in words[name])
    fields = {
        name
        for name, count in times.items()
        if (count or _says_ordinary(words[name]))
        and all(_is_of_field(word, people=people, repeated=count != 1) for word in words[name])
    }
    return [mark for mark in found if not mark.name or mark.name in fields]


def _says_ordinary(words: Iterable[str]) -> bool:
    """Return whether a word says something and is no name, or a rare one."""
    known = (word for word in words if len(word) >= _LEAST and word in common_words())
    return any(share_of(word) < _COMMON_PERCENT for word in known)


def _is_of_field(word: str, *, people: bool, repeated: bool) -> bool:
    if _is_name(word):
        return word in _fields() and not (people and share_of(word) >= _COMMON_PERCENT)
    return repeated or len(word) <= _SHORT or word in _fields()


def _is_name(word: str) -> bool:
    return share_of(word) > 0


def _words(name: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(name)]


@lru_cache(maxsize=1)
def _fields() -> frozenset[str]:
    """Return the ordinary words, and those of the names of FHIR's elements."""
    elements = (line.split()[0] for line in lines("fhir.elements.txt"))
    return common_words().union(*map(_words, elements))
