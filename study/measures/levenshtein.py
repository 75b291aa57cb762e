"""How far the words of a text are, at least, from given words: Levenshtein over n-grams.

Source: Pissarra et al., "Unlocking the Potential of Large Language Models for Clinical Text
Anonymization" (2024), whose ALID compares an entity with the most similar n-gram of the output; the
distance is divided by the longer of the two. Here n is the number of words of the entity.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Words = tuple[str, ...]


def find_dissimilarities(wanted: Sequence[Words], text: Sequence[str]) -> list[float]:
    """Return for each sequence of words its distance to the nearest n-gram of a text.

    Args:
        wanted: Each of at least one word.
        text: The words of a text; of a text with fewer words the whole is compared.

    Returns:
        0 where the words stand in the text, 1 where no letter of them does.
    """
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, words in enumerate(wanted):
        by_length[len(words)].append(place)
    found = [1.0] * len(wanted)
    for length, places in by_length.items():
        grams = _list_ngrams(text, length)
        table = GramTable.of(sorted(grams))
        for place in places:
            written = " ".join(wanted[place])
            found[place] = 0.0 if written in grams else table.nearest(written)
    return found


def _list_ngrams(text: Sequence[str], length: int) -> set[str]:
    ends = range(length, len(text) + 1) if len(text) >= length else [len(text)]
    return {" ".join(text[max(0, end - length) : end]) for end in ends} - {""}


class GramTable:
    """N-grams as rows of characters, compared with a text all at once."""

    __slots__ = ("_lengths", "_rows")

    def __init__(self, rows: NDArray[np.int32], lengths: NDArray[np.int64]) -> None:
        """Take rows of code points, filled up with -1, and how long each of them is."""
        self._rows, self._lengths = rows, lengths

    @classmethod
    def of(cls, grams: Sequence[str]) -> "GramTable":
        """Lay n-grams out."""
        longest = max(map(len, grams), default=0)
        rows = np.full((len(grams), longest), -1, np.int32)
        for row, gram in zip(rows, grams, strict=True):
            row[: len(gram)] = [ord(sign) for sign in gram]
        return cls(rows, np.array([len(gram) for gram in grams], np.int64))

    def nearest(self, text: str) -> float:
        """Return the least normalised distance of a text to the n-grams; 1 if there are none."""
        if not len(self._lengths):
            return 1.0
        best = 1.0
        # Those of about its own length first: a distance is never less than the difference.
        gaps = np.abs(self._lengths - len(text)) / np.maximum(self._lengths, len(text))
        for part in np.array_split(np.argsort(gaps, kind="stable"), 4):
            near = part[gaps[part] < best]
            if len(near):
                best = min(best, float(self._compare(text, near).min()))
        return best

    def _compare(self, text: str, places: NDArray[np.int64]) -> NDArray[np.float64]:
        lengths = self._lengths[places]
        rows = self._rows[places, : int(lengths.max())]
        columns = rows.shape[1] + 1
        steps = np.arange(columns)
        before = np.broadcast_to(steps, (len(places), columns)).astype(np.int64)
        for number, sign in enumerate(text, 1):
            now = np.empty_like(before)
            now[:, 0] = number
            now[:, 1:] = np.minimum(before[:, :-1] + (rows != ord(sign)), before[:, 1:] + 1)
            # An insertion costs one for each sign: the least of all before, with their distance.
            before = np.minimum.accumulate(now - steps, axis=1) + steps
        distances = before[np.arange(len(places)), lengths]
        shares: NDArray[np.float64] = distances / np.maximum(lengths, len(text))
        return shares
