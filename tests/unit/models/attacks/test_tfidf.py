"""TF-IDF against what can be worked out by hand."""

import math

import pytest

from deidstream.models.attacks.tfidf import compare_rare_words


def test_a_rare_word_counts_more() -> None:
    (row,) = compare_rare_words(["the knee", "the hip", "the hand"], ["the the hip"])
    common, rare = 1.0, math.log(4 / 2) + 1
    output, candidate = math.hypot(2 * common, rare), math.hypot(common, rare)
    assert row[1] == pytest.approx((2 * common**2 + rare**2) / (output * candidate), abs=1e-9)
    assert row[0] == row[2] == pytest.approx(2 * common**2 / (output * candidate), abs=1e-9)


def test_a_word_that_no_candidate_holds_is_left_out() -> None:
    (one,) = compare_rare_words(["knee pain", "hip"], ["knee"])
    (other,) = compare_rare_words(["knee pain", "hip"], ["knee Vanterpool"])
    assert one.tolist() == other.tolist()


def test_a_text_said_twice_ties_with_the_text() -> None:
    (row,) = compare_rare_words(["left knee pain", "left knee pain " * 7, "a"], ["left knee pain"])
    assert row.tolist() == [1, 1, 0]
