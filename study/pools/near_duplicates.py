"""Find sentences that share nearly all their words.

Exact, in memory linear in the number of words: sets whose Jaccard index is at least ``LEAST`` share
one of their few rarest words (prefix filter of Chaudhuri, Ganti and Kaushik, ICDE 2006), so only
sentences that do are compared.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from deidstream.models.references.common_lines import comparison_key

LEAST: Final = 0.9
"""Word Jaccard from which two sentences are near duplicates."""
_STEP: Final = 1_000
"""Sentences between two reports of progress."""


def _ignore(_done: int, _total: int) -> None:
    """Report nothing."""


def find_near_duplicates(
    texts: Sequence[str], progress: Callable[[int, int], None] = _ignore
) -> list[int]:
    """Return for each sentence the place of the first that it nearly repeats, or its own.

    A sentence is compared with those before it that repeat none themselves, so what a place stands
    for does not depend on what comes later.

    Args:
        texts: Sentences, in an order that is always the same.
        progress: Called now and then with the sentences done and in all.
    """
    sets = _WordSets.read(texts)
    postings: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
    first: list[int] = []
    for place in range(len(texts)):
        words = sets.of(place)
        prefix = words[: len(words) - math.ceil(LEAST * len(words)) + 1]
        found = _find_equal(words, prefix, postings, sets)
        first.append(place if found is None else found)
        if found is None:
            for word in prefix:
                postings[word].append(place)
        if place % _STEP == 0:
            progress(place, len(texts))
    progress(len(texts), len(texts))
    return first


def _find_equal(
    words: "array[int]",
    prefix: "array[int]",
    postings: "defaultdict[int, array[int]]",
    sets: "_WordSets",
) -> int | None:
    """Return the first place whose words are nearly these; places of one word ascend."""
    own = frozenset(words)
    best: int | None = None
    for word in prefix:
        if word not in postings:
            continue
        for place in postings[word]:
            if best is not None and place >= best:
                break
            size = sets.size(place)
            if LEAST * size <= len(own) and LEAST * len(own) <= size:
                shared = len(own.intersection(sets.of(place)))
                if shared >= LEAST * (len(own) + size - shared):
                    best = place
    return best


class _WordSets:
    """The word sets of sentences in one array, the rarest word of each first."""

    def __init__(self) -> None:
        self._words = array("I")
        self._ends = array("Q", [0])

    @classmethod
    def read(cls, texts: Sequence[str]) -> "_WordSets":
        codes: dict[str, int] = {}
        counts = Counter[int]()
        for text in texts:
            counts.update({codes.setdefault(w, len(codes)) for w in comparison_key(text).split()})
        rarest = sorted(counts, key=lambda code: (counts[code], code))
        ranks = {code: rank for rank, code in enumerate(rarest)}
        made = cls()
        for text in texts:
            words = {ranks[codes[word]] for word in comparison_key(text).split()}
            made._words.extend(sorted(words))
            made._ends.append(len(made._words))
        return made

    def of(self, place: int) -> "array[int]":
        return self._words[self._ends[place] : self._ends[place + 1]]

    def size(self, place: int) -> int:
        return self._ends[place + 1] - self._ends[place]
