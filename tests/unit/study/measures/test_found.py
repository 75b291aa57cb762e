"""found, a-o and avg-sim on three notes whose Jaccard indices were worked out by hand."""

import pytest

from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.measures.found import (
    AverageSimilarity,
    Found,
    OutputLikenesses,
    OwnSimilarity,
)
from deidstream.study.measures.measure import Judged, Measure
from deidstream.study.techniques.technique import Output
from support.study_notes import judged, study_note

NOTES = [study_note("a b c d"), study_note("a b e f"), study_note("g h")]
WORDS = OutputLikenesses(compare_word_sets)
FOUND = Found("words", WORDS)
# Output 0 resembles note 0 by 3/5, note 1 by 2/6; output 1 note 0 by 3/4, its own by 2/5.
OUTPUTS = judged(NOTES, "a b c x", "a b c", "g h")


def test_found_is_the_share_whose_own_is_the_nearest() -> None:
    assert _value(FOUND, OUTPUTS) == pytest.approx(2 / 3)


def test_own_similarity_is_the_mean_to_the_own_original() -> None:
    assert _value(OwnSimilarity(WORDS), OUTPUTS) == pytest.approx((3 / 5 + 2 / 5 + 1) / 3)


def test_average_similarity_is_the_mean_to_all() -> None:
    first, second, third = (3 / 5 + 2 / 6) / 3, (3 / 4 + 2 / 5) / 3, 1 / 3
    mean = (first + second + third) / 3
    assert _value(AverageSimilarity(WORDS), OUTPUTS) == pytest.approx(mean)


def test_one_of_the_merged_notes_is_enough() -> None:
    merged = Judged(NOTES, [Output("g h a", 0, frozenset({2}))])
    assert _value(FOUND, merged) == 1
    # 1/6 with note 0, 2/3 with note 2.
    assert _value(OwnSimilarity(WORDS), merged) == pytest.approx((1 / 6 + 2 / 3) / 2)


def test_all_of_the_merged_notes_are_found_if_they_come_first() -> None:
    every = Found("words", WORDS, whole=True)
    # The notes have 1/6, 0 and 2/3 of the output; then 2/4, 2/4 and 0.
    merged = [Output("g h c", 0, frozenset({2})), Output("a b", 1, frozenset({2}))]
    assert _value(every, Judged(NOTES, merged)) == 1 / 2
    assert _value(every, OUTPUTS) == _value(FOUND, OUTPUTS)


def test_who_sees_all_alike_has_found_nothing() -> None:
    assert _value(FOUND, judged(NOTES, "zz", "zz", "zz")) == 0


def test_ties_go_to_the_attacker() -> None:
    assert _value(FOUND, judged([*NOTES[:2], NOTES[1]], "x", "a b e f")) == 0.5


def test_so_many_outputs_are_drawn_and_compared_with_all_originals() -> None:
    some = Found("words", OutputLikenesses(compare_word_sets, most=2, seed=1))
    figure = some.measure(OUTPUTS)
    assert figure is not None
    assert figure.of == 2
    assert figure.value in {1 / 2, 1}
    assert some.measure(OUTPUTS) == figure


def test_outputs_of_another_technique_are_compared_anew() -> None:
    shared = OutputLikenesses(compare_word_sets)
    assert _value(Found("words", shared), OUTPUTS) == pytest.approx(2 / 3)
    assert _value(OwnSimilarity(shared), judged(NOTES, "a b c d", "a b e f", "g h")) == 1


def _value(measure: Measure, given: Judged) -> float:
    figure = measure.measure(given)
    assert figure is not None
    return figure.value
