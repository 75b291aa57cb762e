"""The sentences of several notes, each embedded once."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.text.sentences import split_sentences

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Returns a unit vector for each of up to 256 sentences, shape ``(n, dimension)``."""

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


def embed_sentences(
    table: SentenceTable, embed: Embed
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Yield the vectors of the sentences, some at once, and the number of the first of them."""
    for start in range(0, len(table.sentences), _AT_ONCE):
        yield start, embed(table.sentences[start : start + _AT_ONCE])
