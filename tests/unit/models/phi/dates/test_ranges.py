"""Ranges and lists of dates: every day of them moves."""

import pytest

from deidstream.models.mention import Mention
from deidstream.models.operators.shift_date import ShiftDate
from deidstream.schemas.label import PhiLabel

DATES = ShiftDate()


def shifted(text: str, days: int) -> str:
    mention = Mention(text, PhiLabel.DATE)
    return DATES.render(mention, dict.fromkeys(DATES.identities(mention), f"{days:+d}"))


@pytest.mark.parametrize(
    ("text", "ten_days_later"),
    [
        ("3\u20135 May", "13\u201315 May"),
        ("May 3-5", "May 13-15"),
        ("May 20-22", "May 30-June 1"),
        ("May 20-22, 2024", "May 30-June 1, 2024"),
        ("20-22 May 2024", "30 May-1 June 2024"),
        ("20th and 22nd of May", "30th of May and 1st of June"),
        ("May 3 to June 1, 2024", "May 13 to June 11, 2024"),
        ("Dec 20-24, 2024", "Dec 30-Jan 3, 2025"),
        ("Dec 30 - Jan 2, 2025", "Jan 9 - Jan 12, 2025"),
        ("03/02-03/05", "03/12-03/15"),
        ("5/20-22", "5/30-6/1"),
        ("2024-05-01 to 2024-05-03", "2024-05-11 to 2024-05-13"),
        ("2024-05-01-2024-05-03", "2024-05-11-2024-05-13"),
        ("May 3, 5, and 7", "May 13, 15, and 17"),
        ("2020-2021", "2020-2021"),
        ("2019-20", "2019-20"),
        ("December 29, 2019-January 7, 2020", "January 8, 2020-January 17, 2020"),
        ("12/29/23 07:00-1/7/24 08:00", "1/8/24 07:00-1/17/24 08:00"),
        ("03/06 03/08", "03/16 03/18"),
        ("24/11 26/11 28/11", "04/12 06/12 08/12"),
        ("03/04/2024\t03/04/2025", "03/14/2024\t03/14/2025"),
        ("30 November 2023 27 December 2023", "10 December 2023 6 January 2024"),
        ("May 2, 2021 June 19, 2021", "May 12, 2021 June 29, 2021"),
        ("Jul 30 2022  Apr 15 2023", "Aug 9 2022  Apr 25 2023"),
        ("12/20/23 0700 12/29/23 0800", "12/30/23 0700 01/08/24 0800"),
        ("Jan-Mar 2024", "Feb-Apr 2024"),
        ("spring/summer 2023", "summer/autumn 2023"),
        ("12/2023 - 2/2024", "1/2024 - 3/2024"),
        ("Mon-Fri", "Thu-Mon"),
        ("Mon/Wed/Fri", "Thu/Sat/Mon"),
        ("from 5/24 to 5/28", "from 6/3 to 6/7"),
        ("May 3rd-5th, 2024", "May 13th-15th, 2024"),
        ("May 20th - 22nd, 2024", "May 30th - June 1st, 2024"),
        ("3, 4 and 5 May 2024", "13, 14 and 15 May 2024"),
        ("May 3, 4 & 5", "May 13, 14 & 15"),
        ("May 20, 21, and 22, 2024", "May 30, 31, and June 1, 2024"),
        ("May 20th-22nd", "May 30th-June 1st"),
        ("24, 25 May", "3, 4 June"),
        ("Tue 12 - Thu 14 May", "Fri 22 - Sun 24 May"),
        ("12./13. M\u00e4rz", "22./23. M\u00e4rz"),
        ("2023\u201324", "2023\u201324"),
        ("Winter 2023\u201324", "Spring 2023\u201324"),
    ],
)
def test_both_ends_of_a_range_move(text: str, ten_days_later: str) -> None:
    assert shifted(text, 10) == ten_days_later


@pytest.mark.parametrize(
    ("text", "ten_days_later"),
    [
        ("1st of the 5th 94", "11th of the 5th 94"),
        ("second of the fifth forty nine", "twelfth of the fifth forty nine"),
        ("NOV-28-2024", "DEC-08-2024"),
    ],
)
def test_a_month_may_be_counted_and_a_hyphen_may_join_a_year(
    text: str, ten_days_later: str
) -> None:
    assert shifted(text, 10) == ten_days_later


def test_years_of_columns_and_lists_move_alike() -> None:
    assert shifted("2019    2021    2023", 365) == "2020    2022    2024"
    assert shifted("2015, 2017 and 2019", 365) == "2016, 2018 and 2020"
