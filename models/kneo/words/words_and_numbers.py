"""Cut a text into words and numbers; everything between them is punctuation and white space.

Training and substitution cut alike, so a word of a note is looked up as it was learnt.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import re2

from deidstream.models.text.folding import fold_short

# Enclosed letters are symbols to Unicode, and letters to readers.
_LETTER: Final = (
    r"[\p{L}\p{M}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}"
    r"\x{1F1E6}-\x{1F1FF}]"
)
_TOKEN: Final = re2.compile(rf"({_LETTER}+(?:['\x{{2019}}]{_LETTER}+)*)|\p{{N}}+(?:[.,]\p{{N}}+)*")
_CODE: Final = re2.compile(r"[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*")
_PARTS: Final = re2.compile("[.-]")
_LONG_NUMBER: Final = re2.compile("[0-9]{4}")
_POSSESSIVE: Final = ("'s", "\u2019s", "'S", "\u2019S")


@dataclass(frozen=True, slots=True)
class WordOrNumber:
    """``[start, end)`` of a text: a word without the ``'s`` of a possessive, or a number."""

    start: int
    end: int
    text: str = field(repr=False)
    is_number: bool


def cut_words(text: str) -> Iterator[WordOrNumber]:
    """Yield the words and numbers of a text in order.

    A word is a run of letters, also over an apostrophe (``don't``); a number is a run of digits,
    also over a decimal point or comma. ``T2DM`` is a word, a number and a word.
    """
    for found in _TOKEN.finditer(text):
        start = found.start()
        token = text[start : found.end()]
        word = token[:-2] if token.endswith(_POSSESSIVE) else token
        yield WordOrNumber(start, start + len(word), word, found.group(1) is None)


def find_codes(text: str) -> Iterator[tuple[int, int]]:
    """Yield ``[start, end)`` of the codes of a text, in order.

    A code is letters and digits in one, also over ``.`` and ``-``, that has both in one of its
    parts: ``T2DM``, ``E11.9``, ``L4-L5``. More than three digits in a row are no code: numbers of
    records and devices are longer.

    >>> text = "T2DM (E11.9), L4-L5 and 40mg, follow-up of MRN AB10442-7 in COVID-19"
    >>> [text[start:end] for start, end in find_codes(text)]
    ['T2DM', 'E11.9', 'L4-L5', '40mg']
    """
    for found in _CODE.finditer(text):
        code = found.group()
        mixed = any(not (part.isalpha() or part.isdigit()) for part in _PARTS.split(code))
        if mixed and not _LONG_NUMBER.search(code):
            yield found.span()


def normal_word(word: str) -> str:
    """Return a word as vocabularies have it: case, accents and look-alike letters folded."""
    return "".join(c for c in fold_short(word) if c.isalnum() or c == "'")
