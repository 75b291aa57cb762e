"""Laws of batches."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from deidstream.stream.lanes.batching import LEAST_TOKENS, choose_budget, cut_batches, halve
from deidstream.stream.lanes.gathering import GatherRule

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


SETTINGS = st.integers(1, 4 * LEAST_TOKENS)
WAITING = st.lists(st.integers(0, LEAST_TOKENS), max_size=60)


@given(WAITING, SETTINGS)
def test_the_setting_is_the_upper_limit_of_a_budget(counts: list[int], most: int) -> None:
    assert min(most, LEAST_TOKENS) <= choose_budget(counts, most) <= most


def count_batches(counts: list[int], budget: int) -> int:
    return len(list(cut_batches(counts, budget)))


@given(WAITING, SETTINGS)
def test_batches_are_as_few_as_the_setting_makes_them_but_two(counts: list[int], most: int) -> None:
    fewest = count_batches(counts, most)
    assert fewest <= count_batches(counts, choose_budget(counts, most)) <= max(2, fewest)


@given(WAITING, SETTINGS)
def test_no_smaller_budget_would_do(counts: list[int], most: int) -> None:
    budget = choose_budget(counts, most)
    if budget > LEAST_TOKENS:
        wanted = max(2, count_batches(counts, most))
        assert count_batches(counts, budget - 1) > wanted


@given(WAITING, SETTINGS)
def test_what_waits_is_work_for_both_lanes_where_it_is_more_than_a_pass(
    counts: list[int], most: int
) -> None:
    if sum(counts) > LEAST_TOKENS and len(counts) > 1:
        assert count_batches(counts, choose_budget(counts, most)) >= 2


SECONDS = st.floats(0, 100)
RULES = st.builds(GatherRule, st.integers(1, 100), SECONDS)


@given(RULES, st.integers(1, 200), SECONDS)
def test_no_group_waits_beyond_the_limit_or_when_it_is_full_or_nothing_is_computed(
    rule: GatherRule, waiting: int, waited: float
) -> None:
    assert rule.wait_left(waiting, waited_seconds=waited, busy=False) == 0
    left = rule.wait_left(waiting, waited_seconds=waited, busy=True)
    assert 0 <= left <= max(0.0, rule.wait_seconds - waited)
    assert not left or waiting < rule.most


@given(RULES, st.integers(1, 200), SECONDS)
def test_a_busy_worker_waits_out_the_limit_for_a_fuller_group(
    rule: GatherRule, waiting: int, waited: float
) -> None:
    if waiting < rule.most and waited < rule.wait_seconds:
        assert rule.wait_left(waiting, waited_seconds=waited, busy=True) > 0
