"""Ag and AAg: which notes are merged, and how often."""

from collections import Counter

import pytest

from deidstream.study.techniques.aggregate import Aggregate
from support.study_notes import study_note

NOTES = [study_note(f"n{n}", kind=kind) for n, kind in enumerate("aabababaa")]


@pytest.mark.parametrize("members", [2, 3, 4])
def test_notes_of_one_class_are_merged_each_once(members: int) -> None:
    outputs = list(Aggregate(members, seed=1).anonymize(NOTES))
    assert len(outputs) == 6 // members + 3 // members
    merged = Counter(number for one in outputs for number in one.members)
    assert set(merged.values()) == {1}
    for one in outputs:
        assert len({NOTES[number].kind for number in one.members}) == 1
        assert sorted(one.text.split("\n\n")) == sorted(NOTES[n].text for n in one.members)
        assert one.text.startswith(NOTES[one.own].text)


def test_augmented_it_is_repeated_with_other_draws() -> None:
    outputs = list(Aggregate(3, seed=1, augmented=True).anonymize(NOTES))
    assert len(outputs) == 3 * (2 + 1)
    assert len({one.members for one in outputs}) > 3


def test_names_say_how_many() -> None:
    assert [Aggregate(2, 1).name, Aggregate(4, 1, augmented=True).name] == ["Ag 2", "AAg 4"]
