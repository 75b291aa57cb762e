"""Alignment of sentences: each sentence of an output counts for its nearest one of a candidate.

It holds where sentences were shuffled, left out, or merged with those of other notes. A candidate's
similarity is the mean, over the sentences of the output, of the similarity of the nearest of its
own sentences. Sentences are compared by their vectors or by their words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.study.attacks.sentence_table import Embed, SentenceTable, embed_sentences
from deidstream.study.attacks.tfidf import compare_rare_words
from deidstream.study.attacks.word_rows import Similarities

Bags = Sequence[Counter[int]]
"""For each note, how often it holds each sentence of a table."""
SentenceRows = Iterable[NDArray[np.float64] | NDArray[np.float32]]
"""For each sentence of the outputs, its similarity to each sentence of the candidates: both are
listed note by note, and each sentence of a note once."""

_SCALE: Final = 2048
"""Length of vectors of whole numbers. Its square is far below 2**24, and so is each part of a
product of two: a sum of 32-bit floats holds it exactly, in whatever order it is added up."""
_AT_ONCE: Final = 256
_DIGITS: Final = 9
"""Notes with the same shares of sentences tie, whatever the rounding of their sums."""


def compare_alignments(
    candidates: Bags, outputs: Bags, rows: SentenceRows
) -> Iterator[Similarities]:
    """Yield the similarities of each output to all candidates.

    Args:
        candidates: Notes, at least one.
        outputs: Notes.
        rows: The similarities of their sentences.

    Yields:
        Shape ``(len(candidates),)``; 0 where either has no sentence.
    """
    sizes = np.array([len(note) for note in candidates])
    filled = np.flatnonzero(sizes)
    starts = (np.cumsum(sizes) - sizes)[filled]
    left = iter(rows)
    for output in outputs:
        total = np.zeros(len(candidates))
        for sentence in sorted(output):
            nearest = np.maximum.reduceat(next(left), starts) if len(filled) else 0.0
            total[filled] += output[sentence] * nearest
        yield np.round(total / max(output.total(), 1), _DIGITS)


def list_sentences(notes: Bags) -> list[int]:
    """List the sentences of some notes, note by note, each sentence of a note once."""
    return [sentence for note in notes for sentence in sorted(note)]


def compare_by_words(
    table: SentenceTable, candidates: Sequence[int], outputs: Sequence[int]
) -> SentenceRows:
    """Compare sentences by the cosine of their words, rare ones first, as notes by ``tfidf``."""
    one, other = ([table.sentences[each] for each in ids] for ids in (candidates, outputs))
    return compare_rare_words(one, other)


def embed_whole(table: SentenceTable, embed: Embed) -> NDArray[np.float32]:
    """Embed each sentence of a table once, as a vector of whole numbers of length 2,048."""
    parts = [np.round(vectors * _SCALE) for _, vectors in embed_sentences(table, embed)]
    return np.concatenate(parts) if parts else np.zeros((0, 1), np.float32)


def compare_by_vectors(
    vectors: NDArray[np.float32], candidates: Sequence[int], outputs: Sequence[int]
) -> SentenceRows:
    """Compare sentences by the cosine of their vectors, those of ``embed_whole``."""
    columns = np.ascontiguousarray(vectors[np.asarray(candidates, np.int64)].T)
    for start in range(0, len(outputs), _AT_ONCE):
        some = np.asarray(outputs[start : start + _AT_ONCE], np.int64)
        yield from (vectors[some] @ columns) / np.float32(_SCALE**2)
