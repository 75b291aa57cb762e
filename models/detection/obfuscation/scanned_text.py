"""Read a text that a scanner misread: letters for digits in numbers, digits for letters in words.

Only a text with several misreadings that nobody types is read so, and in it only what reads better:
``l2/O3/2O24`` is a date and ``0rthopaedic`` a word. Every other text stays as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from types import MappingProxyType

import numpy as np

from deidstream.models.detection.obfuscation.plain_text import PlainText, keep_text
from deidstream.models.phi.dates.calendar import MONTH_OF, WEEKDAY_OF
from deidstream.models.phi.dates.date_patterns import is_day_and_month
from deidstream.models.phi.names.name_lists import is_known
from deidstream.models.text.word_files import words_in

_FEWEST = 2
"""Different misreadings that show a scan."""
_SLIPS = MappingProxyType({"0": "o", "1": "li", "5": "s", "8": "b", "l": "i", "i": "l", "q": "g"})
"""The letters that a scanner reads as another sign within a word."""
_DIGITS = str.maketrans("OoQlISBZ", "00011582")
_MOST_READ = 4
"""Signs of a word that may be read in several ways."""
_SHORTEST_WORD, _SHORTEST_EVIDENCE = 2, 3
_SHORTEST_SLIPPED = 4
"""Letters of a word that is read anew though all its signs are letters."""

_SHORTEST_UNLISTED = 5
"""Signs of a word that is on no list."""

_QUANTITY = re.compile("[0-9]{2}|[0-9]+[A-Za-z]?$")
_TOKEN = re.compile(r"[A-Za-z0-9]+")
_MISREAD = re.compile(r"[0-9][A-Za-z]|[A-Za-z][0-9]")
"""A digit beside a letter, as every misread number and word has somewhere."""
_NUMERIC = frozenset("0123456789OolI")
"""What the digits of a number are read as."""
_CODE = re.compile(r"[A-Za-z]{1,3}[0-9]+[A-Za-z]?|[0-9]+[lI]")
"""Codes of diseases, oxygen, litres: letters beside digits as anybody types them."""
_OXYGEN = "O2"
_LETTERS_AFTER = re.compile(r"[OolI]{2,4}")
_DAY_LETTERS = re.compile(r"l|[OlI][OolI]")
_ORDINAL = re.compile(r"[0-9OlI]{1,2}(?=(?:st|nd|rd|th)\Z)")
_LEADING = re.compile(r"[Ol](?=[0-9])")
_FOLLOWING = re.compile(r"(?<=[0-9])[Ol]+|(?<=[0-9])I(?=[0-9])")
_PART = "[0-9OolISBZ]"
_DATE = re.compile(
    rf"(?<![A-Za-z0-9])({_PART}{{1,2}})(?: ?([/.-]) ?)({_PART}{{1,2}})"
    rf"(?:(?: ?\2 ?)({_PART}{{4}}|{_PART}{{2}}))?(?![A-Za-z0-9])"
)
_SOLID = frozenset("SBZ")
"""Letters that are read as digits in a whole date alone."""
_O_OF_NAME = re.compile(r"\b0(?=['\u2019][A-Z0])|(?<=[A-Za-z] )0(?= [A-Z][a-z])")
"""What is before a surname such as ``O'Dea``."""
_BOXES = re.compile(r"(?<![0-9] )(?<![A-Za-z0-9])(?:[0-9OlI] ){5,}[0-9OlI](?![A-Za-z0-9])")
"""Digits that a form has in boxes of their own."""
_FEWEST_BOXED = 4
"""Those among them that are read as digits."""
_JOINTS = frozenset("-/. ")


@dataclass(frozen=True, slots=True)
class _Token:
    """A run of letters and digits, and how it reads."""

    start: int
    written: str = field(repr=False)
    read: str = field(repr=False)
    """As long as what is written."""


def read_scan(text: str) -> PlainText | None:
    """Return a scanned text as it was before it was scanned; ``None``: the text is no scan.

    Its digits and letters stay at their places, but for digits in boxes of their own, which are
    joined. Linear in the length of ``text``.
    """
    if not _MISREAD.search(text):
        return None
    mixed = {match[0] for match in _TOKEN.finditer(text) if _may_be_misread(match[0])}
    if sum(map(_is_evidence, mixed)) < _FEWEST:
        return None
    tokens = [_read_token(match) for match in _TOKEN.finditer(text)]
    letters = list(text)
    for one in tokens:
        letters[one.start : one.start + len(one.read)] = one.read
    for place, read in (*_read_beside_numbers(tokens, text), *_read_dates(text)):
        letters[place : place + len(read)] = read
    for match in _O_OF_NAME.finditer(text):
        letters[match.start()] = "O"
    return _join_boxes("".join(letters))


def _may_be_misread(written: str) -> bool:
    return not (written.isalpha() or written.isdecimal()) or _is_torn_capital(written)


def _is_evidence(written: str) -> bool:
    """Return whether a token is a misreading that nobody types."""
    if len(written) < _SHORTEST_EVIDENCE or _CODE.fullmatch(written):
        return False
    read = _read(written)
    return read != written and (read.isdecimal() or _is_word(read))


def _read_token(match: re.Match[str]) -> _Token:
    return _Token(match.start(), match[0], _read(match[0]))


def _read(written: str) -> str:
    return _read_number(written) or _read_word(written)


