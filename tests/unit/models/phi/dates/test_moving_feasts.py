"""Feasts of other calendars fall on their day of each year, and move with the dates beside them."""

from datetime import date, timedelta
from itertools import pairwise

import pytest

from deidstream.models.phi.dates.holidays import holiday
from deidstream.models.phi.dates.moving_feasts import moving_feasts
from support.marked_dates import shifted


def day_of(text: str) -> date:
    found = holiday(text)
    assert found is not None
    rule, year = found
    return rule(year or 0)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Three Kings' Day 2022", date(2022, 1, 6)),
        ("Pongal holiday 2021", date(2021, 1, 15)),
        ("Diwali 2023", date(2023, 11, 12)),
        ("Deepavali 2019", date(2019, 10, 27)),
        ("Lunar New Year 2020", date(2020, 1, 25)),
        ("Tet 2024", date(2024, 2, 10)),
        ("Passover 2024", date(2024, 4, 23)),
        ("Rosh Hashanah 2023", date(2023, 9, 16)),
        ("Hanukkah 2022", date(2022, 12, 19)),
        ("Ramadan 2023", date(2023, 4, 6)),
        ("Eid al-Fitr 2021", date(2021, 5, 13)),
        ("Eid al-Adha 2024", date(2024, 6, 16)),
        ("Orthodox Easter 2025", date(2025, 4, 20)),
        ("Holi 2024", date(2024, 3, 25)),
    ],
)
def test_a_feast_falls_on_its_day(text: str, day: date) -> None:
    assert day_of(text) == day


@pytest.mark.parametrize("name", sorted(moving_feasts()))
def test_a_feast_has_a_day_in_every_year(name: str) -> None:
    feast = moving_feasts()[name]
    days = [feast.find(year) for year in range(1930, 2070)]
    assert [day.year for day in days] == list(range(1930, 2070))
    apart = range(330, 725) if feast.cycle == 33 else range(340, 395)
    assert all((following - day).days in apart for day, following in pairwise(days))


def test_what_happened_before_a_feast_stays_before_it() -> None:
    # Between the 20th of March, where Ramadan stood in every year, and its first day in 2023.
    moved = shifted("Begun [March 21, 2023], before [Ramadan]. Seen [10 April 2023]", 40)
    assert moved == "Begun April 30, 2023, before the weeks from May 2 to May 30. Seen 20 May 2023"


def test_what_happened_in_a_fast_stays_within_it() -> None:
    moved = shifted("Fasting since [Ramadan 2024] began [11 March 2024], ill [8 April 2024]", 52)
    assert moved == (
        "Fasting since the weeks from May 2, 2024 to May 30, 2024 began 2 May 2024, ill 30 May 2024"
    )
    assert shifted("Gave up wine for [Lent]. Seen [10 April 2023]", 40) == (
        "Gave up wine for the weeks from April 3 to May 18. Seen 20 May 2023"
    )


def test_a_feast_without_a_year_is_that_of_the_year_it_was_last_in() -> None:
    assert shifted("Since [Diwali]. Seen [5 January 2024]", 10) == (
        "Since November 22. Seen 15 January 2024"
    )


def test_the_eve_of_a_feast_is_the_day_before_it() -> None:
    for name in ("Thanksgiving", "Christmas", "Easter", "Diwali", "New Year's Day"):
        feast, eve = holiday(name), holiday(f"{name.removesuffix(' Day')} eve")
        assert feast is not None
        assert eve is not None
        assert eve[0](2025) == feast[0](2025) - timedelta(1) or name.startswith("New Year")
    assert holiday("eve") is None
