from datetime import date, timedelta

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Mention, NoteFacts, NoteYears
from deidstream.models.operators.relative_date import ORIGIN, RelativeDate
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import RedactStyle

DATES = RelativeDate()
MAY_THIRD = date(2024, 5, 3)
NOTED = date(2024, 6, 1)


def counted(text: str, *, noted: date | None = None, before: str = "", after: str = "") -> str:
    mention = Mention(text, PhiLabel.DATE, NoteFacts(noted=noted), before, after)
    origin = str((MAY_THIRD - timedelta(100)).toordinal())
    return DATES.render(mention, dict.fromkeys(DATES.identities(mention), origin))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("May 3, 2024", "day 100"),
        ("5/4/24", "day 101"),
        ("2024-05-03T14:30:00Z", "day 100 14:30:00Z"),
        ("202405031430", "day 100 14:30"),
        ("5/3/24 at 2:30 PM", "day 100 at 2:30 PM"),
        ("14:30 5/3/24", "14:30 day 100"),
        ("24 JAN 2024", "DAY 0"),
        ("January 21, 2024", "day -3"),
        ("May 3-5, 2024", "day 100-day 102"),
        ("May 2024", "month 3"),
        ("Q1 2024", "month 0"),
        ("2024", "year 0"),
        ("2020-2021", "year -4-year -3"),
        ("Christmas 2023", "day -30"),
    ],
)
def test_dates_count_from_the_origin(text: str, count: str) -> None:
    assert counted(text) == count


@pytest.mark.parametrize("text", ["5/3", "May 3", "December", "Easter"])
def test_without_a_year_the_notes_own_date_decides(text: str) -> None:
    assert counted(text) == "[DATE]"
    assert counted(text, noted=NOTED) != "[DATE]"


def test_a_day_without_a_year_is_the_last_one_up_to_ninety_days_ahead() -> None:
    assert counted("8/29", noted=NOTED) == "day 218"
    assert counted("9/10", noted=NOTED) == "day -136"
    assert counted("the 2nd", noted=NOTED) == "day 130"
    assert (
        counted("2/29", noted=date(2023, 3, 1))
        == f"day {(date(2020, 2, 29) - MAY_THIRD).days + 100}"
    )


def test_the_other_end_of_a_range_tells_month_and_year() -> None:
    assert counted("May 3", after="5, 2024") == "day 100"
    assert counted("5", before="May 3, 2024") == "day 102"
    assert counted("Dec 30", after="Jan 2, 2025") == "day 341"


@pytest.mark.parametrize("text", ["Sunday", "MWF", "spring", "1990s", "Q4", "soon", "2024-02-30"])
def test_what_cannot_be_counted_is_redacted(text: str) -> None:
    assert counted(text, noted=NOTED) == "[DATE]"


def test_what_shows_a_great_age_is_redacted_in_the_style_asked_for() -> None:
    facts = NoteFacts(years=NoteYears(authored=2024))
    operator = RelativeDate(89, style=RedactStyle.XXX)
    assert operator.render(Mention("3/4/1931", PhiLabel.DATE, facts), {}) == "XXX-Date"
    assert operator.identities(Mention("3/4/1941", PhiLabel.DATE, facts)) == (ORIGIN,)


def test_origins_lie_in_a_hundred_years_and_differ_between_patients() -> None:
    drawn = {
        int(DATES.derive(ORIGIN, Draws(Keyring(b"k" * 32, 1, "tenant"), str(scope))))
        for scope in range(300)
    }
    assert len(drawn) > 290
    assert date.fromordinal(min(drawn)) >= date(1950, 1, 1)
    assert date.fromordinal(max(drawn)) < date(2050, 1, 2)
    assert max(drawn) - min(drawn) > 30_000
