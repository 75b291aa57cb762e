"""The words around a replaced span, for DeIDClinic's risk measure, and their vectors."""

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import re2
from numpy.typing import NDArray

from deidstream.models.time_budget import within_time

_WORD = re2.compile(r"[^\s\p{Z}]+")
_LONGEST_WORD: Final = 40
"""Characters of the longest word that counts as a whole."""
_OF_LONGER: Final = 12
"""Characters that count of a longer one: no language has such words, and one of a megabyte would be
embedded again for each span near it."""

FREE: Final = 30_000
"""Characters of contexts that any text may have embedded: some 500 contexts."""

GRID: Final = 2048
"""Steps of a unit. Whole multiples of 1/2048 up to 1 fit float16, and a product of two rows on
this grid is a sum of whole multiples of 2**-22 that never passes 4: float32 holds every partial sum
exactly, so a product does not depend on the shape of the batch or the order of its terms."""


@dataclass(frozen=True, slots=True, order=True)
class Highlighted:
    """``[start, end)`` in code points of a text, and the label written in its place."""

    start: int
    end: int
    label: str


def take_contexts(text: str, marked: Sequence[Highlighted], words: int) -> list[str]:
    """Take the words around each marked range, in the order given.

    The range itself is left out; of other marked ranges the label is written instead of the text,
    so that no surrogate makes a context look rare or common. Ranges may not overlap.

    Args:
        text: The whole note.
        marked: Ranges of ``text``.
        words: How many words on either side, at least 1.

    Returns:
        One string a range, words joined by one space; empty where the range is the whole text.

    Source:
        DeIDClinic, section 3.3.4: five words on either side.
    """
    tokens = list(_cut_tokens(text, sorted(marked)))
    starts = [token[0] for token in tokens]
    contexts: list[str] = []
    for mark in within_time(marked):
        at = bisect.bisect_left(starts, mark.start)
        near = tokens[max(0, at - words) : at] + tokens[at + 1 : at + 1 + words]
        contexts.append(" ".join(word for _, word in near))
    return contexts


def choose_places(contexts: Sequence[str], length: int) -> Sequence[int]:
    """Choose which contexts are assessed: all, unless together they are much longer than the text.

    Those of ordinary notes are about as long as the note. Yet each word is in up to ten contexts:
    a text with a replaced range beside every other word would be embedded several times over. Of
    such a text contexts at even distances are assessed.

    Args:
        contexts: Of one text, in order.
        length: Of the text.
    """
    limit = max(FREE, length * 5 // 4)
    total = sum(map(len, set(contexts)))
    if total <= limit:
        return range(len(contexts))
    kept = max(1, len(contexts) * limit // total)
    return [number * len(contexts) // kept for number in range(kept)]


def _cut_tokens(text: str, marked: Sequence[Highlighted]) -> Iterator[tuple[int, str]]:
    """Yield the words between marked ranges, and one token for each range."""
    begin = 0
    for mark in marked:
        yield from _cut_words(text, begin, mark.start)
        yield mark.start, mark.label
        begin = mark.end
    yield from _cut_words(text, begin, len(text))


def _cut_words(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for match in _WORD.finditer(text[start:end]):
        word = text[start + match.start() : start + match.end()]
        if any(c.isalnum() for c in word):
            shown = word if len(word) <= _LONGEST_WORD else word[:_OF_LONGER]
            yield start + match.start(), shown


def snap_to_grid(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Round each component to a multiple of 1/2048.

    Args:
        rows: Shape ``(n, d)``, rows of unit length.

    Returns:
        The same shape. A cosine changes by less than 0.002, usually by 0.0002.
    """
    step = np.float32(1 / GRID)
    snapped: NDArray[np.float32] = np.rint(rows / step).astype(np.float32) * step
    return snapped
