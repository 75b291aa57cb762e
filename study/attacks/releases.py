"""Combine several outputs of one original, as one who was given them all would."""

from collections.abc import Sequence

from deidstream.study.attacks.word_rows import split_words


def join_releases(texts: Sequence[str]) -> str:
    """Return all outputs as one text, so that vectors and counts of words are averaged.

    An output that is there again adds nothing.
    """
    return "\n\n".join(dict.fromkeys(texts))


def intersect_releases(texts: Sequence[str]) -> str:
    """Return the words that all outputs hold, in the order of the words."""
    return " ".join(sorted(set.intersection(*(set(split_words(text)) for text in texts))))


def choose_counts(releases: int) -> list[int]:
    """Return the numbers of releases that are combined: 1, 2, 4 and so on, and all.

    >>> choose_counts(6)
    [1, 2, 4, 6]
    """
    return sorted({*(2**power for power in range(releases.bit_length())), releases})
