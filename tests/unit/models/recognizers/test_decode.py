"""Which words are PHI, and which PHI, once the probabilities are whole thousandths."""

import numpy as np
import pytest

from deidstream.models.recognizers.label_scores import (
    COLUMNS,
    COUNT,
    LABELS,
    Thousandths,
)
from deidstream.models.recognizers.word_spans import (
    NO_PHI,
    Thresholds,
    decode,
    find_words,
)
from deidstream.schemas.label import PhiLabel

CITY, AGE, DATE = (1 + LABELS.index(PhiLabel[name]) for name in ("CITY", "AGE", "DATE"))
HALVES = np.full(COUNT, 500, dtype=np.int16)
Row = dict[int, int]


def _scores(*rows: Row) -> Thousandths:
    scores = np.zeros((len(rows), COLUMNS), dtype=np.int16)
    for score, row in zip(scores, rows, strict=True):
        for column, thousandths in row.items():
            score[column] = thousandths
    return scores


def _decoded(*rows: Row, thresholds: dict[int, int] | None = None) -> list[int]:
    limits = HALVES.copy()
    for column, thousandths in (thresholds or {}).items():
        limits[column - 1] = thousandths
    found = find_words(_scores(*rows), Thresholds(limits), breaks=lambda _: False)
    return [0 if label == NO_PHI else 1 + label for label in decode(_scores(*rows), found)]


def _opens(column: int, phi: int = 900) -> Row:
    return {0: phi, column: phi, column + COUNT: phi}


def _goes_on(column: int, phi: int = 900) -> Row:
    return {0: phi, column: phi}


def test_no_words_have_no_labels() -> None:
    assert _decoded() == []


def test_a_word_alone_takes_its_most_probable_label() -> None:
    assert _decoded({0: 500, DATE: 300, CITY: 200}) == [DATE]


def test_the_threshold_is_that_of_the_most_probable_label() -> None:
    row = {0: 400, DATE: 300, CITY: 100}
    assert _decoded(row, thresholds={DATE: 401, CITY: 1}) == [0]
    assert _decoded(row, thresholds={DATE: 400, CITY: 999}) == [DATE]


def test_a_word_is_found_by_its_probability_of_being_any_phi() -> None:
    assert _decoded({0: 600, DATE: 250, CITY: 200, AGE: 150}) == [DATE]
    assert _decoded({0: 499, DATE: 499}) == [0]


def test_a_run_goes_on_with_one_label_where_nothing_opens() -> None:
    assert _decoded(_opens(DATE), _goes_on(DATE), _goes_on(DATE)) == [DATE] * 3
    unsure = {0: 900, CITY: 500, DATE: 400}
    assert _decoded(_opens(DATE), unsure) == [DATE, DATE]


def test_a_run_changes_its_label_where_another_opens() -> None:
    assert _decoded(_opens(CITY), _opens(DATE), _goes_on(DATE)) == [CITY, DATE, DATE]


def test_the_end_of_a_run_tells_what_its_beginning_was() -> None:
    unsure = {0: 900, CITY: 460, CITY + COUNT: 460, DATE: 440, DATE + COUNT: 440}
    assert _decoded(unsure) == [CITY]
    assert _decoded(unsure, _goes_on(DATE)) == [DATE, DATE]


def test_a_label_may_follow_itself() -> None:
    assert _decoded(_opens(CITY), _opens(CITY)) == [CITY, CITY]


def test_runs_do_not_see_each_other() -> None:
    nothing: Row = {0: 10, CITY: 10}
    assert _decoded(_opens(CITY), nothing, _goes_on(DATE)) == [CITY, 0, DATE]


@pytest.mark.parametrize("length", [1, 2, 5])
def test_ties_go_to_the_first_label(length: int) -> None:
    assert CITY < AGE < DATE
    tie = {0: 900, AGE: 300, DATE: 300, AGE + COUNT: 300, DATE + COUNT: 300}
    assert _decoded(*[tie] * length) == [AGE] * length


def test_a_tie_between_going_on_and_starting_goes_on() -> None:
    tie = {0: 900, AGE: 400, DATE: 400}
    assert _decoded(tie, _opens(DATE)) == [DATE, DATE]


def test_words_that_are_surely_phi_of_no_label_are_found() -> None:
    scores = _scores({0: 1000}, {0: 1000})
    assert NO_PHI not in decode(scores, np.ones(2, np.bool_))


def _found(line_starts: frozenset[int], *phi: int, beside: int = 200) -> list[int]:
    scores = _scores(*({0: each, DATE: each} for each in phi))
    found = find_words(scores, Thresholds(HALVES, beside), line_starts.__contains__)
    return [place for place, is_found in enumerate(found) if is_found]


def test_words_beside_a_found_one_need_less() -> None:
    assert _found(frozenset(), 250, 300, 900, 200, 199, 300) == [0, 1, 2, 3]
    assert _found(frozenset(), 250, 300, 499, 200) == []


def test_what_a_word_needs_beside_another_ends_with_the_line() -> None:
    assert _found(frozenset({2}), 250, 300, 900, 200) == [2, 3]
    assert _found(frozenset({3}), 250, 300, 900, 200) == [0, 1, 2]


def test_without_a_threshold_beside_no_neighbour_counts() -> None:
    assert _found(frozenset(), 499, 900, 499, beside=1000) == [1]
