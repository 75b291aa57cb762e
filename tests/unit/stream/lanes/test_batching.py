"""Batches by token budget."""

from deidstream.stream.lanes.batching import cut_batches, halve


def test_notes_are_gathered_up_to_the_budget() -> None:
    assert list(cut_batches([4, 4, 4], 8)) == [(0, 1), (2,)]


def test_a_note_over_the_budget_is_alone() -> None:
    assert list(cut_batches([1, 99, 1], 8)) == [(0,), (1,), (2,)]


def test_nothing_gives_no_batch() -> None:
    assert list(cut_batches([], 8)) == []


def test_halves_are_both_smaller() -> None:
    assert halve(range(3)) == (range(1), range(1, 3))
