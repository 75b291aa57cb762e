"""Turn a tagger's probabilities into labelled words, and the words into spans."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from deidstream.models.recognizers.label_scores import COUNT, LABELS, WHOLE, Thousandths
from deidstream.schemas.label import LabelGroup, labels_of
from deidstream.schemas.span import POSSIBLE, Span

NO_PHI = -1
Breaks = Callable[[int], bool]
_UNSEEN = frozenset({"Mn", "Mc", "Me", "Cf"})
_LISTED: Final = labels_of(
    LabelGroup.TIME, LabelGroup.PHONE, LabelGroup.HANDLE, LabelGroup.NETWORK, LabelGroup.NUMBER
)
"""Labels of which one may directly follow another in a line."""
_CERTAIN: Final = 0.8
"""Share of a word's probability of a label from which it surely begins a span of it."""
_BETWEEN: Final = re.compile(r"\s*/\s*|\s+")
_FEWEST_DIGITS: Final = 6
"""Digits of the shortest number that is one by itself: groups of a longer number have four."""
_ANY_DIGIT: Final = str.maketrans("123456789", "0" * 9)

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
    ``PhiLabel`` order. Where each word of a run is likeliest of one label, and no beginning is more
    probable than the label that begins, no other sequence can be better.

    Args:
        words: Shape ``(words, 1 + 2 * labels)``.
        found: Which of them are PHI.
    """
    labels = np.where(found, _find_likely(words), NO_PHI)
    decoded: list[int] = labels.tolist()
    ordinary = bool((words[:, 1 + COUNT :] <= words[:, 1 : 1 + COUNT]).all())
    for start, end in _find_runs(found.tolist()):
        if not ordinary or len(set(decoded[start:end])) > 1:
            decoded[start:end] = _find_best_path(words[start:end])
    return decoded


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
    cost, ways = stays[0], list[_Way]()
    for stay, begin in zip(stays[1:], opens[1:], strict=True):
        cheapest = int(cost.argmin())
        way = _Way(cheapest, cost[cheapest] + begin, cost + stay)
        ways.append(way)
        cost = np.minimum(way.switched, way.kept)
    path = [int(cost.argmin())]
    for way in reversed(ways):
        label = path[-1]
        path.append(way.cheapest if way.switched[label] < way.kept[label] else label)
    return path[::-1]


class _Way(NamedTuple):
    """How a word of a run can get each label."""

    cheapest: int
    """The label before it from which another label is reached."""
    switched: NDArray[np.int64]
    """What each label costs when it begins here, after ``cheapest``."""
    kept: NDArray[np.int64]
    """What each label costs when the word before has it too."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one note, as the tokenizer sees them; at least one."""

    first: NDArray[np.int64]
    """Place of each word's first piece."""
    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)

    @classmethod
    def of(cls, text: str, encoding: Encoding) -> Self:
        """Group the pieces of ``text`` into words."""
        first: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        last_word: int | None = -1
        last_end = 0
        # Each of the two properties makes a list of all pieces.
        pieces = zip(encoding.word_ids, encoding.offsets, strict=True)
        for at, (word, (start, end)) in enumerate(pieces):
            # Some tokenizers know no words, or count the white space before a word to it.
            if word != last_word or any(map(str.isspace, text[last_end : start + 1])):
                first.append(at)
                starts.append(start)
                ends.append(end)
            else:
                starts[-1] = min(starts[-1], start)
                ends[-1] = max(ends[-1], end)
            last_word = word
            # To call max for every piece takes as long as the rest of the loop.
            if end > last_end:  # noqa: PLR1730
                last_end = end
        return cls(np.array(first, dtype=np.int64), starts, ends)

    def take_largest(self, scores: Thousandths) -> Thousandths:
        """Return each word's largest score in each column of its pieces' scores.

        Args:
            scores: Shape ``(pieces, columns)``.

        Returns:
            Shape ``(words, columns)``.
        """
        largest: Thousandths = scores[self.first]
        sizes = np.diff(self.first, append=len(scores))
        # Most words are one piece; numpy takes each word's maximum alone, which costs more.
        cut = np.flatnonzero(sizes > 1)
        if len(cut):
            pieces = scores[np.repeat(sizes > 1, sizes)]
            ends = sizes[cut].cumsum()
            largest[cut] = np.maximum.reduceat(pieces, ends - sizes[cut], axis=0)
        return largest


