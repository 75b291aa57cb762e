"""Intervals, bounds and stages on made-up sites whose leaks are known; the benchmark has 200."""

import pytest
from validation.simulated_sites import simulate


@pytest.mark.slow  # it validates six sites
def test_intervals_hold_the_truth_and_no_claim_is_proved_wrongly() -> None:
    outcomes = list(simulate(6, 1_200, 0.02, seed=1))
    # Each by 95 of 100: that one of six is wrong is no fault.
    assert sum(one.notes_right for one in outcomes) >= 5
    assert sum(one.identifiers_right for one in outcomes) >= 5
    assert sum(one.recapture_right for one in outcomes) >= 5
    assert not any(one.proved for one in outcomes)
    assert max(one.read for one in outcomes) < 641


def test_a_site_without_leaks_reads_the_first_stage_alone() -> None:
    (outcome,) = simulate(1, 1_200, 0.0, seed=1)
    assert outcome.proved
    assert outcome.read == 375


@pytest.mark.slow  # it validates ten sites
def test_the_number_of_identifiers_is_known_where_nearly_all_notes_are_read() -> None:
    outcomes = list(simulate(10, 400, 0.002, seed=1))
    assert sum(one.identifiers_right for one in outcomes) >= 9
