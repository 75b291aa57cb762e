"""Tell the spelling variants of a word, which may not stand in its place."""

from collections.abc import Iterator
from typing import Final

LONGEST: Final = 48
"""Letters of the longest words; a longer run of letters is no word."""
_SHORTEST: Final = 4
"""Shorter words differ from one another by a letter, and are still other words."""
_BEGINNING: Final = "^"
"""Tells the beginning of a word from a whole one."""
_ENDINGS: Final = (
    "'s", "ations", "ation", "ingly", "ities", "ings", "ions", "ical", "ally", "edly", "ing", "ion",
    "ies", "ied", "ity", "als", "ers", "est", "es", "ed", "er", "ly", "al", "ic", "y", "s", "e",
)  # fmt: skip
"""Endings of inflected and derived forms, the longest first."""


def spelling_keys(word: str) -> frozenset[str]:
    """Return the keys of a word: two words are spelling variants if they share one.

    The keys are the word and, of words of four letters and more, its stem, its beginning without
    four letters, and the word less any one letter (after Garbe's symmetric delete). So a letter
    more, less, changed or exchanged with its neighbour is a variant, and so are plurals, other
    forms of one stem, and words that begin with the other and are little longer.

    Args:
        word: In its normal form. One of more than ``LONGEST`` letters has itself as its only key.
    """
    return frozenset({word}) if len(word) > LONGEST else frozenset(_yield_keys(word))


def _yield_keys(word: str) -> Iterator[str]:
    yield word
    plain = word.replace("'", "")
    yield plain
    if len(plain) >= _SHORTEST:
        yield _stem(plain)
        yield _BEGINNING + plain[: max(_SHORTEST, len(plain) - _SHORTEST)]
        for at in range(len(plain)):
            yield plain[:at] + plain[at + 1 :]


def _stem(word: str) -> str:
    """Return a word without its ending and without a doubled last letter."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            stem = word[: -len(ending)]
            return stem[:-1] if stem[-1] == stem[-2] else stem
    return f"{word[:-1]}i" if word[-1] == "y" else word
