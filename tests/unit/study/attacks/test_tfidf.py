"""TF-IDF against what can be worked out by hand."""

import math

import pytest

from deidstream.study.attacks.tfidf import compare_rare_words


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


def test_a_text_said_several_times_ties_with_the_text() -> None:
    text = "abdomen back chest"
    texts = [text, *(" ".join([text] * times) for times in (3, 5, 6, 7)), "abdomen"]
    (row,) = compare_rare_words(texts, [text])
    assert row[:5].tolist() == [1] * 5
    assert row[5] < 1
