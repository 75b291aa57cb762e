"""Weeks and days of the year move as the day that they are."""

from datetime import date

import pytest

from deidstream.models.mention import Mention, NoteYears
from deidstream.models.operators.keep_year import KeepYear
from deidstream.models.phi.dates.age_limit import years_of
from deidstream.models.phi.dates.iso_forms import find_iso_day, is_iso_form, write_iso_form
from deidstream.models.phi.dates.ranges import read_dates
from deidstream.schemas.label import PhiLabel
from support.marked_dates import shifted


@pytest.mark.parametrize(
    ("marked", "moved"),
    [
        ("[2021-W09-1], so [1 March 2021]", "2021-W14-5, so 9 April 2021"),
        ("[2021-060], so [March 1, 2021]", "2021-099, so April 9, 2021"),
        ("[2021W091] [2021060]", "2021W145 2021099"),
        ("week [2021-W09]", "week 2021-W15"),
        ("[2020-W53-7]", "2021-W06-4"),
        ("[2020-366]", "2021-039"),
        ("[2021-W09-1T14:30]", "2021-W14-5T14:30"),
    ],
)
def test_a_week_and_a_day_of_the_year_move(marked: str, moved: str) -> None:
    assert shifted(marked, 39) == moved


@pytest.mark.parametrize("text", ["2021-W54", "2021-W00-1", "2021-366", "2021-000", "2021-W09-8"])
def test_there_is_no_such_week_or_day(text: str) -> None:
    assert not is_iso_form(text)


@pytest.mark.parametrize("text", ["2021-W09-1", "2021W091", "2021-060", "2021060", "2024-366"])
def test_what_is_read_is_written_alike(text: str) -> None:
    assert write_iso_form(text, find_iso_day(text)) == text


def test_the_year_of_a_week_is_its_year() -> None:
    assert KeepYear().render(Mention("2021-W09-1", PhiLabel.DATE), {}) == "2021"
    (read,) = [read_dates("2020-W53-7", Mention("", PhiLabel.DATE).facts)]
    assert years_of(read, NoteYears()) == [2020]
    assert find_iso_day("2020-W53-7") == date(2021, 1, 3)


@pytest.mark.parametrize("sign", ["\u2044", "\u2215", "\uff0f", "/"])
def test_any_slash_separates_day_and_month(sign: str) -> None:
    text = f"Born [03{sign}04{sign}1962], seen [14{sign}05{sign}2021]"
    assert shifted(text, 39) == "Born 12/05/1962, seen 22/06/2021"
