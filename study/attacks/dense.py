"""Dense retrieval: the cosine of notes, each the mean of the vectors of its sentences.

Sentences are added up in one order for all notes, and cosines are rounded. So equal notes tie, and
a similarity depends neither on the order of notes nor on that of sentences.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.study.attacks.sentence_table import Embed, SentenceTable, embed_sentences
from deidstream.study.attacks.word_rows import Similarities

Vectors = NDArray[np.float64]

_DIGITS: Final = 9
"""Notes with the same shares of sentences tie, whatever the rounding of their sums."""


def embed_notes(table: SentenceTable, embed: Embed, dimension: int) -> Vectors:
    """Embed each note: the mean of the vectors of its sentences, at unit length.

    The sentences' own vectors are dropped as soon as they are added up.

    Args:
        table: The notes.
        embed: Embeds sentences.
        dimension: Length of a vector.

    Returns:
        Shape ``(len(table.notes), dimension)``; a row of zeros for a note without a sentence.
    """
    holders = _find_holders(table)
    sums = np.zeros((len(table.notes), dimension))
    for start, vectors in embed_sentences(table, embed):
        for place, vector in enumerate(vectors.astype(np.float64), start):
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
