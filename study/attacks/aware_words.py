"""Undo word KNEO with its word vectors: how likely is an output, given an original?

An attacker who holds the vectors knows the neighbours of each word, and so which words each word
of an original can become, and how likely each of them. The words of an output are taken as
drawn from those of the candidate, in whatever order; one word in ten as drawn from nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from deidstream.models.kneo.words.words_and_numbers import cut_words, normal_word
from deidstream.study.attacks.word_rows import Similarities

Replacements = Callable[[str], Sequence[str]]
"""Returns the words that one word, in its normal form, may become: the nearest first."""

_FROM_NOTHING: Final = 0.1
_DIGITS: Final = 9


def chances_of_ranks(least: int, most: int) -> list[float]:
    """Return how likely the nearest word is drawn, the second nearest, and so on.

    Args:
        least: Smallest degree of obfuscation, from 1.
        most: Greatest; each degree between them is as likely.

    >>> chances_of_ranks(1, 2)
    [0.75, 0.25]
    """
    degrees = range(least, most + 1)
    return [
        sum(1 / degree for degree in degrees if rank < degree) / len(degrees)
        for rank in range(most)
    ]


@dataclass(frozen=True, slots=True)
class ExpectedWords:
    """For each word that candidates can become: which of them, and how often on average."""

    holders: dict[str, list[int]] = field(repr=False)
    times: dict[str, list[float]] = field(repr=False)
    """Share of the candidate's words that become it."""
    candidates: int


def expect_words(
    candidates: Sequence[str], replacements: Replacements, chances: Sequence[float]
) -> ExpectedWords:
    """Work out what the words of each candidate become; each different word is looked up once.

    Args:
        candidates: Texts, at least one.
        replacements: The neighbours of a word.
        chances: How likely the nearest is drawn, the second nearest, and so on.
    """
    bags = [_count_words(text) for text in candidates]
    becomes = {
        word: list(zip(replacements(word), chances, strict=False))
        for word in sorted({word for bag in bags for word in bag})
    }
    holders: dict[str, list[int]] = defaultdict(list)
    times: dict[str, list[float]] = defaultdict(list)
    for number, bag in enumerate(bags):
        for word, share in _expect_of(bag, becomes).items():
            holders[word].append(number)
            times[word].append(share)
    return ExpectedWords(dict(holders), dict(times), len(candidates))


def compare_likelihoods(expected: ExpectedWords, outputs: Sequence[str]) -> Iterator[Similarities]:
    """Yield how likely each output is, given each candidate.

    Yields:
        Shape ``(candidates,)``: the mean over the words of the output of the logarithm of how much
        likelier the candidate makes it than nothing does; 0 where no word can come of it.
    """
    # Of nothing, each word that some candidate can become is as likely.
    gain = (1 - _FROM_NOTHING) / _FROM_NOTHING * len(expected.holders)
    known = {
        word: (np.array(holders), np.log1p(gain * np.array(expected.times[word])))
        for word, holders in expected.holders.items()
    }
    for text in outputs:
        bag = _count_words(text)
        total = np.zeros(expected.candidates)
        for word in sorted(bag.keys() & known.keys()):
            holders, logarithms = known[word]
            total[holders] += bag[word] * logarithms
        yield np.round(total / max(bag.total(), 1), _DIGITS)


def _count_words(text: str) -> Counter[str]:
    return Counter(normal_word(token.text) for token in cut_words(text) if not token.is_number)


def _expect_of(bag: Counter[str], becomes: dict[str, list[tuple[str, float]]]) -> dict[str, float]:
    """Return the share of a candidate's words that become each word; sorted, so sums are one."""
    shares: dict[str, float] = defaultdict(float)
    for word in sorted(bag):
        for other, chance in becomes[word]:
            shares[other] += chance * bag[word] / bag.total()
    return shares
