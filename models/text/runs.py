"""Cut a text into runs of letters, of digits and of anything else, and copy its case."""

import re
import unicodedata
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from itertools import groupby

SCANNED_DIGITS = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "|": "1"})


class Sort(Enum):
    """Kind of the characters of a run."""

    LETTERS = auto()
    DIGITS = auto()
    OTHER = auto()


_APOSTROPHES = frozenset("'\u2019\u02bc`")
_ASCII_RUN = re.compile(r"([A-Za-z]+)|([0-9]+)|[^A-Za-z0-9]+")
_ASCII_SORTS = (Sort.OTHER, Sort.LETTERS, Sort.DIGITS)
"""By the number of the group that matched."""


@dataclass(frozen=True, slots=True)
class Run:
    """A longest stretch of characters of one sort."""

    sort: Sort
    text: str = field(repr=False)


@lru_cache(maxsize=4096)
def sort_of(char: str) -> Sort:
    """Sort one character; combining marks go with letters, every kind of number with digits."""
    category = unicodedata.category(char)
    if category[0] in "LM":
        return Sort.LETTERS
    return Sort.DIGITS if category[0] == "N" else Sort.OTHER


def runs(text: str) -> list[Run]:
    """Cut ``text``; the runs joined are the text.

    >>> [run.text for run in runs("4 West-7B")]
    ['4', ' ', 'West', '-', '7', 'B']
    """
    if text.isascii():
        return [Run(_ASCII_SORTS[m.lastindex or 0], m[0]) for m in _ASCII_RUN.finditer(text)]
    return [Run(sort, "".join(chars)) for sort, chars in groupby(text, sort_of)]


def words(text: str) -> list[Run]:
    """Cut ``text`` so that letters hold together over inner apostrophes (``O'Brien``)."""
    cut = runs(text)
    if _APOSTROPHES.isdisjoint(text):
        return cut
    groups: list[tuple[Sort, list[str]]] = []
    for place, run in enumerate(cut):
        if groups and _joins(cut, place):
            groups[-1][1].append(run.text)
        else:
            groups.append((run.sort, [run.text]))
    return [Run(sort, "".join(texts)) for sort, texts in groups]


def join_touching(cut: list[Run]) -> list[str]:
    """Join letters and digits that touch.

    >>> join_touching(runs("Ward 7B"))
    ['Ward', ' ', '7B']
    """
    by_sort = groupby(cut, lambda run: run.sort is Sort.OTHER)
    return ["".join(run.text for run in group) for _, group in by_sort]


def _joins(cut: list[Run], place: int) -> bool:
    if place and cut[place].sort is Sort.LETTERS:
        return place > 1 and _is_apostrophe(cut[place - 1]) and cut[place - 2].sort is Sort.LETTERS
    inside = 0 < place < len(cut) - 1 and _is_apostrophe(cut[place])
    return inside and cut[place - 1].sort is cut[place + 1].sort is Sort.LETTERS


def _is_apostrophe(run: Run) -> bool:
    return run.text in _APOSTROPHES


def read_scanned_digits(text: str) -> str:
    """Read letters that a scanner puts for digits as digits, if nothing else is in ``text``.

    >>> read_scanned_digits("2O24"), read_scanned_digits("Ol"), read_scanned_digits("Bo")
    ('2024', '01', 'Bo')
    """
    read = text.translate(SCANNED_DIGITS)
    return read if read.isascii() and read.isdigit() else text


def safe_separators(text: str) -> str:
    """Keep spaces and punctuation; drop symbols and controls, which may spell something."""
    return "".join(c for c in text if c in "^\n\r\t" or unicodedata.category(c)[0] in "PZ")


_SHORTEST_SCANNED = 4


def recase(surrogate: str, like: str) -> str:
    """Copy the case pattern of ``like``: upper, lower, or as the surrogate comes.

    >>> recase("McKee", "ORR"), recase("McKee", "orr"), recase("McKee", "Orr")
    ('MCKEE', 'mckee', 'McKee')
    """
    if _is_upper(like) and sum(map(str.isalpha, like)) > 1:
        return surrogate.upper()
    return surrogate.lower() if like.islower() else surrogate


def _is_upper(like: str) -> bool:
    # A scanner reads a capital I as a small l.
    return like.isupper() or (len(like) > _SHORTEST_SCANNED and like.replace("l", "I").isupper())


def recase_char(surrogate: str, like: str) -> str:
    """Copy the case of one letter; scripts without case give upper case."""
    return surrogate.lower() if like.islower() else surrogate.upper()
