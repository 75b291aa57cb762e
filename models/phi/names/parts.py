"""Parse the mention of a person into parts: names, initials, digits and what may stay.

Only particles, suffixes, titles and credentials of the lists stay; in a mention that holds nothing
else they are replaced too.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto

import re2

from deidstream.models.keyring import canonical
from deidstream.models.phi.names.kept_words import ABBREVIATED, DOTLESS, may_stay
from deidstream.models.phi.names.name_lists import (
    SHORT_NAMED,
    family_people,
    given_people,
    is_known,
    may_have_two_letters,
)
from deidstream.models.phi.names.spellings import nicknames, to_plain_letters
from deidstream.models.phi.spelled_numbers import TIMES_WORDS
from deidstream.models.text.runs import Sort, join_touching, safe_separators, words

_VOWELS = frozenset(
    "aeiouy\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u00e8\u00e9\u00ea\u00eb\u00ec\u00ed\u00ee\u00ef\u00f2\u00f3\u00f4\u00f5\u00f6\u00f8\u00f9\u00fa\u00fb\u00fc"
)
_OCR = str.maketrans("01", "ol")
_INITIALS_LENGTH = 3
_SPELLED_LENGTH = 4
_LETTER = r"(?:(?:double|triple|treble) )?\p{L}"
_LETTERS = re2.compile(rf"(?i)(?:^| )({_LETTER}(?: {_LETTER}){{3,}})$")
"""A name at the end of a mention that is said letter by letter; three may be initials."""
_PREFIXED = re2.compile("([A-Z]{0,2})(?:(M)c|(O)['\u2019`])[A-Z]")
"""Initials of which one is that of a surname such as ``McKay`` or ``O'Dea``: ``EMcK``, ``VO'D``."""
_SYLLABLED = frozenset({"chinese", "korean"})
"""Peoples whose given names of two syllables are also written in two words."""


class Role(Enum):
    """Kind of a part of a mention."""

    SEPARATOR = auto()
    KEPT = auto()
    NAME = auto()
    INITIALS = auto()
    DIGITS = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a mention, in order; the texts joined are the mention, save dropped symbols."""

    role: Role
    text: str = field(repr=False)
    value: str = field(repr=False, default="")
    """Normal form of a name."""
    spelled: bool = False
    """Written letter by letter, ``A N N A``."""


def parse_name(text: str) -> tuple[Part, ...]:
    """Cut a mention into parts; linear in its length.

    >>> [part.role.name for part in parse_name("VAN DER BERG, J.")]
    ['KEPT', 'SEPARATOR', 'KEPT', 'SEPARATOR', 'NAME', 'SEPARATOR', 'INITIALS', 'SEPARATOR']
    """
    spelled = _LETTERS.search(text)
    if spelled:
        name = text[spelled.start(1) : spelled.end(1)]
        last = Part(Role.NAME, name, canonical(_read_letters_said(name)), spelled=True)
        before = text[: -len(name)].rstrip()
        return (*parse_name(before), Part(Role.SEPARATOR, " "), last) if before else (last,)
    tokens = _join_compounds(join_touching(words(text)))
    parts = [part for place in range(len(tokens)) for part in _read_token(tokens, place)]
    if not any(part.role in {Role.NAME, Role.INITIALS, Role.DIGITS} for part in parts):
        return tuple(_force_name(part) for part in parts)
    return tuple(parts)


def _read_letters_said(text: str) -> str:
    """Return the name that is said letter by letter: ``q u i double l``."""
    letters: list[str] = []
    times = 1
    for word in text.split(" "):
        if word.lower() in TIMES_WORDS:
            times = TIMES_WORDS[word.lower()]
        else:
            letters.append(word * times)
            times = 1
    return "".join(letters)


def _join_compounds(tokens: list[str]) -> list[str]:
    """Join the syllables of a given name: ``Min-jun``, and ``MIN JUN`` beside a surname."""
    found: list[str] = []
    for token in tokens:
        found.append(token)
        if len(found) > 2 and _is_compound(found[-3:], alone=len(tokens) == 3):  # noqa: PLR2004
            found[-3:] = ["".join(found[-3:])]
    return found


