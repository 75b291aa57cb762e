import pytest

from deidstream.study.scoring.cells import Counts, add_counts, harmonic, rate, wilson


def test_rates_are_undefined_without_anything_to_divide_by() -> None:
    nothing = Counts()
    assert (nothing.recall, nothing.precision, nothing.f1) == (None, None, None)
    assert (nothing.recall_interval, nothing.precision_interval) == (None, None)
    assert Counts(gold=3).recall == 0.0
    assert Counts(gold=3).f1 is None


def test_rates_divide_found_by_gold_and_right_by_predicted() -> None:
    counts = Counts(found=3, gold=4, right=2, predicted=5)
    assert counts.recall == 0.75
    assert counts.precision == 0.4
    assert counts.f1 == pytest.approx(2 * 0.75 * 0.4 / 1.15)


def test_f1_is_0_where_both_rates_are() -> None:
    assert Counts(gold=1, predicted=1).f1 == 0.0
    assert harmonic(None, 1.0) is None
    assert rate(1, 0) is None


def test_counts_add_up() -> None:
    assert add_counts([Counts(1, 2, 3, 4), Counts(10, 20, 30, 40)]) == Counts(11, 22, 33, 44)
    assert add_counts([]) == Counts()


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_are_those_of_the_books(
    part: int, whole: int, low: float, high: float
) -> None:
    assert wilson(part, whole) == pytest.approx((low, high), abs=5e-5)


def test_there_is_no_interval_of_nothing() -> None:
    assert wilson(0, 0) is None
