"""The character n-grams by which FastText makes vectors of words that it has not learnt.

Source: Bojanowski, Grave, Joulin and Mikolov, "Enriching Word Vectors with Subword Information"
(TACL 2017), section 3.2; borders, order and hash are those of fastText and gensim.
"""

from collections.abc import Iterator
from typing import Final

_BEGIN, _END = "<", ">"
_OFFSET: Final = 2_166_136_261
_PRIME: Final = 16_777_619
_MASK: Final = 0xFFFF_FFFF


def ngram_rows(word: str, shortest: int, longest: int, rows: int) -> list[int]:
    """Return the row of each n-gram of a word, in the order of fastText.

    Args:
        word: In its normal form.
        shortest: Characters of the shortest n-gram.
        longest: Of the longest.
        rows: How many rows there are; n-grams share them by their hash.
    """
    return [hash_ngram(each.encode()) % rows for each in _cut_ngrams(word, shortest, longest)]


def _cut_ngrams(word: str, shortest: int, longest: int) -> Iterator[str]:
    framed = f"{_BEGIN}{word}{_END}"
    for start in range(len(framed)):
        for end in range(start + shortest, min(start + longest, len(framed)) + 1):
            # A single letter beside a border tells nothing.
            if end - start > 1 or 0 < start < len(framed) - 1:
                yield framed[start:end]


def hash_ngram(ngram: bytes) -> int:
    """Return the FNV-1a hash of an n-gram, with bytes taken as signed, as fastText does."""
    value = _OFFSET
    for byte in ngram:
        signed = byte - 256 if byte > 127 else byte  # noqa: PLR2004  the sign bit
        value = ((value ^ (signed & _MASK)) * _PRIME) & _MASK
    return value
