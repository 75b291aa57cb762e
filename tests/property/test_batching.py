"""Laws of batches."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from deidstream.stream.batching import cut_batches, halve

COUNTS = st.lists(st.integers(0, 50), max_size=60)


@given(COUNTS, st.integers(1, 100))
def test_no_note_is_lost_and_order_is_kept(counts: list[int], budget: int) -> None:
    assert [place for batch in cut_batches(counts, budget) for place in batch] == list(
        range(len(counts))
    )


@given(COUNTS, st.integers(1, 100))
def test_a_batch_is_within_the_budget_unless_alone(counts: list[int], budget: int) -> None:
    for batch in cut_batches(counts, budget):
        assert len(batch) == 1 or sum(counts[place] for place in batch) <= budget


@given(COUNTS, st.integers(1, 100))
def test_a_batch_could_not_have_taken_the_next_note(counts: list[int], budget: int) -> None:
    for batch, after in pairwise(cut_batches(counts, budget)):
        assert sum(counts[place] for place in batch) + counts[after[0]] > budget


@given(st.lists(st.integers(), min_size=2))
def test_halves_lose_nothing(notes: list[int]) -> None:
    first, second = halve(notes)
    assert [*first, *second] == notes
    assert first
    assert second
