"""Find names of persons among the words of the name lists, by the words beside them.

Every capitalised word gets a sort: what it may be. The forms of names are sequences of sorts and of
the gaps between the words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

import re2

from deidstream.models.phi.gazetteers import Kind
from deidstream.models.phi.names.name_cues import DEGREE
from deidstream.models.phi.names.stops import STOPS
from deidstream.models.phi.not_phi import abbreviations, common_words
from deidstream.models.text.context import follows_title, last_word, next_word
from deidstream.models.text.eponyms import EVIDENT_HEADS
from deidstream.models.text.folding import fold_short
from deidstream.models.text.outline import MARK, outline
from deidstream.models.text.titles import KEPT, PHYSICIANS
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.schemas.time_budget import within_time

_WORD = re.compile(rf"[A-Z][A-Za-z{MARK}]*(?:['-][A-Za-z][A-Za-z{MARK}]*)*")
"""In the outline of a text: a capital, letters and their marks, and more of them joined."""
_BACK, _AHEAD, _CHECKED = 32, 12, 64
"""Characters beside a word that are read; words between two looks at the clock."""
_NAMELIKE = re2.compile(
    r"(?:(?:Mc|Mac|De|Di|La|Le|Van|Von|O['\x{2019}]|D['\x{2019}])?\p{Lu}[\p{Ll}\p{M}'\x{2019}]{2,}-?)+"
)
"""An unknown word written as names are: no capitals inside but at the start of a part."""
_LONGEST_GAP = 2
_MOST_GAPS = 1024
_POSSESSIVES = ("'s", "\u2019s", "'S")
_CODE_LETTERS = range(2, 4)
"""Letters of a word in capitals that is rather an abbreviation than a name."""
_PLACE = Kind.LARGE_CITY | Kind.STATE | Kind.COUNTRY
_CREDENTIAL = re2.compile(rf"^,? ?\(?(?:{DEGREE}|P\.?A|PT|OT|PGY)\b")
_STAFF_WORDS = """
nurse attending by surgeon physician provider resident intern fellow
consultant signed pcp radiologist pathologist cardiologist anesthesiologist therapist pharmacist
technologist transcribed dictated cosigned interpreter cc hospitalist registrar gp midwife
"""
_STAFF = PHYSICIANS | frozenset(_STAFF_WORDS.split())
_KIN_WORDS = """
wife husband son daughter mother father mom dad mum sister brother aunt uncle cousin niece nephew
grandmother grandfather grandson granddaughter grandma grandpa partner fiance fiancee girlfriend
boyfriend spouse twin stepson stepdaughter stepfather stepmother neighbor neighbour roommate
guardian named friend caregiver
"""
_KIN = frozenset(_KIN_WORDS.split())


class _Sort(Enum):
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


class _Gap(Enum):
    """The characters between a word and the capitalised word before it."""

    SPACE = auto()
    STOP = auto()
    """A full stop and a space. In every form it may follow an initial only."""
    COMMA = auto()
    """A comma and a space."""
    OTHER = auto()


class _Word(NamedTuple):
    start: int
    end: int
    sort: _Sort
    gap: _Gap
    """Before it."""


@dataclass(frozen=True, slots=True)
class _Step:
    """Words of a form that are of the same sorts, as many as there are up to ``most``."""

    sorts: tuple[_Sort, ...]
    gaps: tuple[_Gap, ...] = (_Gap.SPACE,)
    fewest: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class _Form:
    """A form of names. No word fits two steps in a row, so that nothing has to be tried again."""

    name: str
    score: float
    first: tuple[_Sort, ...]
    steps: tuple[_Step, ...]


_MANY = 99
_ANY_NAME = tuple(sort for sort in _Sort if sort not in {_Sort.INITIAL, _Sort.NO_NAME})
_LISTED_OR_NOT = (_Sort.SURNAME, _Sort.UNLISTED)
_INITIALS = _Step((_Sort.INITIAL,), fewest=0, most=_MANY)
_SPACE_OR_STOP = (_Gap.SPACE, _Gap.STOP)
_FORMS = (
    _Form(
        "forward",
        0.85,
        (_Sort.GIVEN,),
        (_INITIALS, _Step(_ANY_NAME, _SPACE_OR_STOP), _Step(_LISTED_OR_NOT, fewest=0)),
    ),
    _Form(
        "hesitant",
        0.8,
        (_Sort.DOUBTFUL_GIVEN,),
        (_INITIALS, _Step(_LISTED_OR_NOT, _SPACE_OR_STOP)),
    ),
    _Form(
        "initials",
        0.75,
        (_Sort.INITIAL,),
        (
            _Step((_Sort.INITIAL,), _SPACE_OR_STOP, fewest=0),
            _Step((_Sort.GIVEN, *_LISTED_OR_NOT), (_Gap.STOP,)),
            _Step((_Sort.SURNAME,), fewest=0),
        ),
    ),
    _Form(
        "inverted",
        0.85,
        (*_LISTED_OR_NOT, _Sort.GIVEN, _Sort.CAPITAL_SURNAME, _Sort.CAPITAL_UNLISTED),
        (
            _Step((_Sort.GIVEN, _Sort.DOUBTFUL_GIVEN), (_Gap.COMMA,)),
            _Step((_Sort.GIVEN, _Sort.SURNAME, _Sort.INITIAL), fewest=0, most=2),
        ),
    ),
    _Form("unlisted", 0.6, _LISTED_OR_NOT, (_INITIALS, _Step(_LISTED_OR_NOT, _SPACE_OR_STOP))),
)


def find_people(text: str, kinds: Mapping[tuple[int, int], int]) -> Iterator[Span]:
    """Find names of persons; ``kinds`` says what each word of the gazetteers may be.

    A name needs support: a given name beside a surname in either order, initials before a surname,
    a title or a word of kinship before either. A given name that is no ordinary word, eponym or
    abbreviation counts alone too, at 0.5. Sources: ``dictionary:person.forward`` and so on.
    """
    words = _cut_words(text, kinds)
    named = [at for at, word in enumerate(words) if word.sort is not _Sort.NO_NAME]
    for form in _FORMS:
        for run in _find_runs(form, words, named):
            name = _drop_abbreviation(text, run)
            if len(name) > 1:
                yield _span(text, name[0].start, name[-1].end, (form.name, form.score))
    yield from _find_supported_names(text, words)


def _find_runs(
    form: _Form, words: Sequence[_Word], named: Sequence[int]
) -> Iterator[Sequence[_Word]]:
    """Cut out the words that have the form; no word is in two runs, and each begins at a name."""
    free = 0
    for at in named:
        if at >= free and words[at].sort in form.first:
            end = _end_of_match(form, words, at)
            if end:
                yield words[at:end]
                free = end


def _end_of_match(form: _Form, words: Sequence[_Word], first: int) -> int:
    """Return the place behind the last word of the form; 0 if the words do not have it."""
    at = first + 1
    for step in form.steps:
        taken = 0
        while taken < step.most and at < len(words) and _fits_step(step, words[at - 1], words[at]):
            taken += 1
            at += 1
        if taken < step.fewest:
            return 0
    return at


def _fits_step(step: _Step, before: _Word, word: _Word) -> bool:
    if word.sort not in step.sorts or word.gap not in step.gaps:
        return False
    return word.gap is not _Gap.STOP or before.sort is _Sort.INITIAL


def _drop_abbreviation(text: str, run: Sequence[_Word]) -> Sequence[_Word]:
    # Beside a name in mixed case, an unknown word in capitals is an abbreviation.
    first, last = (text[word.start : word.end] for word in (run[0], run[-1]))
    shouted = last.isupper() and len(last) > 1 and not first.isupper()
    return run[:-1] if shouted or (last.isupper() and len(last) in _CODE_LETTERS) else run


def _cut_words(text: str, kinds: Mapping[tuple[int, int], int]) -> list[_Word]:
    found: list[_Word] = []
    behind = 0
    for match in within_time(_WORD.finditer(outline(text)), every=_CHECKED):
        start, end = match.span()
        if text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
            continue
        word = text[start:end]
        if word.endswith(_POSSESSIVES):
            word, end = word[:-2], end - 2
        sort = _sort(word, _kind(word, start, kinds))
        found.append(_Word(start, end, sort, _gap(text[behind:start])))
        behind = end
    return found


def _kind(word: str, start: int, kinds: Mapping[tuple[int, int], int]) -> int:
    # Of a double name each half may be listed, seldom both together.
    end = start + len(word)
    whole = kinds.get((start, end), 0)
    if whole or "-" not in word:
        return whole
    half = start + word.index("-")
    return kinds.get((start, half), 0) | kinds.get((half + 1, end), 0)


def _sort(word: str, kind: int) -> _Sort:
    if len(word) == 1:
        return _Sort.INITIAL
    form = word.lower() if word.isascii() else fold_short(word)
    plain = form in common_words()
    # Most capitalised words begin a sentence or a heading.
    ordinary = plain and not kind
    if ordinary or _has_small_part(word) or (word.isupper() and form in abbreviations()):
        return _Sort.NO_NAME
    given, surname = bool(kind & Kind.GIVEN), bool(kind & Kind.SURNAME)
    if form in STOPS or form in KEPT:
        return _Sort.DOUBTFUL_SURNAME if surname else _Sort.NO_NAME
    if plain or kind & _PLACE:
        return _doubtful_sort(given=given, surname=surname, capitals=word.isupper())
    if given:
        return _Sort.GIVEN
    return _Sort.SURNAME if surname else _unlisted_sort(word)


def _doubtful_sort(*, given: bool, surname: bool, capitals: bool) -> _Sort:
    if surname and capitals:
        return _Sort.CAPITAL_SURNAME
    if given:
        return _Sort.DOUBTFUL_GIVEN
    return _Sort.DOUBTFUL_SURNAME if surname else _Sort.NO_NAME


def _unlisted_sort(word: str) -> _Sort:
    if word.isupper():
        return _Sort.CAPITAL_UNLISTED
    return _Sort.UNLISTED if _NAMELIKE.fullmatch(word) else _Sort.NO_NAME


def _has_small_part(word: str) -> bool:
    return "-" in word and any(part[:1].islower() for part in word.split("-"))


def _gap(between: str) -> _Gap:
    return _gap_of_few(between) if 0 < len(between) <= _LONGEST_GAP else _Gap.OTHER


@lru_cache(maxsize=_MOST_GAPS)
def _gap_of_few(between: str) -> _Gap:
    if between == "  " or "\n" in between.replace(" ", "")[1:]:
        return _Gap.OTHER
    return _GAPS.get(between.strip(), _Gap.OTHER)


_GAPS = {"": _Gap.SPACE, ".": _Gap.STOP, ",": _Gap.COMMA}


def _find_supported_names(text: str, words: Sequence[_Word]) -> Iterator[Span]:
    for word in within_time(words, every=_CHECKED):
        given = word.sort is _Sort.GIVEN
        if word.sort in _ANY_NAME and follows_title(text, word.start):
            yield _span(text, word.start, word.end, ("titled", 0.9))
        elif given and last_word(text[max(0, word.start - _BACK) : word.start]) in _KIN:
            yield _span(text, word.start, word.end, ("kin", 0.8))
        elif given and _counts_alone(text, word):
            yield _span(text, word.start, word.end, ("alone", 0.5))


def _counts_alone(text: str, word: _Word) -> bool:
    shouted = text[word.start : word.end].isupper()
    following = next_word(text, word.end)
    return not shouted and following not in EVIDENT_HEADS and not following[:1].isdigit()


def _span(text: str, start: int, end: int, form: tuple[str, float]) -> Span:
    before = last_word(text[max(0, start - _BACK) : start].rstrip(" :"))
    staff = before in _STAFF or _CREDENTIAL.search(text[end : end + _AHEAD])
    label = PhiLabel.DOCTOR if staff else PhiLabel.PATIENT
    return Span(start, end, label, form[1], f"dictionary:person.{form[0]}")
