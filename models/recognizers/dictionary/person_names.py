"""Find names of persons among the words of the name lists, by the words beside them.

Every capitalised word has a sort: what it may be (``name_words``). The forms of names are
sequences of sorts and of the gaps between the words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import re2

from deidstream.models.phi.names.name_cues import DEGREE
from deidstream.models.recognizers.dictionary.name_words import (
    NameWord,
    NameWordSort,
    WordGap,
    cut_name_words,
)
from deidstream.models.text.context import follows_title, last_word, next_word
from deidstream.models.text.eponyms import EVIDENT_HEADS
from deidstream.models.text.titles import PHYSICIANS
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

_BACK, _AHEAD, _CHECKED = 32, 12, 64
"""Characters beside a word that are read; words between two looks at the clock."""
_CODE_LETTERS = range(2, 4)
"""Letters of a word in capitals that is rather an abbreviation than a name."""
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


@dataclass(frozen=True, slots=True)
class _Step:
    """Words of a form that are of the same sorts, as many as there are up to ``most``."""

    sorts: tuple[NameWordSort, ...]
    gaps: tuple[WordGap, ...] = (WordGap.SPACE,)
    fewest: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class _Form:
    """A form of names. No word fits two steps in a row, so that nothing has to be tried again."""

    name: str
    score: float
    first: tuple[NameWordSort, ...]
    steps: tuple[_Step, ...]


_MANY = 99
_ANY_NAME = tuple(
    sort for sort in NameWordSort if sort not in {NameWordSort.INITIAL, NameWordSort.NO_NAME}
)
_LISTED_OR_NOT = (NameWordSort.SURNAME, NameWordSort.UNLISTED)
_INITIALS = _Step((NameWordSort.INITIAL,), fewest=0, most=_MANY)
_SPACE_OR_STOP = (WordGap.SPACE, WordGap.STOP)
_FORMS = (
    _Form(
        "forward",
        0.85,
        (NameWordSort.GIVEN,),
        (_INITIALS, _Step(_ANY_NAME, _SPACE_OR_STOP), _Step(_LISTED_OR_NOT, fewest=0)),
    ),
    _Form(
        "hesitant",
        0.8,
        (NameWordSort.DOUBTFUL_GIVEN,),
        (_INITIALS, _Step(_LISTED_OR_NOT, _SPACE_OR_STOP)),
    ),
    _Form(
        "initials",
        0.75,
        (NameWordSort.INITIAL,),
        (
            _Step((NameWordSort.INITIAL,), _SPACE_OR_STOP, fewest=0),
            _Step((NameWordSort.GIVEN, *_LISTED_OR_NOT), (WordGap.STOP,)),
            _Step((NameWordSort.SURNAME,), fewest=0),
        ),
    ),
    _Form(
        "inverted",
        0.85,
        (
            *_LISTED_OR_NOT,
            NameWordSort.GIVEN,
            NameWordSort.CAPITAL_SURNAME,
            NameWordSort.CAPITAL_UNLISTED,
        ),
        (
            _Step((NameWordSort.GIVEN, NameWordSort.DOUBTFUL_GIVEN), (WordGap.COMMA,)),
            _Step(
                (NameWordSort.GIVEN, NameWordSort.SURNAME, NameWordSort.INITIAL), fewest=0, most=2
            ),
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
    words = cut_name_words(text, kinds)
    named = [at for at, word in enumerate(words) if word.sort is not NameWordSort.NO_NAME]
    for form in _FORMS:
        for run in _find_runs(form, words, named):
            name = _drop_abbreviation(text, run)
            if len(name) > 1:
                yield _span(text, name[0].start, name[-1].end, (form.name, form.score))
    yield from _find_supported_names(text, words)


def _find_runs(
    form: _Form, words: Sequence[NameWord], named: Sequence[int]
) -> Iterator[Sequence[NameWord]]:
    """Cut out the words that have the form; no word is in two runs, and each begins at a name."""
    free = 0
    for at in named:
        if at >= free and words[at].sort in form.first:
            end = _end_of_match(form, words, at)
            if end:
                yield words[at:end]
                free = end


def _end_of_match(form: _Form, words: Sequence[NameWord], first: int) -> int:
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


def _fits_step(step: _Step, before: NameWord, word: NameWord) -> bool:
    if word.sort not in step.sorts or word.gap not in step.gaps:
        return False
    return word.gap is not WordGap.STOP or before.sort is NameWordSort.INITIAL


def _drop_abbreviation(text: str, run: Sequence[NameWord]) -> Sequence[NameWord]:
    # Beside a name in mixed case, an unknown word in capitals is an abbreviation.
    first, last = (text[word.start : word.end] for word in (run[0], run[-1]))
    shouted = last.isupper() and len(last) > 1 and not first.isupper()
    return run[:-1] if shouted or (last.isupper() and len(last) in _CODE_LETTERS) else run


def _find_supported_names(text: str, words: Sequence[NameWord]) -> Iterator[Span]:
    for word in within_time(words, every=_CHECKED):
        given = word.sort is NameWordSort.GIVEN
        if word.sort in _ANY_NAME and follows_title(text, word.start):
            yield _span(text, word.start, word.end, ("titled", 0.9))
        elif given and last_word(text[max(0, word.start - _BACK) : word.start]) in _KIN:
            yield _span(text, word.start, word.end, ("kin", 0.8))
        elif given and _counts_alone(text, word):
            yield _span(text, word.start, word.end, ("alone", 0.5))


def _counts_alone(text: str, word: NameWord) -> bool:
    shouted = text[word.start : word.end].isupper()
    following = next_word(text, word.end)
    return not shouted and following not in EVIDENT_HEADS and not following[:1].isdigit()


def _span(text: str, start: int, end: int, form: tuple[str, float]) -> Span:
    before = last_word(text[max(0, start - _BACK) : start].rstrip(" :"))
    staff = before in _STAFF or _CREDENTIAL.search(text[end : end + _AHEAD])
    label = PhiLabel.DOCTOR if staff else PhiLabel.PATIENT
    return Span(start, end, label, form[1], f"dictionary:person.{form[0]}")
