"""Read and write codes that were dictated character by character: "k b b zero six double one"."""

import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from deidstream.models.phi.spelled_numbers import SPELLED, TIMES_WORDS
from deidstream.models.text.word_files import split_list

_FEWEST = 3
"""Characters of the shortest code: shorter runs of spoken digits are counts and doses."""
_UNITS = tuple(SPELLED)[:10]
DIGIT_WORDS = MappingProxyType(
    {word: str(digit) for digit, word in enumerate(_UNITS)}
    | {"oh": "0", "o": "0", "nought": "0", "naught": "0"}
)
"""The digit of each word for one digit."""
PAIR_WORDS = MappingProxyType(
    {word: str(count) for word, count in SPELLED.items() if word not in _UNITS}
)
"""Two digits of each word from ten to ninety."""
SPELLING_WORDS = split_list(
    "alfa alpha bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike "
    "november oscar papa quebec romeo sierra tango uniform victor whiskey whisky x-ray xray yankee "
    "zulu"
)
"""Words of the radiotelephony alphabet (ICAO annex 10, volume II, 5.2.1.3), as they are written."""
SIGN_WORDS = split_list("dash hyphen forward slash stroke bar")
"""Words for a sign within a code."""
FILLERS = split_list("uh um er erm em")
"""Sounds of hesitation."""
_NEAR = 24
_WORD = re.compile(r"[A-Za-z](?:[A-Za-z]|-[Rr][Aa][Yy])*")
_EXAMPLE = re.compile(r"(?i)^[ ,]{1,2}(?:as in|for|like) [a-z]+")


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A word of a dictated code, with the characters that it stands for."""

    start: int
    end: int
    word: str = field(repr=False)
    characters: str = field(repr=False)


def read_spoken_code(text: str) -> str | None:
    """Return a dictated code as digits and small letters; ``None`` if the text is anything else.

    >>> read_spoken_code("s two four dash nine nine one oh"), read_spoken_code("double eight two")
    ('s249910', '882')
    >>> read_spoken_code("R as in Robert five five"), read_spoken_code("five mg of it")
    ('r55', None)
    """
    spoken = _read_words(text)
    if spoken is None:
        return None
    code = "".join(word.characters for word in spoken)
    # The letter O alone may be the letter: it is a zero beside a digit that is said in full.
    has_digit = any(len(word.word) > 1 and word.characters.isdigit() for word in spoken)
    return code if len(code) >= _FEWEST and has_digit else None


def write_spoken_code(text: str, code: str) -> str:
    """Write another code of the same length in the words of a dictated one.

    Signs and hesitations stay; digits are said one by one, and an example of a letter is left out.

    >>> write_spoken_code("Sierra 'uh' four dash double two", "k777")
    "kilo 'uh' seven dash seven seven"
    """
    written: list[str] = []
    at = taken = 0
    for word in _read_words(text) or ():
        said = [_say(char, word.word) for char in code[taken : taken + len(word.characters)]]
        taken += len(word.characters)
        written += (text[at : word.start], " ".join(said))
        at = word.end
    written.append(text[at:])
    return "".join(written)


def _say(char: str, word: str) -> str:
    if char.isdigit():
        return _UNITS[int(char)]
    if word.casefold() in SPELLING_WORDS:
        return next(spelling for spelling in SPELLING_WORDS if spelling.startswith(char))
    return char.upper() if word.isupper() else char


def _read_words(text: str) -> list[_Spoken] | None:
    """Read the words that stand for characters; ``None`` where another word or a digit occurs."""
    if any(map(str.isdigit, text)):
        return None
    found: list[_Spoken] = []
    times, opened, read_to = 1, -1, 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        if start < read_to:
            continue
        word = match[0].casefold()
        if word in TIMES_WORDS:
            times, opened = TIMES_WORDS[word], start
            continue
        if word in SIGN_WORDS or word in FILLERS:
            continue
        characters = _characters_of(word)
        if not characters:
            return None
        example = _EXAMPLE.search(text[end : end + _NEAR]) if len(word) == 1 else None
        read_to = end + (example.end() if example else 0)
        if found and _continues_tens(found[-1], word, text[found[-1].end : start]):
            found[-1] = replace(found[-1], characters=found[-1].characters[0])
        begun = opened if times > 1 else start
        found.append(_Spoken(begun, read_to, match[0], characters * times))
        times = 1
    return found if times == 1 else None


def _continues_tens(tens: _Spoken, word: str, between: str) -> bool:
    """Return whether "forty" and "four" are one number."""
    of_tens = tens.word.casefold() in PAIR_WORDS and tens.characters.endswith("0")
    return of_tens and between in {" ", "-"} and DIGIT_WORDS.get(word, "0") != "0"


def _characters_of(word: str) -> str:
    if word in SPELLING_WORDS:
        return word[0]
    return DIGIT_WORDS.get(word) or PAIR_WORDS.get(word) or (word if len(word) == 1 else "")
