"""Read characters as a reader sees them: plain, or as the Latin letters that they look like."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import MappingProxyType

from deidstream.models.text.word_files import lines

_MARKS = (
    range(0x0300, 0x0370),
    range(0x1AB0, 0x1B00),
    range(0x1DC0, 0x1E00),
    range(0x20D0, 0x2100),
)
"""Combining marks of Latin letters and digits."""
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0000, 0xE1000))
_SPACE_LIKE = frozenset("\u2800")
_LINE_ENDS = frozenset("\x0b\x0c\x85\u2028\u2029")
_SEPARATORS = frozenset("\x07\x13\x14\x15\x1c\x1d\x1e\x1f\x7f")
"""Controls by which ASCII and word processors separate fields and cells, and DEL."""
_UNDECODED = "\ufffd"
_RAISED = ("<super>", "<sub>", "<fraction>")
"""Digits beside a number that are no part of it: 10\u00b3, m\u00b2."""
_LETTERED = (0x1F150, 0x1F170, 0x1F1E6)
"""First of the runs of 26 enclosed capitals that Unicode does not decompose."""
_SIGNS = frozenset("@./:-()#+_&,'")
SLASHES = frozenset("\u2044\u2215")
"""Those of fractions and of division, which are read as the plain one."""
_SURROGATES = range(0xD800, 0xE000)
_MICRO = "\u03bc\u00b5"
_IN_MEDICINE = frozenset("\u03b1\u03b2\u03b3\u03ba\u03c9" + _MICRO)
"""Greek letters that medicine writes at the edge of Latin words: alpha of TNF, micro of a gram."""
_SHORTEST_PREFIXED = 5
"""Letters of a word that such a letter cannot be a prefix of."""
_AS_DIGITS = MappingProxyType({"O": "0", "o": "0", "I": "1", "l": "1", "i": "1"})
_SHORTEST_FOREIGN = 2
"""Letters of the shortest word that is read as Latin though all its letters are look-alikes."""


@lru_cache(maxsize=65_536)
def plain_form(c: str) -> str:
    r"""Return what a reader sees of ``c``: itself, its ASCII form, or nothing when it is invisible.

    Nothing: default-ignorable characters, soft hyphens, direction controls, other controls but tab
    and line ends, and marks on Latin letters. White space of any kind is a space, its line ends
    ``\n``, a digit of any script the ASCII one; full-width, mathematical and enclosed letters are
    ASCII (Unicode NFKC). Half a surrogate pair is a question mark, as in the encoded text.
    """
    if " " <= c <= "~" or c in "\t\n\r":
        return c
    if is_invisible(c):
        return ""
    if ord(c) in _SURROGATES:
        return "?"
    if c.isspace() or c in _SPACE_LIKE:
        return "\n" if c in _LINE_ENDS else " "
    return str(unicodedata.decimal(c)) if c.isdecimal() else _ascii_form(c)


def separate_words(text: str) -> str:
    r"""Write white space for what separates words and is not white space to tokenizers.

    Tokenizers drop controls and invisible characters, and so make one word of two. Ends of lines
    become ``\n``, other separators a blank; the result is as long as the text. An invisible
    character, or one that could not be decoded, separates words only if a capitalised word
    follows: else it may be within a word.

    >>> separate_words("Oduya\x0bDenies"), separate_words("Oduya\u200bDenies")
    ('Oduya\nDenies', 'Oduya Denies')
    >>> separate_words("Odu\u00adya") == "Odu\u00adya"
    True
    """
    found = "".join(c for c in set(text) if _may_separate(c))
    if not found:
        return text
    letters = list(text)
    for match in re.finditer(f"[{re.escape(found)}]+", text):
        start, end = match.span()
        if not _LINE_ENDS.isdisjoint(match.group()):
            letters[start:end] = "\n" * (end - start)
        elif not _SEPARATORS.isdisjoint(match.group()) or (
            text[max(0, start - 1) : start].isalnum() and _begins_capitalised(text[end : end + 2])
        ):
            letters[start:end] = " " * (end - start)
    return "".join(letters)


@lru_cache(maxsize=65_536)
def _may_separate(c: str) -> bool:
    if " " <= c <= "~" or c in "\t\n\r":
        return False
    if c in _LINE_ENDS or c in _SEPARATORS or c == _UNDECODED:
        return True
    return is_invisible(c) and unicodedata.category(c) in {"Cc", "Cf"}


def _begins_capitalised(text: str) -> bool:
    return text[:1].isupper() and text[1:].islower()


@lru_cache(maxsize=65_536)
def is_invisible(c: str) -> bool:
    """Return whether a reader sees nothing of a character."""
    code = ord(c)
    if c in _FILLERS or any(code in run for run in (*_SELECTORS, *_MARKS)):
        return True
    control = unicodedata.category(c) == "Cc" and not c.isspace()
    return control or unicodedata.category(c) == "Cf"


def _ascii_form(c: str) -> str:
    for first in _LETTERED:
        if first <= ord(c) < first + 26:
            return chr(ord("A") + ord(c) - first)
    if c in SLASHES:
        return "/"
    form = unicodedata.normalize("NFKC", c)
    if form == c or not form.isascii() or unicodedata.decomposition(c).startswith(_RAISED):
        return c
    if any(map(str.isalnum, form)):
        return form.strip("().,")
    return form if form in _SIGNS else c


def read_look_alikes(text: str, *, sparing: bool = False) -> str:
    """Replace look-alikes in words that hold Latin letters too, and in numbers.

    The result is as long as the text, and a word's letters depend on that word alone.

    Args:
        text: Any text.
        sparing: Leave the Greek letters that medicine writes at the edge of a word, which only a
            comparison can afford to change; and read a word of nothing but look-alikes as Latin,
            where no word of the text is truly of another script.
    """
    alike = look_alikes()
    if text.isascii() or alike.keys().isdisjoint(set(text)):
        return text
    letters = list(text)
    alien = sparing and not _has_foreign_words(text)
    for start, end in _find_words_with_look_alikes(text):
        word = text[start:end]
        letters[start:end] = _read_word(word, sparing=sparing, alien=alien)
    return "".join(letters)


@lru_cache(maxsize=1)
def look_alikes() -> MappingProxyType[str, str]:
    """Return the ASCII letter or digit that each look-alike is read as."""
    rows = [line.split() for line in lines("confusables.txt")]
    table = {chr(int(code, 16)): row[0] for row in rows for code in row[1:]}
    return MappingProxyType(table)


def _read_word(word: str, *, sparing: bool, alien: bool) -> list[str]:
    alike = look_alikes()
    seen = [(place, c) for place, c in enumerate(word) if not is_invisible(c)]
    kept = [c for _, c in seen if c not in alike]
    read = list(word)
    latin, number = any(map(_is_latin, kept)), any(map(str.isdecimal, kept))
    wholly = alien and not kept and len(seen) >= _SHORTEST_FOREIGN
    for at, (place, c) in enumerate(seen):
        if c in alike and (latin or number or wholly):
            before, after = (_neighbour(seen, near) for near in (at - 1, at + 1))
            counted = before.isdecimal() and after.isdecimal()
            if not (sparing and c in _IN_MEDICINE and _is_medical(word, c, before, after)):
                read[place] = _as_digit(alike[c]) if counted or not (latin or wholly) else alike[c]
    return read


def _neighbour(seen: Sequence[tuple[int, str]], at: int) -> str:
    c = seen[at][1] if 0 <= at < len(seen) else ""
    return look_alikes().get(c, c)


def _as_digit(letter: str) -> str:
    return _AS_DIGITS.get(letter, letter)


def _is_medical(word: str, c: str, before: str, after: str) -> bool:
    if before and after:
        return not (before.isalpha() and after.isalpha())
    heads = after.islower() and len(word) >= _SHORTEST_PREFIXED and c not in _MICRO
    return not (heads or before.islower())


def _is_latin(c: str) -> bool:
    return any(p.isascii() and p.isalpha() for p in plain_form(c))


def _has_foreign_words(text: str) -> bool:
    alike = look_alikes()
    for start, end in _find_words_with_look_alikes(text):
        rest = [c for c in text[start:end] if c not in alike and not is_invisible(c)]
        if rest and not any(map(_is_latin, rest)) and any(map(str.isalpha, rest)):
            return True
    return False


def _find_words_with_look_alikes(text: str) -> Iterator[tuple[int, int]]:
    """Find the words that hold a look-alike, each once."""
    alike = look_alikes()
    end = 0
    for place, c in enumerate(text):
        if place < end or c not in alike:
            continue
        start = place
        while start > end and _belongs_to_word(text[start - 1]):
            start -= 1
        end = place + 1
        while end < len(text) and _belongs_to_word(text[end]):
            end += 1
        yield start, end


def _belongs_to_word(c: str) -> bool:
    return c.isalnum() or is_invisible(c)
