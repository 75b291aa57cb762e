"""Cut a sentence into the small pieces that guards read: words, numbers and marks."""

import re
from collections.abc import Collection
from typing import Final
from zlib import crc32

# Codes such as B12, T2 or G2P1 are one token: their number says nothing without its letters.
_TOKEN: Final = re.compile(
    r"[^\W\d_]+\d\w*|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)?|[%.;:,]"
)


def tokens_of(text: str) -> list[str]:
    """Return the words, numbers and marks of a text, in order and in small letters.

    >>> tokens_of("Don't give 2.5mg at T2, LEFT-sided.")
    ["don't", 'give', '2.5', 'mg', 'at', 't2', ',', 'left', 'sided', '.']
    """
    return _TOKEN.findall(text.casefold().replace("\u2019", "'"))


def codes_of_terms(terms: Collection[str]) -> frozenset[int]:
    """Return 32-bit codes of terms: equal terms have equal codes, in every process."""
    return frozenset(crc32(term.encode("utf-8", "surrogatepass")) for term in terms)
