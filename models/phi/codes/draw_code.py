"""Read the letters and digits of an identifier, draw others of their shape, write them back.

A surrogate has a letter for each letter and a digit for each digit; the characters between, and the
case, comes from the mention.
"""

import unicodedata
from collections.abc import Iterator

from deidstream.models.keyring import Draw, canonical
from deidstream.models.phi.codes.checksums import passes_a_check
from deidstream.models.phi.names.initials import ALPHABET, DIGITS
from deidstream.models.text.runs import Sort, recase_char, runs, safe_separators, sort_of

VOWELS = "aeiou"
CONSONANTS = "bcdfghjklmnprstvwz"
_TRIES, _CHECKED, _GRAM = 64, 64, 5
_ZEROS, _HIDDEN = 3, 3
"""Most zeros that a writer puts before a number; fewest signs ``x`` that hide something."""


def code_of(text: str) -> str:
    """Return the normal form of an identifier: its letters and digits, case folded.

    >>> code_of("NF-44 0091") == code_of("nf440091")
    True
    """
    return "".join(c for c in canonical(text) if _counts(c))


def _counts(char: str) -> bool:
    if char.isascii():  # nearly always
        return char.isalnum()
    return sort_of(char) is not Sort.OTHER and not unicodedata.combining(char)


def draw_code(value: str, draw: Draw, *, wordlike: bool = False) -> str:
    """Draw letter for letter, digit for digit; never ``value``, nor a number that passes a check.

    Leading zeros stay, and so do runs of ``x``, behind which the writer hid something. Up to
    ``_CHECKED`` characters, no five in a row of ``value`` come back, so that a number or birth date
    inside an identifier does not.

    Args:
        value: Letters and digits of any script, not empty.
        draw: The identity's own draw.
        wordlike: Vowels become vowels, so that a user name still reads as one.
    """
    pieces = [run.text for run in runs(value)]
    drawn = _draw_runs(pieces, draw, wordlike=wordlike)
    for _ in range(_TRIES if len(value) <= _CHECKED else 0):
        if not (_may_be_in_use(drawn) or _echoes(drawn, value)):
            break
        drawn = _draw_runs(pieces, draw, wordlike=wordlike)
    while drawn == value or _may_be_in_use(drawn):
        drawn = drawn[:-1] + _next(drawn[-1])
    return drawn


def _may_be_in_use(drawn: str) -> bool:
    """Return whether a number may be in use, also with zeros that a writer may put before it."""
    zeros = range(_ZEROS + 1 if drawn.isdigit() else 1)
    return any(passes_a_check("0" * count + drawn) for count in zeros)


def _draw_runs(pieces: list[str], draw: Draw, *, wordlike: bool) -> str:
    return "".join(_draw_run(piece, draw, wordlike=wordlike) for piece in pieces)


def _draw_run(run: str, draw: Draw, *, wordlike: bool) -> str:
    rest = run.lstrip("0")
    if _is_hidden(run) and not wordlike:
        return run
    if not rest or sort_of(run[0]) is not Sort.DIGITS:
        return "".join(_draw_char(c, draw, wordlike=wordlike) for c in run)
    # A 0 here would add a leading zero.
    first = draw.pick(DIGITS[1:])
    return "0" * (len(run) - len(rest)) + first + "".join(draw.pick(DIGITS) for _ in rest[1:])


def _echoes(drawn: str, value: str) -> bool:
    """Return whether ``drawn`` repeats five in a row of ``value``; zeros and ``x`` do not count."""
    some = {value[start : start + _GRAM] for start in range(len(value) - _GRAM + 1)}
    grams = some - {"0" * _GRAM, "x" * _GRAM}
    return drawn == value or any(
        drawn[start : start + _GRAM] in grams for start in range(len(drawn) - _GRAM + 1)
    )


def _is_hidden(run: str) -> bool:
    return len(run) >= _HIDDEN and not run.strip("x")


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
    """Write the letters and digits of ``surrogate`` over those of ``text``.

    Where folding changed how many there are, the surrogate is written plainly.
    """
    normal = unicodedata.normalize("NFKC", text)
    if sum(map(_counts, normal)) != len(surrogate):
        return surrogate.upper()
    return "".join(_write_chars(normal, iter(surrogate)))


def _write_chars(text: str, codes: Iterator[str]) -> Iterator[str]:
    for char in text:
        if _counts(char):
            code = next(codes)
            yield recase_char(code, char) if code.isalpha() else code
        elif sort_of(char) is Sort.OTHER:
            yield char if char in "+=<>|#@" else safe_separators(char)
