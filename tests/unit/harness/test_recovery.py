"""When a group counts as recovered."""

from harness.events import Event
from harness.recovery import STRICT_SPAN, recovered_after, recoveries
from harness.samples import Sample

FOREVER = float("inf")


def samples(*committed: int | None, lag: int = 9) -> list[Sample]:
    return [Sample(float(at), count, lag, {}) for at, count in enumerate(committed)]


def test_progress_in_five_windows_is_a_recovery() -> None:
    assert recovered_after(samples(0, 0, 0, 0, 5, 6, 7, 8, 9, 10), 0.0, FOREVER) == 4.0


def test_less_is_none() -> None:
    assert recovered_after(samples(0, 0, 0, 0, 5, 6, 7), 0.0, FOREVER) is None


def test_no_progress_is_none() -> None:
    assert recovered_after(samples(*[5] * 30), 0.0, FOREVER) is None


def test_nothing_left_to_do_is_a_recovery() -> None:
    assert recovered_after(samples(*[5] * 30, lag=0), 0.0, FOREVER) == 1.0


def test_a_broker_that_is_away_is_none() -> None:
    assert recovered_after(samples(*[None] * 30), 0.0, FOREVER) is None


def test_before_the_next_fault_the_first_progress_counts() -> None:
    assert recovered_after(samples(0, 0, 5, 6, 6, 6, 6), 0.0, 3.5) == 2.0


def test_what_came_before_the_end_of_the_fault_does_not_count() -> None:
    assert recovered_after(samples(0, 1, 2, 3, 3, 3, 3, 4, 5, 6, 7, 8), 3.0, FOREVER) == 4.0


def test_the_strict_rule_wants_progress_in_each_second() -> None:
    slow = samples(0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9)
    assert recovered_after(slow, 0.0, FOREVER) == 1.0
    assert recovered_after(slow, 0.0, FOREVER, STRICT_SPAN) == 9.0


def test_both_rules_are_reported_and_one_decides() -> None:
    slow = samples(0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9)
    events = [Event(0.0, "fault", "kill"), Event(0.0, "healed", "kill", 5.0)]
    (found,) = recoveries(events, slow)
    assert (found.took, found.strict, found.late, found.strictly_late) == (1.0, 9.0, False, True)
