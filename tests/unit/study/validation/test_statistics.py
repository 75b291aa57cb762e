"""Intervals, sample sizes, stages, recapture, agreement and differences: by hand, and by laws."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.agents.review.agreement import measure_agreement, single_out
from deidstream.study.validation.statistics.differences import compare_groups, correct_by_holm
from deidstream.study.validation.statistics.intervals import (
    bound_share,
    find_exact_interval,
    find_weighted_interval,
)
from deidstream.study.validation.statistics.recapture import Captures, estimate_total
from deidstream.study.validation.statistics.sample_size import (
    find_units_to_read,
    probability_of_few,
)
from deidstream.study.validation.statistics.sequential import (
    Decision,
    Stage,
    bound_after,
    expect_notes,
    judge_sequence,
    plan_stages,
    probability_of_proof,
)


def test_nothing_found_is_the_rule_of_three() -> None:
    assert bound_share(0, 299) == pytest.approx(1 - 0.05 ** (1 / 299))
    assert find_exact_interval(0, 20).high == pytest.approx(1 - 0.025 ** (1 / 20))
    assert find_exact_interval(0, 0).bound == 1


def test_interval_of_one_in_two_by_hand() -> None:
    # P(X >= 1) = 1 - (1 - p)^2 = .025 and P(X <= 1) = 1 - p^2 = .025.
    interval = find_exact_interval(1, 2)
    assert interval.low == pytest.approx(1 - math.sqrt(0.975))
    assert interval.high == pytest.approx(math.sqrt(0.975))


def test_a_weighted_interval_without_events_is_three_times_the_largest_weight() -> None:
    assert find_weighted_interval([], 0.002).bound == pytest.approx(-math.log(0.05) * 0.002)
    assert find_weighted_interval([], 0.0).bound == 0


def test_equal_weights_give_the_interval_of_a_poisson_count() -> None:
    # Garwood's interval of 5: 1.62 to 11.67.
    interval = find_weighted_interval([1.0] * 5, 1.0, 0.95)
    assert interval.low == pytest.approx(1.0)  # a share ends at 1
    small = find_weighted_interval([0.01] * 5, 0.01)
    assert (small.low * 100, small.high * 100) == pytest.approx((1.6235, 11.6683), abs=1e-4)


@pytest.mark.parametrize(
    ("bound", "allowed", "notes"),
    [(0.05, 0, 59), (0.01, 0, 299), (0.001, 0, 2995), (0.01, 1, 473), (0.01, 3, 773)],
)
def test_notes_to_read(bound: float, allowed: int, notes: int) -> None:
    assert find_units_to_read(bound, allowed=allowed) == notes


def test_readers_who_overlook_leaks_have_to_read_more() -> None:
    assert find_units_to_read(0.01, sensitivity=0.96) == math.ceil(
        math.log(0.05) / math.log(0.9904)
    )


@given(
    bound=st.floats(0.002, 0.2),
    allowed=st.integers(0, 4),
    confidence=st.sampled_from([0.9, 0.95, 0.99]),
)
def test_a_plan_is_the_smallest_that_proves_the_bound(
    bound: float, allowed: int, confidence: float
) -> None:
    notes = find_units_to_read(bound, allowed=allowed, confidence=confidence)
    assert bound_share(allowed, notes, confidence) <= bound + 1e-9
    assert notes <= allowed + 1 or bound_share(allowed, notes - 1, confidence) > bound - 1e-9


def test_a_plan_of_one_stage_is_the_fixed_one() -> None:
    assert plan_stages(0.01, allowed=0) == (Stage(299, 0),)


def test_two_stages_by_hand() -> None:
    stages = (Stage(2, 0), Stage(4, 1))
    # Proved: nothing in two; or one in two and nothing in the next two.
    by_hand = 0.5**2 + 2 * 0.5**2 * 0.5**2
    assert probability_of_proof(stages, 0.5) == pytest.approx(by_hand)
    assert probability_of_proof(stages, 0.5, 0) == pytest.approx(0.25)


@settings(deadline=None, max_examples=25)
@given(bound=st.floats(0.005, 0.1), allowed=st.integers(0, 4))
def test_a_plan_never_risks_more_than_it_says(bound: float, allowed: int) -> None:
    stages = plan_stages(bound, allowed=allowed)
    assert [stage.leaks for stage in stages] == list(range(allowed + 1))
    assert [stage.notes for stage in stages] == sorted({stage.notes for stage in stages})
    assert 0.04 < probability_of_proof(stages, bound) <= 0.05
    bounds = [bound_after(stages, number) for number in range(len(stages))]
    assert bounds == sorted(bounds)
    assert bounds[-1] <= bound + 1e-9


def test_a_sequence_is_judged_at_the_first_stage_that_decides() -> None:
    stages = (Stage(3, 0), Stage(5, 1))
    assert judge_sequence(stages, [False] * 2).decision is Decision.READ_ON
    proved = judge_sequence(stages, [False] * 4 + [True] * 9)
    assert (proved.decision, proved.notes, proved.stage) == (Decision.PROVED, 3, 0)
    later = judge_sequence(stages, [True, False, False, False, False])
    assert (later.decision, later.notes, later.stage) == (Decision.PROVED, 5, 1)
    failed = judge_sequence(stages, [True, True, False])
    assert (failed.decision, failed.notes) == (Decision.FAILED, 2)


@pytest.mark.parametrize("share", [0.0, 0.10])
def test_a_plan_saves_reading_if_nothing_or_very_much_leaks(share: float) -> None:
    fixed = find_units_to_read(0.01, allowed=2)
    assert expect_notes(plan_stages(0.01, allowed=2), share) < 0.7 * fixed


def test_expected_notes_by_hand() -> None:
    # Of one stage of two notes, the second is read unless the first one leaks.
    assert expect_notes((Stage(2, 0),), 0.25) == pytest.approx(1.75)


def test_recapture_by_hand() -> None:
    # (n1 + 1)(n2 + 1) / (m + 1) - 1 = 97 * 97 / 93 - 1.
    found = estimate_total(Captures(both=92, first=4, second=4))
    assert found.total == pytest.approx(97 * 97 / 93 - 1)
    assert found.high is not None
    assert found.total <= found.high <= 104
    assert found.seen == pytest.approx(100 / found.total)


def test_recapture_of_nothing_in_common_has_no_bound() -> None:
    assert estimate_total(Captures(both=0, first=3, second=0)).high is None
    assert estimate_total(Captures(both=0, first=0, second=0)).high is None


@given(st.integers(0, 300), st.integers(0, 30), st.integers(0, 30))
def test_recapture_is_never_less_than_was_found(both: int, first: int, second: int) -> None:
    total = estimate_total(Captures(both, first, second))
    assert total.total >= total.found == both + first + second
    assert total.high is None or total.high >= total.found


def test_kappa_by_hand() -> None:
    # Cohen's table of 50: agreed .7, by chance .5.
    pairs = {("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15}
    agreement = measure_agreement(pairs)
    assert (agreement.agreed, agreement.kappa) == pytest.approx((0.7, 0.4))
    assert measure_agreement({("n", "n"): 9}).kappa is None


def test_one_label_is_told_from_all_others() -> None:
    pairs: dict[tuple[str | None, str | None], int] = {
        ("A", "A"): 3,
        ("A", "B"): 2,
        ("B", "B"): 4,
        (None, None): 5,
    }
    assert single_out(pairs, "A") == {(True, True): 3, (True, False): 2, (False, False): 9}


def test_groups_that_differ_are_told() -> None:
    assert compare_groups([(10, 50), (0, 500)]) == pytest.approx(1 / 20_001)
    # Fisher's exact test of this table, two-sided: .0563.
    alike = compare_groups([(5, 50), (0, 50)])
    assert alike == pytest.approx(0.0563, abs=0.01)
    assert compare_groups([(0, 50), (0, 50)]) is None
    assert compare_groups([(3, 50), (0, 0)]) is None


def test_tests_together_by_hand() -> None:
    assert correct_by_holm({"a": 0.04, "b": 0.01, "c": 0.03}) == pytest.approx(
        {"b": 0.03, "c": 0.06, "a": 0.06}
    )


def test_few_of_few() -> None:
    assert probability_of_few(2, 2, 0.9) == 1
    assert probability_of_few(0, 2, 0.5) == pytest.approx(0.25)