def _is_compound(three: list[str], *, alone: bool) -> bool:
    first, between, second = three
    if (first, between) == ("Mc", " "):
        return True
    if between != "-" and (between != " " or alone):
        return False
    return given_people(to_plain_letters(first + second)) in _SYLLABLED


def _read_token(tokens: list[str], place: int) -> Iterable[Part]:
    token = tokens[place]
    if not any(map(str.isalnum, token)):
        dropped = _count_dropped_dots(tokens, place)
        yield Part(Role.SEPARATOR, safe_separators(token[dropped:]))
    elif may_stay(tokens, place):
        yield Part(Role.KEPT, token)
    elif _abbreviates(tokens, place):
        yield Part(Role.NAME, token, ABBREVIATED[token.casefold()])
    elif "-" in token or " " in token:
        yield Part(Role.NAME, token, "".join(run.text for run in words(canonical(token))[::2]))
    else:
        yield from _cut_name(tokens, place)


def _is_beside_short_name(tokens: list[str], place: int) -> bool:
    """Return whether a name beside is of a people whose given names may have two letters."""
    beside = tokens[max(place - 2, 0) : place] + tokens[place + 1 : place + 3]
    return any(family_people(to_plain_letters(token)) in SHORT_NAMED for token in beside)


def _count_dropped_dots(tokens: list[str], place: int) -> int:
    return int(place > 0 and tokens[place].startswith(".") and _abbreviates(tokens, place - 1))


def _abbreviates(tokens: list[str], place: int) -> bool:
    word = tokens[place].casefold()
    dotted = place + 1 < len(tokens) and tokens[place + 1].startswith(".")
    return word in DOTLESS or (dotted and word in ABBREVIATED)


def _cut_name(tokens: list[str], place: int) -> Iterable[Part]:
    """Cut a token: a possessive stays, scanned digits become letters, others stay digits."""
    if prefixed := _PREFIXED.fullmatch(tokens[place]):
        yield Part(Role.INITIALS, "".join(filter(None, prefixed.groups())))
        return
    body, tail = _split_possessive(tokens[place])
    folded = body.translate(_OCR) if any(map(str.isalpha, body)) and len(body) > 3 else body  # noqa: PLR2004
    for run in words(folded):
        if run.sort is Sort.DIGITS:
            yield Part(Role.DIGITS, run.text)
        elif run.sort is Sort.LETTERS:
            yield _read_letters(run.text, tokens, place)
        else:
            yield Part(Role.SEPARATOR, safe_separators(run.text))
    if tail:
        yield Part(Role.SEPARATOR, tail)


def _split_possessive(token: str) -> tuple[str, str]:
    if len(token) > 3 and token[-1] in "sS" and token[-2] in "'\u2019`":  # noqa: PLR2004
        return token[:-2], token[-2:]
    return token, ""


def _read_letters(text: str, tokens: list[str], place: int) -> Part:
    value = canonical(text)
    bare = not set(value) & _VOWELS
    typist = text.islower() and place > 1 and tokens[place - 1] == "/"
    listed = is_known(value) or (len(text) == _INITIALS_LENGTH and value in nicknames().heads)
    known = listed and not typist
    short = value.isascii() and len(text) <= _INITIALS_LENGTH and not known
    if len(text) == 1 or (short and (bare or not _is_written_as_name(text, tokens, place))):
        return Part(Role.INITIALS, text)
    if value.isascii() and bare and len(text) <= _SPELLED_LENGTH and not is_known(value):
        return Part(Role.INITIALS, text)
    return Part(Role.NAME, text, value)


def _is_written_as_name(text: str, tokens: list[str], place: int) -> bool:
    """Return whether two or three letters are written as a name is, ``Roz``, not as initials."""
    if text.istitle():
        return True
    return may_have_two_letters(canonical(text)) and _is_beside_short_name(tokens, place)


def _force_name(part: Part) -> Part:
    if part.role is not Role.KEPT:
        return part
    value = canonical(part.text)
    role = Role.NAME if len(value) > 2 and is_known(value) else Role.INITIALS  # noqa: PLR2004
    return replace(part, role=role, value=value)