def _read_number(written: str) -> str | None:
    """Read a number, or one with the ending of an ordinal; ``None`` for anything else."""
    if written == _OXYGEN:
        return written
    if _NUMERIC.issuperset(written) and any(map(str.isdecimal, written)):
        return written.translate(_DIGITS)
    if counted := _ORDINAL.match(written):
        return counted[0].translate(_DIGITS) + written[counted.end() :]
    return None


def _read_word(written: str) -> str:
    """Read a word as the word or name that it differs from by signs that look alike.

    A word on no list keeps its letters, and what is no word is read as a code.
    """
    if _is_torn_capital(written):
        written = written.replace("l", "I")
    if not any(map(str.isdecimal, written)):
        known = len(written) < _SHORTEST_SLIPPED or _is_word(written)
        return written if known else next(filter(_is_word, _read_letters(written)), written)
    readings = [*_read_digits(written)]
    for read in readings:
        if _is_word(read):
            return read
    return readings[0] if readings and _is_like_word(written, readings[0]) else _read_code(written)


def _is_like_word(written: str, read: str) -> bool:
    """Return whether what is read on no list is a word: ``M0kgatle``, not ``AB1``."""
    cased = read.istitle() or read.isupper() or read.islower()
    digits = sum(map(str.isdecimal, written))
    return cased and written[-1].isalpha() and len(written) >= max(_SHORTEST_UNLISTED, 3 * digits)


def _read_letters(written: str) -> Iterator[str]:
    """Yield the words that differ from a word by one letter that looks like another."""
    for place, c in enumerate(written):
        for letter in _SLIPS.get(c.lower(), ""):
            yield _write_letters(written, [place], [letter])


def _read_digits(written: str) -> Iterator[str]:
    """Yield the words that have letters where a token has digits; none for a code or a quantity."""
    places = [place for place, c in enumerate(written) if c.isdecimal()]
    signs = {written[place] for place in places}
    short = signs != {"0"} and (
        len(written) == _SHORTEST_WORD
        or (written[0].isdecimal() and len(written) < _SHORTEST_SLIPPED)
    )
    if short or not signs <= _SLIPS.keys() or _QUANTITY.match(written) or len(places) > _MOST_READ:
        return
    for letters in product(*(_SLIPS[written[place]] for place in places)):
        yield _write_letters(written, places, letters)


def _write_letters(written: str, places: Sequence[int], letters: Sequence[str]) -> str:
    others = [c for place, c in enumerate(written) if place not in places and c.isalpha()]
    upper = "".join(others).isupper()
    read = list(written)
    for place, letter in zip(places, letters, strict=True):
        leads = place == 0 and letter in "oi"
        read[place] = letter.upper() if upper or leads else letter
    return "".join(read)


def _read_code(written: str) -> str:
    """Read letters beside digits as digits: ``C4l88``, ``l4w``."""
    read = _LEADING.sub(lambda match: match[0].translate(_DIGITS), written, count=1)
    return _FOLLOWING.sub(lambda match: match[0].translate(_DIGITS), read)


def _is_torn_capital(written: str) -> bool:
    """Return whether small ``l`` are the only small letters of a word in capitals: ``BENEFlT``."""
    rest = written.replace("l", "")
    return len(rest) >= _SHORTEST_WORD and rest.isupper() and rest.isalpha() and rest != written


def _is_word(read: str) -> bool:
    word = read.lower()
    listed = word in words_in("lexicon.txt") or word in MONTH_OF or word in WEEKDAY_OF
    return listed or (len(word) >= _SHORTEST_EVIDENCE and is_known(word))


def _read_beside_numbers(tokens: Sequence[_Token], text: str) -> Iterator[tuple[int, str]]:
    """Yield what has no digit itself and continues a number, or is the day of a month.

    ``7O44-Ol``, ``lO October``, ``August ll``.
    """
    for before, one in pairwise(tokens):
        gap = text[before.start + len(before.written) : one.start]
        number = before.read.isdecimal() and gap in _JOINTS
        month = gap == " " and _is_month(before.read)
        if (number and _LETTERS_AFTER.fullmatch(one.written)) or (month and _is_day(one.written)):
            yield one.start, one.written.translate(_DIGITS)
        if gap == " " and _is_month(one.read) and _is_day(before.written):
            yield before.start, before.written.translate(_DIGITS)


def _is_month(read: str) -> bool:
    return read[:1].isupper() and read.lower() in MONTH_OF and len(read) >= _SHORTEST_EVIDENCE


def _is_day(written: str) -> bool:
    """Return whether letters are read as a day: ``l``, ``lO``; ``I`` is a word."""
    return written != "I" and _DAY_LETTERS.fullmatch(written) is not None


def _read_dates(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of dates, of which some may have no digit: ``lO/O8``."""
    for match in _DATE.finditer(text):
        if not any(map(str.isdecimal, match[0])):
            continue
        if match[4] is None and not _SOLID.isdisjoint(match[0]):
            continue
        read = match[0].translate(_DIGITS)
        first, second = match[1].translate(_DIGITS), match[3].translate(_DIGITS)
        if is_day_and_month(first, second):
            yield match.start(), read


def _join_boxes(read: str) -> PlainText:
    plain = keep_text(read)
    letters = list(read)
    kept = np.ones(len(read), dtype=np.bool_)
    for match in _BOXES.finditer(read):
        if sum(map(str.isdecimal, match[0])) >= _FEWEST_BOXED:
            letters[match.start() : match.end()] = match[0].translate(_DIGITS)
            kept[match.start() + 1 : match.end() : 2] = False
    if kept.all():
        return plain
    return PlainText(
        "".join(c for c, stays in zip(letters, kept, strict=True) if stays), plain.sources[kept]
    )
