"""Laws of training steps."""

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.neural.passes.packing import padded_length
from deidstream.study.tagger.examples import steps

LENGTHS = st.lists(st.integers(1, 300), max_size=200)
BUDGETS = st.integers(1, 2000)
SEEDS = st.integers(0, 2**32)


@given(LENGTHS, BUDGETS, SEEDS)
def test_every_example_is_in_one_step_of_an_epoch(
    lengths: list[int], budget: int, seed: int
) -> None:
    laid = steps(lengths, batch_pieces=budget, seed=seed)
    assert sorted(place for step in laid for place in step) == list(range(len(lengths)))
    assert all(laid)


@given(LENGTHS, BUDGETS, SEEDS)
def test_a_step_is_within_the_budget_unless_alone(
    lengths: list[int], budget: int, seed: int
) -> None:
    for step in steps(lengths, batch_pieces=budget, seed=seed):
        size = padded_length(max(lengths[place] for place in step))
        assert len(step) == 1 or len(step) * size <= budget


@given(LENGTHS, BUDGETS, SEEDS)
def test_steps_depend_on_lengths_budget_and_seed_alone(
    lengths: list[int], budget: int, seed: int
) -> None:
    one = steps(lengths, batch_pieces=budget, seed=seed)
    assert steps(tuple(lengths), batch_pieces=budget, seed=seed) == one