def read_spans(
    text: str, words: Words, best: Thousandths, thresholds: Thresholds
) -> Iterator[Span]:
    """Read one note's spans.

    A word is PHI as a whole when one of its pieces is (``find_words``, ``decode``). Neighbouring
    words of one label are one span, whatever their B and I, unless the model sees a span begin with
    the first word of a line. Dates, numbers and addresses of a kind may follow each other within a
    line, so there a span also ends before a word with which the model surely sees another begin,
    and between two numbers of one form. White space at the ends is left out; combining marks and
    invisible characters after the last letter, which tokenizers drop, are included.

    Args:
        text: The note.
        words: Its words.
        best: Their scores (``Words.take_largest``).
        thresholds: What is PHI.

    Yields:
        Spans by position. A score is the largest probability of being PHI among the span's words:
        a policy's threshold must not drop a sure name because of the doubtful word beside it.
    """

    def gap(at: int) -> str:
        return text[words.ends[at - 1] : words.starts[at]]

    def breaks(at: int) -> bool:
        return "\n" in gap(at)

    labels = decode(best, find_words(best, thresholds, breaks))
    phi: list[int] = best[:, 0].tolist()
    for run in _find_label_runs(labels, best, gap):
        start, end = _trim(text, words.starts[run.first], words.ends[run.last])
        if start >= end:
            continue
        label = LABELS[run.label]
        pieces = list(_cut_alike(text, start, end)) if label in _LISTED else [(start, end)]
        first = run.first
        for piece_start, piece_end in pieces:
            last = bisect_left(words.starts, piece_end, first, run.last + 1)
            yield Span(piece_start, piece_end, label, max(phi[first:last]) / WHOLE, "tagger")
            first = last


class _LabelRun(NamedTuple):
    """Neighbouring PHI words of one label, the last one included."""

    label: int
    first: int
    last: int


def _find_label_runs(
    labels: list[int], best: Thousandths, gap: Callable[[int], str]
) -> Iterator[_LabelRun]:
    """Gather neighbouring words of one label.

    A word that begins a line begins another run if, by the model, it rather begins a span than
    continues one; a word after a blank, if that is certain and its label is listed in lines.

    Args:
        labels: Of :func:`decode`.
        best: The scores of the words.
        gap: Returns the text before the word of a number, from the end of the one before.
    """
    run: _LabelRun | None = None
    for at, label in enumerate(labels):
        if label == NO_PHI:
            continue
        goes_on = run is not None and (run.label, run.last) == (label, at - 1)
        if run is not None and goes_on and not _opens(best[at], label, gap(at)):
            run = run._replace(last=at)
            continue
        if run is not None:
            yield run
        run = _LabelRun(label, at, at)
    if run is not None:
        yield run


def _opens(word: NDArray[np.int16], label: int, gap: str) -> bool:
    begins, either = int(word[1 + COUNT + label]), int(word[1 + label])
    if "\n" in gap:
        return begins > either / 2
    return gap.isspace() and LABELS[label] in _LISTED and begins > _CERTAIN * either


def _cut_alike(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut ``[start, end)`` between two numbers or addresses of one form.

    ``4471923 4471924`` and ``617-555-0100 / 617-555-0101`` are two each; ``943 476 5919`` and
    ``4012 8888 8888 1881`` are one.
    """
    gaps = [match.span() for match in _BETWEEN.finditer(text, start, end)]
    begun = left = start
    for (gap, right), (right_end, _) in pairwise([*gaps, (end, end)]):
        if _are_alike(text[left:gap], text[right:right_end]):
            yield begun, gap
            begun = right
        left = right
    yield begun, end


def _are_alike(left: str, right: str) -> bool:
    if "@" in left:
        return "@" in right
    form = left.translate(_ANY_DIGIT)
    return form == right.translate(_ANY_DIGIT) and form.count("0") >= _FEWEST_DIGITS


def possible_spans(words: Words, best: Thousandths, least: int) -> Iterator[Span]:
    """Yield where PHI is possible: each word with at least ``least`` thousandths of it.

    Their label means nothing; their score is the probability.
    """
    phi = best[:, 0]
    places = np.flatnonzero(phi >= least)
    for place, score in zip(places.tolist(), phi[places].tolist(), strict=True):
        start, end = words.starts[place], words.ends[place]
        if start < end:
            yield Span(start, end, LABELS[0], score / WHOLE, POSSIBLE)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    while end < len(text) and unicodedata.category(text[end]) in _UNSEEN:
        end += 1
    return start, end
