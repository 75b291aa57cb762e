"""The opinion of a second tagger, whose pieces are others, on the pieces of the first."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deidstream.models.recognizers.label_scores import WHOLE, Thousandths

Offsets = Sequence[tuple[int, int]]
"""Begin and end of each piece in the text, in the order of the text."""


def weigh_in(
    first: Offsets, scores: Thousandths, second: Offsets, others: Thousandths
) -> Thousandths:
    """Return the scores of the first tagger's pieces, the second tagger's opinion weighed in.

    A piece is judged by the mean of the log odds of both: two models of different make seldom err
    at one place, and the one that is sure outweighs the one that doubts. Of several pieces of the
    second that touch a piece of the first, the largest score counts. A piece that none touches
    keeps its own.

    Args:
        first: Where the pieces of the first tagger stand.
        scores: Its scores, shape ``(pieces of the first, columns)``.
        second: Where the pieces of the second tagger stand.
        others: Its scores, shape ``(pieces of the second, columns)``.
    """
    if not len(scores) or not len(others):
        return scores
    starts, ends = np.array(first).T
    other_starts, other_ends = np.array(second).T
    # An offset may step back by a character where a tokenizer puts a text into a normal form.
    begin = np.searchsorted(np.maximum.accumulate(other_ends), starts, side="right")
    stop = np.searchsorted(np.maximum.accumulate(other_starts), ends, side="left")
    touched = begin < stop
    bounds = np.stack([begin[touched], stop[touched]], axis=1).ravel()
    padded = np.concatenate([others, np.zeros_like(others[:1])])
    result = scores.copy()
    if len(bounds):
        opinion = np.maximum.reduceat(padded, bounds, axis=0)[::2]
        result[touched] = _take_middle(scores[touched], opinion)
    return result


def _take_middle(scores: Thousandths, others: Thousandths) -> Thousandths:
    odds = _LOG_ODDS[scores] + _LOG_ODDS[others]
    return np.rint(WHOLE / (1 + np.exp(-odds / 2))).astype(np.int16)


def _list_log_odds() -> NDArray[np.float64]:
    # Rounded to thousandths, 0 means less than a half: a quarter on average.
    chances = np.arange(WHOLE + 1).clip(0.25, WHOLE - 0.25) / WHOLE
    return np.log(chances / (1 - chances))


_LOG_ODDS = _list_log_odds()
