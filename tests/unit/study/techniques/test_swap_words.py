"""RaS against examples; its law is in tests/property."""

import random

from deidstream.study.techniques.swap_words import SwapWords, swap_words
from support.study_notes import study_note


def test_all_words_move_and_white_space_stays() -> None:
    text = "no  fever\nsince Monday, he says"
    swapped = swap_words(text, 100, random.Random(1))
    assert swapped == "says  he\nfever since no Monday,"
    pairs = zip(text.split(), swapped.split(), strict=True)
    assert all(before != after for before, after in pairs)


def test_a_fifth_of_ten_words_are_two() -> None:
    text = " ".join("abcdefghij")
    swapped = swap_words(text, 20, random.Random(3))
    pairs = zip(text.split(), swapped.split(), strict=True)
    assert sum(before != after for before, after in pairs) == 2


def test_a_word_alone_has_nowhere_to_go() -> None:
    assert swap_words("alone", 100, random.Random(1)) == "alone"


def test_its_name_says_the_share() -> None:
    technique = SwapWords(20, seed=1)
    assert technique.name == "RaS 20"
    assert [one.own for one in technique.anonymize([study_note("a b"), study_note("c")])] == [0, 1]
