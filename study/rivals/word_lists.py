"""The words of the lists that ship, for the dictionary features of a conditional random field."""

import re
from functools import cache
from types import MappingProxyType
from typing import Final

from deidstream.models.text.word_files import lines
from deidstream.study.rivals.crf import Lists

_FILES: Final = MappingProxyType(
    {
        "name": ("names.given.txt", "names.census.txt"),
        "place": ("places.cities.txt", "places.states.txt", "places.countries.txt"),
        "work": ("professions.txt",),
        "ordinary": ("lexicon.txt",),
        "drug": ("allow_drugs.txt",),
    }
)
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
"""Shorter ones are marks of the lists, or of states, and stand in every note."""


@cache
def shipped_lists() -> Lists:
    """Return the words of names, places, occupations, ordinary English and drugs."""
    return MappingProxyType(
        {
            name: frozenset(
                word
                for file in files
                for line in lines(file)
                for word in _WORD.findall(line.lower())
            )
            for name, files in _FILES.items()
        }
    )
