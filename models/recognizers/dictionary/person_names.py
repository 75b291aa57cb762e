"""Tell from the words beside it whether a word of the name lists is a name here.

Every capitalised word gets one letter for what it may be and every gap one letter for what it is;
a note becomes a short string over that alphabet, and the forms of names are patterns on it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import re2

from deidstream.models.phi.gazetteers import Kind
from deidstream.models.phi.names.stops import STOPS
from deidstream.models.phi.not_phi import abbreviations, common_words
from deidstream.models.text.context import HEADS, TITLES, is_titled, last_word, next_word
from deidstream.models.text.folding import fold_short
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

_WORD = re2.compile(r"\p{Lu}[\p{L}\p{M}]*(?:['\x{2019}-]\p{L}[\p{L}\p{M}]*)*")
_BACK, _AHEAD = 32, 12
_NAMELIKE = re2.compile(
    r"(?:(?:Mc|Mac|De|Di|La|Le|Van|Von|O['\x{2019}]|D['\x{2019}])?\p{Lu}[\p{Ll}\p{M}'\x{2019}]{2,}-?)+"
)
"""An unknown word written as names are: no capitals inside but at the start of a part."""
_LONGEST_GAP = 2
_CODE_LETTERS = range(2, 4)
"""Letters of a word in capitals that is rather an abbreviation than a name."""
_PLACE = Kind.LARGE_CITY | Kind.STATE | Kind.COUNTRY
# Words: G given name, S surname, A ordinary word or place that may be a given name, B one that may
# be a surname, U such a surname in capitals, O unknown word, Q the same in capitals, I initial, X
# no name.
# Gaps: s space, d full stop and space, c comma and space, b anything else.
_FORMS: tuple[tuple[str, float, str], ...] = (
    ("forward", 0.85, r"G(?:(?:sI)+[sd]|s)[SGOABUQ](?:s[SO])?"),
    ("hesitant", 0.8, r"A(?:(?:sI)+[sd]|s)[SO]"),
    ("initials", 0.75, r"I(?:[sd]I)?d[SGO](?:sS)?"),
    ("inverted", 0.85, r"[SOGUQ]c[GA](?:s[GSI]){0,2}"),
    ("unlisted", 0.6, r"[SO](?:(?:sI)+[sd]|s)[SO]"),
)
_PATTERNS = tuple((name, score, re2.compile(form)) for name, score, form in _FORMS)
_CREDENTIAL = re2.compile(
    r"^,? ?\(?(?:M\.?D|D\.?O|R\.?N|N\.?P|P\.?A|PA-C|Ph\.?D|LCSW|LPN|RPh|PharmD|CRNA|DPM|DDS|PT"
    r"|OT|FNP|MBBS|RD|CNM|MSW|RRT|SLP|DNP|PGY)\b"
)
_STAFF_WORDS = """
dr doctor drs prof professor nurse attending by surgeon physician provider resident intern fellow
consultant signed pcp radiologist pathologist cardiologist anesthesiologist therapist pharmacist
technologist transcribed dictated cosigned interpreter cc hospitalist registrar gp midwife
"""
_STAFF = frozenset(_STAFF_WORDS.split())
_KIN_WORDS = """
wife husband son daughter mother father mom dad mum sister brother aunt uncle cousin niece nephew
grandmother grandfather grandson granddaughter grandma grandpa partner fiance fiancee girlfriend
boyfriend spouse twin stepson stepdaughter stepfather stepmother neighbor neighbour roommate
guardian named friend caregiver
"""
_KIN = frozenset(_KIN_WORDS.split())


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    letter: str = field(repr=False)


def people(text: str, kinds: Mapping[tuple[int, int], int]) -> Iterator[Span]:
    """Find names of persons; ``kinds`` says what each word of the gazetteers may be.

    A name needs support: a given name beside a surname in either order, initials before a surname,
    a title or a word of kinship before either. A given name that is no ordinary word, eponym or
    abbreviation counts alone too, at 0.5. Sources: ``dictionary:person.forward`` and so on.
    """
    words = _words(text, kinds)
    string = "".join(_letters(text, words))
    for name, score, pattern in _PATTERNS:
        for match in pattern.finditer(string):
            run = _trimmed(text, words[match.start() // 2 : (match.end() - 1) // 2 + 1])
            if len(run) > 1:
                yield _span(text, run[0].start, run[-1].end, (name, score))
    yield from _supported(text, words)


def _trimmed(text: str, run: Sequence[_Word]) -> Sequence[_Word]:
    # Beside a name in mixed case, an unknown word in capitals is an abbreviation.
    first, last = (text[word.start : word.end] for word in (run[0], run[-1]))
    shouted = last.isupper() and len(last) > 1 and not first.isupper()
    return run[:-1] if shouted or (last.isupper() and len(last) in _CODE_LETTERS) else run


def _words(text: str, kinds: Mapping[tuple[int, int], int]) -> list[_Word]:
    found: list[_Word] = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            word = text[start:end]
            if word.endswith(("'s", "\u2019s", "'S")):
                end -= 2
            found.append(
                _Word(start, end, _letter(text[start:end], _kind(text, start, end, kinds)))
            )
    return found


def _kind(text: str, start: int, end: int, kinds: Mapping[tuple[int, int], int]) -> int:
    # Of a double name each half may be listed, seldom both together.
    whole = kinds.get((start, end), 0)
    half = text.find("-", start, end)
    if whole or half < 0:
        return whole
    return kinds.get((start, half), 0) | kinds.get((half + 1, end), 0)


def _letter(word: str, kind: int) -> str:
    if len(word) == 1:
        return "I"
    form = fold_short(word)
    given, surname = bool(kind & Kind.GIVEN), bool(kind & Kind.SURNAME)
    if _has_small_part(word) or (word.isupper() and form in abbreviations()):
        return "X"
    if form in STOPS or form in TITLES:
        return "B" if surname else "X"
    if form in common_words() or kind & _PLACE:
        return _doubtful(given=given, surname=surname, shouted=word.isupper())
    return ("G" if given else "S") if given or surname else _unlisted(word)


def _doubtful(*, given: bool, surname: bool, shouted: bool) -> str:
    if surname and shouted:
        return "U"
    return "A" if given else "B" if surname else "X"


def _unlisted(word: str) -> str:
    return "Q" if word.isupper() else "O" if _NAMELIKE.fullmatch(word) else "X"


def _has_small_part(word: str) -> bool:
    return any(part[:1].islower() for part in word.split("-"))


def _letters(text: str, words: Sequence[_Word]) -> Iterator[str]:
    for word, following in pairwise(words):
        yield word.letter
        yield _gap(text[word.end : following.start])
    yield from (word.letter for word in words[-1:])


def _gap(between: str) -> str:
    if len(between) > _LONGEST_GAP or "\n" in between.replace(" ", "")[1:]:
        return "b"
    if between == "  ":
        return "b"
    return {"": "s", ".": "d", ",": "c"}.get(between.strip(), "b") if between else "b"


def _supported(text: str, words: Sequence[_Word]) -> Iterator[Span]:
    for word in words:
        before = last_word(text[max(0, word.start - _BACK) : word.start])
        if word.letter in "GSOABUQ" and is_titled(text, word.start):
            yield _span(text, word.start, word.end, ("titled", 0.9))
        elif word.letter == "G" and before in _KIN:
            yield _span(text, word.start, word.end, ("kin", 0.8))
        elif word.letter == "G" and _stands_alone(text, word):
            yield _span(text, word.start, word.end, ("alone", 0.5))


def _stands_alone(text: str, word: _Word) -> bool:
    shouted = text[word.start : word.end].isupper()
    following = next_word(text, word.end)
    return not shouted and following not in HEADS and not following[:1].isdigit()


def _span(text: str, start: int, end: int, form: tuple[str, float]) -> Span:
    before = last_word(text[max(0, start - _BACK) : start].rstrip(" :"))
    staff = before in _STAFF or _CREDENTIAL.search(text[end : end + _AHEAD])
    label = PhiLabel.DOCTOR if staff else PhiLabel.PATIENT
    return Span(start, end, label, form[1], f"dictionary:person.{form[0]}")
