"""The shapes of words, which a tagger reads beside their pieces.

MiniLM's tokenizer lower-cases everything and drops line breaks, yet mostly case and layout
distinguish a name from a word. A checkpoint whose configuration says ``word_shapes`` has a token
type embedding for each shape; the piece ids carry the shape of their word (ADR 5).
"""

from collections.abc import Iterator
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase, digits

from tokenizers import Encoding

SHAPES = 32
"""Eight kinds of writing times four kinds of gap before the word."""
ID_BITS = 20
"""Low bits of a packed piece that hold the vocabulary id; no vocabulary here has a million."""

_OTHER, _LOWER, _TITLE, _UPPER, _INITIAL, _MIXED, _DIGITS, _CODE = range(8)
_GLUED, _BLANK, _WIDE, _BREAK = range(4)
_GAPS = 4
_ALIKE = str.maketrans(
    ascii_lowercase + ascii_uppercase + digits,
    "a" * len(ascii_lowercase) + "A" * len(ascii_uppercase) + "0" * len(digits),
)
"""Characters that make no other shape than each other."""
_MOST_KEPT = 4096


def pack_shapes(text: str, encoding: Encoding) -> list[int]:
    """Return each piece's vocabulary id with the shape of its word in the bits above ``ID_BITS``.

    Shape 0, which special pieces and padding have too, is a mark directly after the text before it.
    """
    shapes = word_shapes(text, encoding)
    return [id_ | shape << ID_BITS for id_, shape in zip(encoding.ids, shapes, strict=True)]


def word_shapes(text: str, encoding: Encoding) -> Iterator[int]:
    """Yield each piece's shape, ``0`` to ``SHAPES - 1``; pieces of one word share theirs."""
    # Each of the two properties makes a list of all pieces.
    words, offsets = encoding.word_ids, encoding.offsets
    # Pieces are in order, so the last piece of a word gives its end.
    ends = dict(zip(words, offsets, strict=True))
    drawn = text.translate(_ALIKE)
    last_word: int | None = -1
    last_end = shape = 0
    for word, (start, end) in zip(words, offsets, strict=True):
        if word != last_word or word is None:
            last = end if word is None else ends[word][1]
            pattern = drawn[start:last]
            # Letters of other scripts stand for themselves: a pattern of theirs is a word.
            read = _writing_of if pattern.isascii() else _find_writing
            shape = read(pattern) * _GAPS + _gap_before(text, last_end, start)
        last_word = word
        # To call max for every piece takes as long as the rest of the loop.
        if end > last_end:  # noqa: PLR1730
            last_end = end
        yield shape


@lru_cache(maxsize=_MOST_KEPT)
def _writing_of(pattern: str) -> int:
    """Return the kind of writing of an ASCII word whose letters and digits are made alike."""
    return _find_writing(pattern)


def _find_writing(word: str) -> int:
    """Return the kind of writing of a word."""
    if word.isalpha():
        return _case_of(word)
    letters, digits = any(map(str.isalpha, word)), any(map(str.isdigit, word))
    if not letters:
        return _DIGITS if digits else _OTHER
    return _CODE if digits else _case_of(word)


def _case_of(word: str) -> int:
    if word.islower():
        return _LOWER
    if word.isupper():
        return _UPPER if len(word) > 1 else _INITIAL
    return _TITLE if word[0].isupper() and word[1:].islower() else _MIXED


def _gap_before(text: str, end: int, start: int) -> int:
    between = text[end:start]
    if not between:
        return _BREAK if not end else _GLUED
    if between == " ":
        return _BLANK
    return _BREAK if "\n" in between or "\r" in between else _WIDE
