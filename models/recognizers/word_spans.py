"""Turn a tagger's probabilities into labelled words, and the words into spans."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Self

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import POSSIBLE, Span

Thousandths = NDArray[np.int16]
"""Probabilities as whole thousandths, shape ``(pieces or words, 1 + 2 * labels)``.

Column 0 is the probability of being PHI at all; then each label's, in ``PhiLabel`` order; then the
probability that a span of the label begins here. Decisions are taken on these integers alone, so
that float noise below the quantum flips none.
"""

WHOLE = 1000
LABELS = tuple(PhiLabel)
COUNT = len(LABELS)
COLUMNS = 1 + 2 * COUNT

NO_PHI = -1
Breaks = Callable[[int], bool]
_UNSEEN = frozenset({"Mn", "Mc", "Me", "Cf"})

# Costs in thousandths of a nat, as integers: sums of them do not depend on the machine.
_COST = np.rint(-WHOLE * np.log((np.arange(WHOLE + 1) + 0.5) / (WHOLE + 1))).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which probability of being PHI on a word is PHI, in thousandths."""

    by_label: NDArray[np.int16] = field(repr=False)
    """By the most probable label of the word, in ``PhiLabel`` order."""
    beside: int = WHOLE
    """Threshold of a word beside one that is PHI, on the same line; ``WHOLE``: no other one."""


def find_words(words: Thousandths, thresholds: Thresholds, breaks: Breaks) -> NDArray[np.bool_]:
    """Mark the words that are PHI.

    A word is PHI when its probability of being PHI reaches the threshold of its most probable
    label: which PHI it is does not count against it. So are words that are possible enough and
    beside it, and those beside them, up to the ends of the line (hysteresis).

    Args:
        words: Shape ``(words, 1 + 2 * labels)``.
        thresholds: What is PHI.
        breaks: Returns whether a line ends before the word of a number.
    """
    found: NDArray[np.bool_] = words[:, 0] >= thresholds.by_label[_find_likely(words)]
    if thresholds.beside < WHOLE:
        doubtful = np.flatnonzero(~found & (words[:, 0] >= thresholds.beside)).tolist()
        for at in doubtful:
            found[at] = at > 0 and found[at - 1] and not breaks(at)
        for at in reversed(doubtful):
            following = at + 1 < len(found) and found[at + 1] and not breaks(at + 1)
            found[at] = found[at] or following
    return found


def decode(words: Thousandths, found: NDArray[np.bool_]) -> list[int]:
    """Give each word the place of its label in ``LABELS``, or ``NO_PHI``.

    A run of PHI words takes the most probable sequence of labels in which another label starts only
    where the model sees a beginning (BIO constraints; Viterbi). Ties go to the first in
    ``PhiLabel`` order.

    Args:
        words: Shape ``(words, 1 + 2 * labels)``.
        found: Which of them are PHI.
    """
    labels = np.where(found, _find_likely(words), NO_PHI)
    for start, end in _find_runs(found.tolist()):
        if end - start > 1:
            labels[start:end] = _find_best_path(words[start:end])
    return [int(label) for label in labels]


def _find_likely(words: Thousandths) -> NDArray[np.int64]:
    likely: NDArray[np.int64] = words[:, 1 : 1 + COUNT].argmax(axis=1)
    return likely


def _find_runs(found: Sequence[bool]) -> Iterator[tuple[int, int]]:
    for is_found, places in groupby(range(len(found)), key=found.__getitem__):
        if is_found:
            run = list(places)
            yield run[0], run[-1] + 1


def _find_best_path(run: Thousandths) -> list[int]:
    stays = _COST[run[:, 1 : 1 + COUNT]]
    opens = _COST[run[:, 1 + COUNT :]]
    cost, came_from = stays[0], list[NDArray[np.int64]]()
    own = np.arange(COUNT)
    for stay, begin in zip(stays[1:], opens[1:], strict=True):
        cheapest = int(cost.argmin())
        switched = cost[cheapest] + begin
        kept = cost + stay
        came_from.append(np.where(switched < kept, cheapest, own))
        cost = np.minimum(switched, kept)
    path = [int(cost.argmin())]
    for before in reversed(came_from):
        path.append(int(before[path[-1]]))
    return path[::-1]


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
    text: str, encoding: Encoding, scores: Thousandths, thresholds: Thresholds
) -> Iterator[Span]:
    """Read one note's spans.

    A word is PHI as a whole when one of its pieces is (``find_words``, ``decode``). Neighbouring
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

    def breaks(at: int) -> bool:
        return "\n" in text[words.ends[at - 1] : words.starts[at]]

    labels = decode(best, find_words(best, thresholds, breaks))
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
    """Yield where PHI is possible: each word with at least ``least`` thousandths of it.

    Their label means nothing; their score is the probability.
    """
    words = Words.of(text, encoding)
    phi = np.maximum.reduceat(scores[:, 0], words.first)
    for place in np.flatnonzero(phi >= least).tolist():
        start, end = int(words.starts[place]), int(words.ends[place])
        if start < end:
            yield Span(start, end, LABELS[0], int(phi[place]) / WHOLE, POSSIBLE)


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
