"""Cut the capitalised words of a text, and say of each what it may be as part of a name."""

import re
from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

import re2

from deidstream.models.phi.dates.calendar import MONTH_OF
from deidstream.models.phi.gazetteers import Kind
from deidstream.models.phi.names.stops import STOPS
from deidstream.models.phi.not_phi import abbreviations, common_words
from deidstream.models.text.folding import fold_short
from deidstream.models.text.outline import MARK, outline
from deidstream.models.text.titles import KEPT
from deidstream.models.time_budget import within_time

_WORD = re.compile(rf"[A-Z][A-Za-z{MARK}]*(?:['-][A-Za-z][A-Za-z{MARK}]*)*")
"""In the outline of a text: a capital, letters and their marks, and more of them joined."""
_CHECKED = 64
"""Words between two looks at the clock."""
_NAMELIKE = re2.compile(
    r"(?:(?:Mc|Mac|De|Di|La|Le|Van|Von|O['\x{2019}]|D['\x{2019}])?\p{Lu}[\p{Ll}\p{M}'\x{2019}]{2,}-?)+"
)
"""An unknown word written as names are: no capitals inside but at the start of a part."""
_YEAR_BEHIND = re.compile(r",? (?:19|20)\d\d\b")
"""Behind a month, which is no name then: ``MI March 2006``."""
_LONGEST_GAP = 2
_POSSESSIVES = ("'s", "\u2019s", "'S")
_PLACE = Kind.LARGE_CITY | Kind.STATE | Kind.COUNTRY


class NameWordSort(Enum):
    """The uses of a capitalised word."""

    GIVEN = auto()
    SURNAME = auto()
    DOUBTFUL_GIVEN = auto()
    """Also an ordinary word or a place."""
    DOUBTFUL_SURNAME = auto()
    CAPITAL_SURNAME = auto()
    """A doubtful surname in capitals."""
    UNLISTED = auto()
    """On no list, and written as names are."""
    CAPITAL_UNLISTED = auto()
    """On no list, in capitals."""
    INITIAL = auto()
    NO_NAME = auto()


class WordGap(Enum):
    """The characters between a word and the capitalised word before it."""

    SPACE = auto()
    STOP = auto()
    """A full stop and a space. In every form it may follow an initial only."""
    COMMA = auto()
    """A comma and a space."""
    OTHER = auto()


class NameWord(NamedTuple):
    """A capitalised word."""

    start: int
    end: int
    sort: NameWordSort
    gap: WordGap
    """Before it."""


def cut_name_words(text: str, kinds: Mapping[tuple[int, int], int]) -> list[NameWord]:
    """Cut the capitalised words of a text, in order.

    Args:
        text: The text of a note.
        kinds: What each word of the gazetteers may be, by its place.
    """
    found: list[NameWord] = []
    behind = 0
    for match in within_time(_WORD.finditer(outline(text)), every=_CHECKED):
        start, end = match.span()
        if text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
            continue
        word = text[start:end]
        if word.endswith(_POSSESSIVES):
            word, end = word[:-2], end - 2
        dated = word.lower() in MONTH_OF and _YEAR_BEHIND.match(text, match.end())
        sort = NameWordSort.NO_NAME if dated else _sort(word, _kind(word, start, kinds))
        found.append(NameWord(start, end, sort, _gap(text[behind:start])))
        behind = end
    return found


def _kind(word: str, start: int, kinds: Mapping[tuple[int, int], int]) -> int:
    # Of a double name each half may be listed, seldom both together.
    end = start + len(word)
    whole = kinds.get((start, end), 0)
    if whole or "-" not in word:
        return whole
    half = start + word.index("-")
    first, last = kinds.get((start, half), 0), kinds.get((half + 1, end), 0)
    # Stanford-Binet and Dall-Miles are two persons of science, and Anne-Marie is one.
    return (first | last) & ~(Kind.GIVEN & ~(first & last))


def _sort(word: str, kind: int) -> NameWordSort:
    if len(word) == 1:
        return NameWordSort.INITIAL
    form = word.lower() if word.isascii() else fold_short(word)
    plain = form in common_words()
    # Most capitalised words begin a sentence or a heading.
    ordinary = plain and not kind
    if (
        ordinary
        or _has_small_part(word)
        or _is_numbered(word)
        or (word.isupper() and form in abbreviations())
    ):
        return NameWordSort.NO_NAME
    given, surname = bool(kind & Kind.GIVEN), bool(kind & Kind.SURNAME)
    if form in STOPS or form in KEPT:
        return NameWordSort.DOUBTFUL_SURNAME if surname else NameWordSort.NO_NAME
    if plain or kind & _PLACE:
        return _doubtful_sort(given=given, surname=surname, capitals=word.isupper())
    if given:
        return NameWordSort.GIVEN
    return NameWordSort.SURNAME if surname else _unlisted_sort(word)


def _doubtful_sort(*, given: bool, surname: bool, capitals: bool) -> NameWordSort:
    if surname and capitals:
        return NameWordSort.CAPITAL_SURNAME
    if given:
        return NameWordSort.DOUBTFUL_GIVEN
    return NameWordSort.DOUBTFUL_SURNAME if surname else NameWordSort.NO_NAME


def _unlisted_sort(word: str) -> NameWordSort:
    if word.isupper():
        return NameWordSort.CAPITAL_UNLISTED
    return NameWordSort.UNLISTED if _NAMELIKE.fullmatch(word) else NameWordSort.NO_NAME


def _has_small_part(word: str) -> bool:
    return "-" in word and any(part[:1].islower() for part in word.split("-"))


def _is_numbered(word: str) -> bool:
    """Return whether a word is capitals with small letters behind them: ``IVa``, ``DOTs``."""
    return word[:2].isalpha() and word[:2].isupper() and not word.isupper()


def _gap(between: str) -> WordGap:
    if between == " ":  # mostly
        return WordGap.SPACE
    long = not 0 < len(between) <= _LONGEST_GAP or between == "  "
    if long or "\n" in between.replace(" ", "")[1:]:
        return WordGap.OTHER
    return _GAPS.get(between.strip(), WordGap.OTHER)


_GAPS = {"": WordGap.SPACE, ".": WordGap.STOP, ",": WordGap.COMMA}
