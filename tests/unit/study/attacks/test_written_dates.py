"""Full dates as they are written."""

from datetime import date

import pytest

from deidstream.study.attacks.written_dates import find_dates

DAY = date(2024, 3, 9)


@pytest.mark.parametrize(
    "text",
    ["2024-03-09", "3/9/2024", "03/09/24", "3-9-24", "03.09.2024", "March 9, 2024", "Mar. 9th 2024",
     "9 March 2024", "09-Mar-2024", "9th of march, 2024", "09-MAR-24"],
)  # fmt: skip
def test_a_full_date_is_read(text: str) -> None:
    assert find_dates(f"Seen on {text}.") == [DAY]


def test_days_stand_first_where_they_cannot_be_months() -> None:
    assert find_dates("25/12/2023") == [date(2023, 12, 25)]


@pytest.mark.parametrize(
    "text", ["3/9", "March 2024", "2024", "120/80/9", "13/13/2024", "2024-02-30", "12-34-5678", ""]
)
def test_what_is_no_full_date_is_passed_over(text: str) -> None:
    assert find_dates(text) == []


def test_two_digits_are_of_the_last_or_of_this_century() -> None:
    assert [each.year for each in find_dates("1/1/49 1/1/50")] == [2049, 1950]
