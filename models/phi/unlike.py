"""Tell drawn words that must not stand in an output: too like the original, or offensive."""

from functools import cache

from deidstream.models.text.word_files import words_in

_TELLING = 4
"""Letters from which on a word within another, or but one letter off, gives it away."""
_UNFIT = "surrogates.unfit.txt"


def resembles(drawn: str, word: str) -> bool:
    """Return whether a drawn word gives another one away: the same, within it, one letter off.

    >>> resembles("bate", "tate"), resembles("lobo", "villalobos"), resembles("kane", "tate")
    (True, True, False)
    """
    if min(len(drawn), len(word)) < _TELLING:
        return drawn == word
    return drawn in word or word in drawn or is_one_letter_off(drawn, word)


def is_one_letter_off(drawn: str, word: str) -> bool:
    """Return whether one letter was exchanged, or one added somewhere inside; or none was."""
    short, long = sorted((drawn, word), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((n for n, c in enumerate(short) if c != long[n]), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


def is_unfit(drawn: str) -> bool:
    """Return whether a word of a drawn name is on the list of those that a reader stumbles over.

    They stay in the pools, which would otherwise give all other originals other surrogates.
    """
    unfit = _unfit()
    return any(word in unfit for word in drawn.casefold().replace("/", " ").split())


@cache
def _unfit() -> frozenset[str]:
    return words_in(_UNFIT)
