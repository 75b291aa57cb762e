"""Dense retrieval: the cosine of notes, each the mean of the vectors of its sentences.

Sentences are added up in one order for all notes, and cosines are rounded. So equal notes tie, and
a similarity depends neither on the order of notes nor on that of sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.attacks.word_rows import Similarities
from deidstream.models.text.sentences import split_sentences

Vectors = NDArray[np.float64]

_DIGITS: Final = 9
"""Notes with the same shares of sentences tie, whatever the rounding of their sums."""
_AT_ONCE: Final = 256
"""Sentences that are embedded in one call."""


@dataclass(frozen=True, slots=True)
class SentenceTable:
    """The sentences of several notes; one that returns is embedded once."""

    sentences: Sequence[str] = field(repr=False)
    """All different. Long ones come first: those of one call are of about one length, and neither
    memory nor the remaining time grows on the way."""
    notes: Sequence[Counter[int]] = field(repr=False)
    """For each note, how often it holds each sentence."""


def read_sentences(texts: Sequence[str]) -> SentenceTable:
    """Cut notes into sentences."""
    cut = [[text[s.start : s.end] for s in split_sentences(text)] for text in texts]
    distinct = sorted({sentence for note in cut for sentence in note}, key=lambda s: (-len(s), s))
    numbers = {sentence: number for number, sentence in enumerate(distinct)}
    return SentenceTable(distinct, [Counter(map(numbers.__getitem__, note)) for note in cut])


def embed_notes(
    table: SentenceTable, embed: Callable[[Sequence[str]], NDArray[np.float32]], dimension: int
) -> Vectors:
    """Embed each note: the mean of the vectors of its sentences, at unit length.

    The sentences' own vectors are dropped as soon as they are added up.

    Args:
        table: The notes.
        embed: Returns a vector for each of up to 256 sentences, shape ``(n, dimension)``.
        dimension: Length of a vector.

    Returns:
        Shape ``(len(table.notes), dimension)``; a row of zeros for a note without a sentence.
    """
    holders = _find_holders(table)
    sums = np.zeros((len(table.notes), dimension))
    for start in range(0, len(table.sentences), _AT_ONCE):
        vectors = embed(table.sentences[start : start + _AT_ONCE]).astype(np.float64)
        for place, vector in enumerate(vectors, start):
            for note, count in holders[place]:
                sums[note] += count * vector
    lengths = np.sqrt(np.square(sums).sum(axis=1, keepdims=True))
    units: Vectors = sums / np.where(lengths > 0, lengths, 1.0)
    return units


def compare_vectors(candidates: Vectors, outputs: Vectors) -> Iterator[Similarities]:
    """Yield the cosines of each output with all candidates; both are rows of ``embed_notes``."""
    for output in outputs:
        yield np.round(candidates @ output, _DIGITS)


def _find_holders(table: SentenceTable) -> list[list[tuple[int, int]]]:
    """Return for each sentence the notes that hold it, and how often."""
    holders: list[list[tuple[int, int]]] = [[] for _ in table.sentences]
    for note, counts in enumerate(table.notes):
        for sentence, count in counts.items():
            holders[sentence].append((note, count))
    return holders
