"""Laws of the decoder."""

from itertools import pairwise, product
from math import log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from deidstream.models.recognizers import word_spans
from deidstream.models.recognizers.label_scores import (
    COLUMNS,
    COUNT,
    LABELS,
    WHOLE,
    Thousandths,
)
from deidstream.models.recognizers.word_spans import (
    NO_PHI,
    Thresholds,
    find_words,
)

# One label is left without any probability: it stands for all that are.
NEAR = (0, 5, 12, COUNT - 1)
SOME = NEAR[:-1]
THOUSANDTHS = st.integers(0, WHOLE)


@st.composite
def _words(draw: st.DrawFn, longest: int = 4, least: int = 0) -> Thousandths:
    """Words whose probabilities are as models give them: beginnings are a part of their label."""
    words = np.zeros((draw(st.integers(1, longest)), COLUMNS), dtype=np.int16)
    for word in words:
        for place in SOME:
            word[1 + place] = draw(THOUSANDTHS)
            word[1 + COUNT + place] = draw(st.integers(0, int(word[1 + place])))
        word[0] = draw(st.integers(least, WHOLE))
    return words


def _same(threshold: int) -> NDArray[np.int16]:
    return np.full(COUNT, threshold, dtype=np.int16)


ALL = _same(0)


def decode(words: Thousandths, thresholds: NDArray[np.int16]) -> list[int]:
    """Labels of words under thresholds, none of which is lower beside a found word."""
    found = find_words(words, Thresholds(thresholds), breaks=lambda _: False)
    return word_spans.decode(words, found)


@given(_words(20), st.lists(THOUSANDTHS, min_size=COUNT, max_size=COUNT))
def test_a_word_has_a_label_where_it_is_found_and_nowhere_else(
    words: Thousandths, thresholds: list[int]
) -> None:
    limits = np.array(thresholds, dtype=np.int16)
    found = [word[0] >= limits[word[1 : 1 + COUNT].argmax()] for word in words]
    assert [label != NO_PHI for label in decode(words, limits)] == found


@given(_words())
def test_no_other_labels_of_a_run_cost_less(words: Thousandths) -> None:
    chosen = decode(words, ALL)
    costs = [_cost(words, path) for path in product(NEAR, repeat=len(words))]
    # Sums of rounded costs, and of those that are not, differ by a thousandth a word at most.
    assert _cost(words, chosen) <= min(costs) + 2 * len(words)


@given(_words(12))
def test_a_label_starts_inside_a_run_only_where_that_costs_less_than_going_on(
    words: Thousandths,
) -> None:
    labels = decode(words, ALL)
    changes = [at + 1 for at, (one, other) in enumerate(pairwise(labels)) if one != other]
    for start, end in pairwise([*changes, len(labels)]):
        before, after = labels[start - 1], labels[start]
        going_on = sum(_nats(word[1 + before]) for word in words[start:end])
        starting = _nats(words[start, 1 + COUNT + after])
        rest = sum(_nats(word[1 + after]) for word in words[start + 1 : end])
        assert starting + rest <= going_on + 2 * (end - start)


@given(_words(2))
def test_no_label_starts_where_none_begins_and_each_may_go_on(words: Thousandths) -> None:
    words[1:, 1 + COUNT :] = 0
    for place in SOME:
        words[1:, 1 + place] = np.maximum(words[1:, 1 + place], 1)
    assert len(set(decode(words, ALL))) == 1


@given(_words(12, least=500), _words(12, least=500))
def test_what_lies_beyond_a_word_that_is_no_phi_changes_nothing(
    left: Thousandths, right: Thousandths
) -> None:
    nothing = np.zeros((1, COLUMNS), dtype=np.int16)
    together = decode(np.concatenate([left, nothing, right]), _same(500))
    apart = [*decode(left, _same(500)), NO_PHI, *decode(right, _same(500))]
    assert together == apart


@given(_words(12), THOUSANDTHS)
def test_decoding_is_deterministic_and_changes_nothing(words: Thousandths, threshold: int) -> None:
    before = words.copy()
    labels = decode(words, _same(threshold))
    assert decode(np.asfortranarray(words), _same(threshold)) == labels
    assert all(label == NO_PHI or 0 <= label < len(LABELS) for label in labels)
    assert (words == before).all()


def _cost(words: Thousandths, path: list[int] | tuple[int, ...]) -> float:
    """What a path costs: a word costs as its label goes on, or as it begins."""
    total = _nats(words[0, 1 + path[0]])
    for word, (before, label) in zip(words[1:], pairwise(path), strict=True):
        begins = _nats(word[1 + COUNT + label])
        total += min(begins, _nats(word[1 + label])) if before == label else begins
    return total


def _nats(thousandths: int) -> float:
    return -WHOLE * log((int(thousandths) + 0.5) / (WHOLE + 1))
