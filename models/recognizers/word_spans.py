"""Read a tagger's probabilities word by word, and the words as spans."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Self

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from deidstream.models.recognizers.decode import (
    COLUMNS,
    COUNT,
    LABELS,
    NO_PHI,
    WHOLE,
    Thousandths,
    decode,
)
from deidstream.schemas.span import POSSIBLE, Span

_UNSEEN = frozenset({"Mn", "Mc", "Me", "Cf"})


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one note, as the tokenizer sees them; at least one."""

    first: NDArray[np.int64]
    """Place of each word's first piece."""
    starts: NDArray[np.int64] = field(repr=False)
    ends: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, text: str, encoding: Encoding) -> Self:
        """Group the pieces of ``text`` into words."""
        offsets = np.array(encoding.offsets, dtype=np.int64)
        first = np.array(list(_find_first_pieces(text, encoding)), dtype=np.int64)
        starts = np.minimum.reduceat(offsets[:, 0], first)
        return cls(first, starts, np.maximum.reduceat(offsets[:, 1], first))


@dataclass(frozen=True, slots=True)
class Meanings:
    """The meaning of a model's outputs."""

    labels: tuple[int, ...]
    """For each output 0, not PHI, or 1 plus the place of its label in ``LABELS``."""
    begins: tuple[bool, ...]
    """For each output whether it means that a span begins, or its label has no such output."""


def sum_by_label(probabilities: NDArray[np.float32], meanings: Meanings) -> Thousandths:
    """Sum a model's outputs by label and round them.

    Args:
        probabilities: Shape ``(pieces, outputs)``, each row summing to 1.
        meanings: Meanings of the outputs.

    Returns:
        Shape ``(pieces, 1 + 2 * labels)``. Outputs are added in their order, so that a row's sum
        never depends on the rows beside it.

    Raises:
        ValueError: A probability is NaN, which would read as no PHI.
    """
    if np.isnan(probabilities).any():
        msg = "the model answers with NaN"
        raise ValueError(msg)
    sums = np.zeros((COLUMNS, len(probabilities)), dtype=np.float32)
    for output, (label, begins) in enumerate(zip(meanings.labels, meanings.begins, strict=True)):
        sums[label] += probabilities[:, output]
        if label and begins:
            sums[COUNT + label] += probabilities[:, output]
    sums[0] = 1 - sums[0]
    return np.rint(sums.T * WHOLE).clip(0, WHOLE).astype(np.int16)


def read_spans(
    text: str, encoding: Encoding, scores: Thousandths, thresholds: NDArray[np.int16]
) -> Iterator[Span]:
    """Read one note's spans.

    A word is PHI as a whole when one of its pieces is; ``decode`` gives its label. Neighbouring
    words of one label are one span, whatever their B and I, unless the model sees a span begin with
    the first word of a line: within a line, fewer than one in a thousand spans touches another of
    its label. White space at the ends is left out; combining marks and invisible characters after
    the last letter, which tokenizers drop, are included.

    Yields:
        Spans by position. A score is the largest probability of being PHI among the span's words:
        a policy's threshold must not drop a sure name because of the doubtful word beside it.
    """
    words = Words.of(text, encoding)
    best = np.maximum.reduceat(scores, words.first, axis=0)
    labels = decode(best, thresholds)
    runs = _find_label_runs(labels, _find_openings(text, words, best, labels))
    for label, places in runs:
        start = int(words.starts[places[0]])
        start, end = _trim(text, start, int(words.ends[places[-1]]))
        if label != NO_PHI and start < end:
            score = int(best[places, 0].max()) / WHOLE
            yield Span(start, end, LABELS[label], score, "tagger")


def _find_label_runs(
    labels: list[int], openings: NDArray[np.bool_]
) -> Iterator[tuple[int, list[int]]]:
    """Gather neighbouring words of one label; an opening begins another run."""
    lines = openings.cumsum().tolist()
    for (label, _), alike in groupby(range(len(labels)), key=lambda at: (labels[at], lines[at])):
        yield label, list(alike)


def _find_openings(
    text: str, words: Words, best: Thousandths, labels: list[int]
) -> NDArray[np.bool_]:
    """Mark the words that begin a line and, by the model, rather begin a span than continue one."""
    found = np.zeros(len(labels), dtype=np.bool_)
    for at in range(1, len(labels)):
        label = labels[at]
        if label != NO_PHI and label == labels[at - 1]:
            begins = 2 * int(best[at, 1 + COUNT + label]) > int(best[at, 1 + label])
            found[at] = begins and "\n" in text[words.ends[at - 1] : words.starts[at]]
    return found


def possible_spans(
    text: str, encoding: Encoding, scores: Thousandths, least: int
) -> Iterator[Span]:
    """Yield where PHI is possible: runs of words with at least ``least`` thousandths of it.

    Their label means nothing; their score is the largest probability in the run.
    """
    words = Words.of(text, encoding)
    phi = np.maximum.reduceat(scores[:, 0], words.first)
    for is_possible, run in groupby(range(len(phi)), key=(phi >= least).__getitem__):
        if is_possible:
            places = list(run)
            start, end = int(words.starts[places[0]]), int(words.ends[places[-1]])
            if start < end:
                yield Span(start, end, LABELS[0], int(phi[places].max()) / WHOLE, POSSIBLE)


def _find_first_pieces(text: str, encoding: Encoding) -> Iterator[int]:
    last_word: int | None = -1
    last_end = 0
    for at, (word, (start, end)) in enumerate(
        zip(encoding.word_ids, encoding.offsets, strict=True)
    ):
        # Some tokenizers know no words, or count the white space before a word to it.
        if word != last_word or any(map(str.isspace, text[last_end : start + 1])):
            yield at
        last_word, last_end = word, max(last_end, end)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    while end < len(text) and unicodedata.category(text[end]) in _UNSEEN:
        end += 1
    return start, end
