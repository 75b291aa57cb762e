"""Letters and digits of an identifier: read them, draw others of the same shape, write them back.

A surrogate has a letter for each letter and a digit for each digit; what stands between, and the
case, comes from the mention.
"""

import unicodedata
from collections.abc import Iterator

from deidstream.models.keyring import Draw, canonical
from deidstream.models.operators.casing import recase_char
from deidstream.models.operators.checksums import is_somebodys
from deidstream.models.operators.letters import ALPHABET, DIGITS
from deidstream.models.operators.runs import Sort, safe_separators, sort_of

VOWELS = "aeiou"
CONSONANTS = "bcdfghjklmnprstvwz"


def code_of(text: str) -> str:
    """Normal form of an identifier: its letters and digits, case folded.

    >>> code_of("NF-44 0091") == code_of("nf440091")
    True
    """
    return "".join(c for c in canonical(text) if _counts(c))


def _counts(char: str) -> bool:
    return sort_of(char) is not Sort.OTHER and not unicodedata.combining(char)


def draw_code(value: str, draw: Draw, *, wordlike: bool = False) -> str:
    """Draw letter for letter, digit for digit; never ``value``, nor a number that passes a check.

    Args:
        value: Letters and digits of any script, not empty.
        draw: The identity's own draw.
        wordlike: Vowels become vowels, so that a user name still reads as one.
    """
    drawn = "".join(_draw_char(c, draw, wordlike=wordlike) for c in value)
    while drawn == value or is_somebodys(drawn):
        drawn = drawn[:-1] + _next(drawn[-1])
    return drawn


def _draw_char(char: str, draw: Draw, *, wordlike: bool) -> str:
    if sort_of(char) is Sort.DIGITS:
        return draw.pick(DIGITS)
    if wordlike:
        return draw.pick(VOWELS if char in VOWELS else CONSONANTS)
    return draw.pick(ALPHABET)


def _next(char: str) -> str:
    ring = DIGITS if char in DIGITS else ALPHABET
    return ring[(ring.index(char) + 1) % len(ring)]


def write_code(text: str, surrogate: str) -> str:
    """Put the letters and digits of ``surrogate`` where those of ``text`` stand.

    Where folding changed how many there are, the surrogate is written plainly.
    """
    normal = unicodedata.normalize("NFKC", text)
    if sum(map(_counts, normal)) != len(surrogate):
        return surrogate.upper()
    return "".join(_written(normal, iter(surrogate)))


def _written(text: str, codes: Iterator[str]) -> Iterator[str]:
    for char in text:
        if _counts(char):
            code = next(codes)
            yield recase_char(code, char) if code.isalpha() else code
        elif sort_of(char) is Sort.OTHER:
            yield char if char in "+=<>|#@" else safe_separators(char)
