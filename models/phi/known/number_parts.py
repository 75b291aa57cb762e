"""Find what is left of stated numbers: masked ones, last digits, spoken ones, and short ones.

Whole numbers are looked for as terms, whatever separates their digits. What is here counts less:
the same few digits occur by chance, so that a dose or a result refutes them.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from deidstream.models.phi.codes.spoken_codes import DIGIT_WORDS, read_spoken_code
from deidstream.models.phi.known.known_match import KnownMatch
from deidstream.models.phi.spelled_numbers import TIMES_WORDS
from deidstream.models.text.folding import words_of
from deidstream.schemas.label import PhiLabel

_MASK = "xX*#\u2022\u25cf\u2026_?"
_MASKED_HEAD = re.compile(rf"(?<![^\W_])[{_MASK}][{_MASK}\-. /()]{{0,24}}([0-9]{{2,7}})(?![0-9])")
"""``xxx-xx-1234``"""
_MASKED_TAIL = re.compile(
    rf"(?<![0-9])([0-9](?:[-. /()]{{0,2}}[0-9]){{2,11}})[-. /()]{{0,3}}"
    rf"[{_MASK}][{_MASK}\-. ]{{0,12}}[{_MASK}](?![^\W_])"
)
"""``410-555-xxxx``"""
_CUED = re.compile(
    r"(?i)\b(?:end(?:s|ing|ed)?|(?:last|final)[ \t]{1,2}(?:three|four|five|six|[3-6])|last4"
    r"|ssn?|social security(?: number)?|mrn|acct|account|card|policy|phone|tel|cell)\b"
    r"[^\d\n]{0,24}?[^\w\n]([0-9]{3,7})(?![0-9])"
)
"""``ending in 4471``"""
_EXTENSION = re.compile(
    r"(?i)(?<![^\W_])(?:ext(?:ension|n)?\.?|x)[ \t#:.]{0,2}([0-9]{2,6})(?![0-9])"
)
_DIGIT_WORD = "|".join(sorted({*DIGIT_WORDS, *TIMES_WORDS}, key=lambda word: (-len(word), word)))
_SPOKEN = re.compile(
    r"(?i)\b(?:last (?:two|three|four|five|six) )?"
    rf"((?:{_DIGIT_WORD})(?:[ ]?[ ,.\n-][ ]?(?:{_DIGIT_WORD})){{2,23}})\b"
)
"""Digits that are said one by one, without what ``last four`` counts."""
_DIGITS = re.compile("[0-9]+")
_WORD = re.compile(r"[^\W_]+")
_FEWEST_MASKS = 2
_FEWEST_SPOKEN = 4
"""Digits of a part of a number that is dictated without the rest."""
SHORTEST, _LONGEST = 3, 40
"""Characters of a number that is looked for."""
WHOLE = 5
"""Characters from which a number is no other number by chance."""
_JOINED = frozenset(".,/:-+")
"""Between a number and these and a digit, it is part of another number."""


@dataclass(frozen=True, slots=True)
class StatedNumbers:
    """The stated numbers, by what may be left of them."""

    tails: dict[str, PhiLabel] = field(repr=False)
    """Labels by last digits."""
    heads: dict[str, PhiLabel] = field(repr=False)
    """Labels by first digits."""
    short: dict[str, PhiLabel] = field(repr=False)
    """Labels of whole numbers that are so short that they occur by chance, folded."""
    extensions: frozenset[str] = field(repr=False)

    @classmethod
    def of_numbers(cls, numbers: Iterable[tuple[PhiLabel, str]]) -> "StatedNumbers":
        """Index numbers."""
        tails: dict[str, PhiLabel] = {}
        heads: dict[str, PhiLabel] = {}
        short: dict[str, PhiLabel] = {}
        extensions: set[str] = set()
        for label, number in numbers:
            extension = _EXTENSION.search(number) if label is PhiLabel.PHONE else None
            if extension is not None:
                extensions.add(extension[1])
            stated = number[: extension.start()] if extension is not None else number
            plain = "".join(words_of(stated))[:_LONGEST]
            digits = "".join(_DIGITS.findall(plain))
            for written in (plain, plain.lstrip("0")):
                if SHORTEST <= len(written) < WHOLE and digits:
                    short.setdefault(written, label)
            if len(digits) >= WHOLE:
                for length in range(2, len(digits) + 1):
                    tails.setdefault(digits[-length:], label)
                    heads.setdefault(digits[:length], label)
        return cls(tails, heads, short, frozenset(extensions))


def find_number_parts(text: str, stated: StatedNumbers) -> list[KnownMatch]:
    """Find what a text has of stated numbers; matches may overlap. Linear in the text."""
    found: list[tuple[tuple[int, int], PhiLabel | None]] = []
    if stated.tails:
        found += (*_find_masked(text, stated), *_find_spoken(text, stated))
    if stated.extensions:
        numbers = ((one.span(), one[1]) for one in _EXTENSION.finditer(text))
        found += ((span, PhiLabel.PHONE) for span, one in numbers if one in stated.extensions)
    for word in _WORD.finditer(text) if _may_hold(text, stated.short) else ():
        if not _is_in_number(text, *word.span()):
            found.append((word.span(), stated.short.get(word[0].casefold())))
    return [KnownMatch(*span, label, exact=False) for span, label in found if label is not None]


def _may_hold(text: str, numbers: Collection[str]) -> bool:
    """Return whether one of folded numbers is in a text, if only within a word."""
    if not numbers:
        return False
    folded = text.casefold()
    return any(number in folded for number in numbers)


def _find_masked(
    text: str, stated: StatedNumbers
) -> Iterator[tuple[tuple[int, int], PhiLabel | None]]:
    for match in _MASKED_HEAD.finditer(text):
        if _is_masked(match[0]):
            yield match.span(), stated.tails.get(match[1])
    for match in _MASKED_TAIL.finditer(text):
        yield match.span(), stated.heads.get("".join(_DIGITS.findall(match[1])))
    for match in _CUED.finditer(text):
        yield match.span(1), stated.tails.get(match[1])


def _find_spoken(
    text: str, stated: StatedNumbers
) -> Iterator[tuple[tuple[int, int], PhiLabel | None]]:
    for match in _SPOKEN.finditer(text):
        code = read_spoken_code(match[1]) or ""
        if len(code) >= _FEWEST_SPOKEN:
            yield match.span(1), stated.tails.get(code) or stated.heads.get(code)


def _is_masked(text: str) -> bool:
    """Return whether enough characters are masked; an ellipsis stands for many."""
    return "\u2026" in text or sum(text.count(sign) for sign in _MASK) >= _FEWEST_MASKS


def _is_in_number(text: str, start: int, end: int) -> bool:
    """Return whether digits are part of a longer number, or a share: ``1.417``, ``417 %``."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    joined = before[-1:] in _JOINED and before[:1].isdigit()
    follows = after[:1] in _JOINED and after[1:].isdigit()
    return joined or follows or "%" in after
