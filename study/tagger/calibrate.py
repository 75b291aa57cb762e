"""Choose the threshold of each label: a leak costs more than a false alarm."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from deidstream.models.recognizers.label_scores import (
    COUNT,
    LABELS,
    WHOLE,
    Thousandths,
)
from deidstream.models.recognizers.word_spans import (
    Words,
)
from deidstream.schemas.span import Span

BETA = 1.25
"""How many times recall weighs more than precision in F-beta: the rules beside the tagger find much
of what it misses, and nothing takes its false alarms back."""
FEWEST = 60
"""Words of PHI below which a label takes the threshold of all labels together."""
LOWEST, HIGHEST = 0.05, 0.5
_NO_WORDS = (np.zeros(0, np.int64), np.zeros(0, np.int16), np.zeros(0, np.bool_))
_GRID = np.arange(round(LOWEST * WHOLE), round(HIGHEST * WHOLE) + 1, 10)


@dataclass(frozen=True, slots=True)
class Judged:
    """Words of notes that were not trained on; arrays of one length."""

    likely: NDArray[np.int64] = field(repr=False)
    """Most probable label of each word, as a place in ``LABELS``."""
    phi: NDArray[np.int16] = field(repr=False)
    """Probability of being PHI, in thousandths."""
    is_phi: NDArray[np.bool_] = field(repr=False)


def judge(
    answers: Iterable[tuple[str, Encoding, Thousandths]], spans: Iterable[Sequence[Span]]
) -> Judged:
    """Pair the tagger's answer for each word with whether the word is PHI."""
    parts = [
        _judge_note(text, encoding, scores, labelled)
        for (text, encoding, scores), labelled in zip(answers, spans, strict=True)
        if len(scores)
    ]
    likely, phi, is_phi = (np.concatenate(column) for column in zip(_NO_WORDS, *parts, strict=True))
    return Judged(likely, phi, is_phi)


def calibrate_thresholds(judged: Judged) -> Mapping[str, float]:
    """Return the threshold of each label: where label-blind F-beta of its words is best.

    The highest such threshold is taken, never below 0.05 or above 0.5.
    """
    overall = _best_threshold(judged.phi, judged.is_phi)
    return {label: _label_threshold(judged, place, overall) for place, label in enumerate(LABELS)}


def _label_threshold(judged: Judged, place: int, overall: float) -> float:
    own = judged.likely == place
    if judged.is_phi[own].sum() < FEWEST:
        return overall
    return _best_threshold(judged.phi[own], judged.is_phi[own])


def _best_threshold(phi: NDArray[np.int16], is_phi: NDArray[np.bool_]) -> float:
    found = phi[None, :] >= _GRID[:, None]
    hits = (found & is_phi).sum(axis=1)
    weighed = (1 + BETA**2) * hits / np.maximum(BETA**2 * is_phi.sum() + found.sum(axis=1), 1)
    best = int(np.flatnonzero(weighed == weighed.max())[-1])
    return float(_GRID[best]) / WHOLE


def _judge_note(
    text: str, encoding: Encoding, scores: Thousandths, spans: Sequence[Span]
) -> tuple[NDArray[np.int64], NDArray[np.int16], NDArray[np.bool_]]:
    words = Words.of(text, encoding)
    best = words.take_largest(scores)
    covered = np.zeros(len(text), dtype=np.bool_)
    for span in spans:
        covered[span.start : span.end] = True
    # How many characters of PHI come before each place.
    before = np.concatenate(([0], covered.cumsum()))
    is_phi = before[words.ends] > before[words.starts]
    # Some tokenizers count the white space before a word to it.
    written = (text[start:end] for start, end in zip(words.starts, words.ends, strict=True))
    wordy = np.array([any(map(str.isalnum, word)) for word in written], dtype=np.bool_)
    return best[wordy, 1 : 1 + COUNT].argmax(axis=1), best[wordy, 0], is_phi[wordy]
