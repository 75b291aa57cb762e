"""MNr against examples that were written by hand."""

import pytest

from deidstream.study.techniques.mask_numbers import MaskNumbers, mask_numbers
from support.study_notes import study_note


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("BP 142/88, took 2.5 mg of 1,200.", "BP XX/XX, took XX mg of XX."),
        ("Twenty-one days, then two.", "XX days, then XX."),
        ("T2DM at 40mg", "TXXDM at XXmg"),
        ("someone often weighted tension", "someone often weighted tension"),
        ("seen first, half the dose", "seen first, half the dose"),
    ],
)
def test_numbers_in_digits_and_words_are_masked(text: str, masked: str) -> None:
    assert mask_numbers(text) == masked


def test_each_note_has_an_output() -> None:
    notes = [study_note("1 tablet"), study_note("none")]
    outputs = list(MaskNumbers().anonymize(notes))
    assert [(one.text, one.own) for one in outputs] == [("XX tablet", 0), ("none", 1)]
