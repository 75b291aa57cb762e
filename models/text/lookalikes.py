"""Read letters of other scripts that only look like Latin ones or digits as what they look like."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import MappingProxyType

from deidstream.models.text.characters import is_invisible, plain
from deidstream.models.text.word_files import read_data

_MICRO = "\u03bc\u00b5"
_IN_MEDICINE = frozenset("\u03b1\u03b2\u03b3\u03ba\u03c9" + _MICRO)
"""Greek letters that medicine writes at the edge of Latin words: alpha of TNF, micro of a gram."""
_LONG = 5
"""Letters of a word before which such a letter is no prefix."""
_AS_DIGITS = MappingProxyType({"O": "0", "o": "0", "I": "1", "l": "1", "i": "1"})
_FEWEST = 2
"""Letters of the shortest word that is taken for Latin though all its letters are foreign."""


def read_letters(text: str, *, sparing: bool = False) -> str:
    """Replace look-alikes in words that hold Latin letters too, and in numbers.

    The result is as long as the text, and a word's letters depend on that word alone.

    Args:
        text: Any text.
        sparing: Leave the Greek letters that medicine writes at the edge of a word, which only a
            comparison can afford to change; and read a word of nothing but look-alikes as Latin,
            where no word of the text is truly of another script.
    """
    alike = look_alikes()
    if text.isascii() or alike.keys().isdisjoint(text):
        return text
    letters = list(text)
    alien = sparing and not _has_foreign_words(text)
    for start, end in _words(text):
        word = text[start:end]
        letters[start:end] = _read(word, sparing=sparing, alien=alien)
    return "".join(letters)


@lru_cache(maxsize=1)
def look_alikes() -> MappingProxyType[str, str]:
    """Return the ASCII letter or digit that each look-alike stands for."""
    rows = [line.split() for line in read_data("confusables.txt").splitlines()]
    table = {chr(int(code, 16)): row[0] for row in rows if row[0] != "#" for code in row[1:]}
    return MappingProxyType(table)


def _read(word: str, *, sparing: bool, alien: bool) -> list[str]:
    alike = look_alikes()
    seen = [(place, c) for place, c in enumerate(word) if not is_invisible(c)]
    kept = [c for _, c in seen if c not in alike]
    read = list(word)
    latin, number = any(map(_is_latin, kept)), any(map(str.isdecimal, kept))
    wholly = alien and not kept and len(seen) >= _FEWEST
    for at, (place, c) in enumerate(seen):
        if c in alike and (latin or number or wholly):
            before, after = (_seen(seen, near) for near in (at - 1, at + 1))
            counted = before.isdecimal() and after.isdecimal()
            if not (sparing and c in _IN_MEDICINE and _is_medical(word, c, before, after)):
                read[place] = _digit(alike[c]) if counted or not (latin or wholly) else alike[c]
    return read


def _seen(seen: Sequence[tuple[int, str]], at: int) -> str:
    c = seen[at][1] if 0 <= at < len(seen) else ""
    return look_alikes().get(c, c)


def _digit(letter: str) -> str:
    return _AS_DIGITS.get(letter, letter)


def _is_medical(word: str, c: str, before: str, after: str) -> bool:
    if before and after:
        return not (before.isalpha() and after.isalpha())
    heads = after.islower() and len(word) >= _LONG and c not in _MICRO
    return not (heads or before.islower())


def _is_latin(c: str) -> bool:
    return any(p.isascii() and p.isalpha() for p in plain(c))


def _has_foreign_words(text: str) -> bool:
    alike = look_alikes()
    for start, end in _words(text):
        rest = [c for c in text[start:end] if c not in alike and not is_invisible(c)]
        if rest and not any(map(_is_latin, rest)) and any(map(str.isalpha, rest)):
            return True
    return False


def _words(text: str) -> Iterator[tuple[int, int]]:
    """Find the words that hold a look-alike, each once."""
    alike = look_alikes()
    end = 0
    for place, c in enumerate(text):
        if place < end or c not in alike:
            continue
        start = place
        while start > end and _is_of_word(text[start - 1]):
            start -= 1
        end = place + 1
        while end < len(text) and _is_of_word(text[end]):
            end += 1
        yield start, end


def _is_of_word(c: str) -> bool:
    return c.isalnum() or is_invisible(c)
