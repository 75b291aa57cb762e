from datetime import date

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Identity, Mention, NoteFacts, NoteYears
from deidstream.models.operators.keep_year import KeepYear
from deidstream.models.operators.shift_date import SHIFT, ShiftDate
from deidstream.models.phi.dates.holidays import easter, holiday
from deidstream.models.phi.dates.order import day_first
from deidstream.models.surrogates.replacer import count_unread_dates
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import Weekday
from deidstream.schemas.span import Replacement, Span

DATES = ShiftDate()


def shifted(text: str, days: int, *, day_leads: bool = False) -> str:
    mention = Mention(text, PhiLabel.DATE, NoteFacts(day_leads))
    return DATES.render(mention, dict.fromkeys(DATES.identities(mention), f"{days:+d}"))


@pytest.mark.parametrize(
    ("text", "ten_days_later"),
    [
        ("2024-05-24", "2024-06-03"),
        ("5/24/2024", "6/3/2024"),
        ("05/24/24", "06/03/24"),
        ("05/24", "06/03"),
        ("5/4", "5/14"),
        ("24/05/2024", "03/06/2024"),
        ("24.05.2024", "03.06.2024"),
        ("24-May-2024", "03-Jun-2024"),
        ("24MAY24", "03JUN24"),
        ("24Oct2000", "03Nov2000"),
        ("24 Sept 2000", "4 Oct 2000"),
        ("24-may-24", "03-jun-24"),
        ("May 24, 2024", "June 3, 2024"),
        ("MAY 24 2024", "JUNE 3 2024"),
        ("May 22nd, 2024", "June 1st, 2024"),
        ("1st of May", "11th of May"),
        ("Sept. 25", "Oct. 5"),
        ("twenty-first of May", "thirty-first of May"),
        ("Friday, May 24, 2024", "Monday, June 3, 2024"),
        ("FRI 5/24", "MON 6/3"),
        ("Fridays", "Mondays"),
        ("MWF", "ThSM"),
        ("M/W/F", "Th/S/M"),
        ("20240524", "20240603"),
        ("20240524143000", "20240603143000"),
        ("052424", "060324"),
        ("24 mai 2024", "3 juin 2024"),
        ("24 de mayo", "3 de junio"),
        ("24.V.2024", "3.VI.2024"),
        ("2024/May/24", "2024/Jun/03"),
        ("May 24, '98", "June 3, '98"),
        ("2024-05-24T14:30:00Z", "2024-06-03T14:30:00Z"),
        ("May 2024", "June 2024"),
        ("05/2024", "06/2024"),
        ("mid-April", "late-May"),
        ("late April 2024", "early May 2024"),
        ("Early May", "Mid June"),
        ("Spring 2025", "Summer 2025"),
        ("fall", "winter"),
        ("Christmas 2024", "January 4, 2025"),
        ("the Fourth of July", "July 14"),
        ("THANKSGIVING 2024", "DECEMBER 8, 2024"),
        ("2024", "2024"),
        ("'98", "'98"),
        ("1990s", "1990s"),
        ("the nineties", "the nineties"),
        ("02/29", "03/10"),
        ("14th", "24th"),
        ("Tuesday,\n  May 24", "Friday,\n  June 3"),
        ("O5/24/2O24", "06/03/2024"),
        ("l/l2", "1/22"),
        ("O5/1O/24", "05/20/24"),
        ("30.12.", "09.01."),
        ("3.5.", "13.5."),
        ("Q3 2024", "Q4 2024"),
        ("3Q24", "4Q24"),
        ("third quarter of 2023", "fourth quarter of 2023"),
        ("3rd quarter 2023", "4th quarter 2023"),
        ("Febuary 3", "February 13"),
        ("Wendesday", "Saturday"),
        ("Decernber 12, 2024", "December 22, 2024"),
        ("april the ninth twenty twenty five", "april the nineteenth twenty twenty five"),
        ("Dec 30, nineteen ninety-eight", "Jan 9, nineteen ninety-nine"),
        ("2024-05-24T14:30:00.123+02:00", "2024-06-03T14:30:00.123+02:00"),
        ("20240524T143000Z", "20240603T143000Z"),
        ("202405241430", "202406031430"),
        ("20240524143000-0500", "20240603143000-0500"),
        ("5/24/24 1430", "6/3/24 1430"),
        ("1430 24MAY24", "1430 03JUN24"),
        ("14:30 5/24/24", "14:30 6/3/24"),
        ("5/24/24 @ 2pm", "6/3/24 @ 2pm"),
        ("24. Mai 2024", "3. Juni 2024"),
        ("1er mai 2024", "11 mai 2024"),
        ("22 oct. 2024", "1 nov. 2024"),
        ("28 févr. 2024", "9 mars 2024"),
        ("28 fevr. 2024", "9 mars 2024"),
        ("3 dic 2024", "13 dic 2024"),
        ("15. Dez. 2024", "25. Dez. 2024"),
        ("15hb Mac 2024", "25hb Mac 2024"),
        ("Apr. 24, 2024", "May 4, 2024"),
        ("Christmas Day 25/12/2023", "04/01/2024"),
        ("3/31/24 (Easter)", "4/10/24"),
        ("Carnival Saturday, 10/2/24", "10/12/24"),
        ("Melbourne Cup weekend", "November 17"),
        ("5/24/24 7:30-9:30", "6/3/24 7:30-9:30"),
        ("5/24/24 0730-0930", "6/3/24 0730-0930"),
        ("5/24 0730", "6/3 0730"),
        ("0730 5/24", "0730 6/3"),
        ("5/24/24, 2:30 PM EST", "6/3/24, 2:30 PM EST"),
        ("24 May 2024 14:30 BST", "3 June 2024 14:30 BST"),
        ("5/24/24 1430 CST", "6/3/24 1430 CST"),
        ("noon on May 24", "noon on June 3"),
        ("20240524 0730", "20240603 0730"),
        ("2024-05-24T14", "2024-06-03T14"),
        ("24.III.2024", "3.IV.2024"),
        ("24. April 2024", "4. Mai 2024"),
        ("Mai 2024", "Juni 2024"),
        ("24. Maerz 2024", "3. April 2024"),
        ("~2019", "~2019"),
        ("1960's", "1960's"),
        ("last Tuesday", "last Friday"),
        ("every other Friday", "every other Monday"),
        ("w/c 24 May", "w/c 3 June"),
        ("den 24.05.2024", "den 03.06.2024"),
        ("Th 5/24", "Su 6/3"),
        ("Di 24.5.", "Fr 3.6."),
        ("Anfang Juli 2024", "Anfang August 2024"),
        ("fev 2024", "mar 2024"),
        ("24 Des 2024", "3 Jan 2025"),
        ("1900-0730\n5/24/24", "1900-0730\n6/3/24"),
        ("T/Th/Sat", "F/Su/Tue"),
        ("august the third oh one", "august the thirteenth oh one"),
        ("three eleven sixty two", "three twenty one sixty two"),
        ("1948-12-05 / 074", "1948-12-15 / 074"),
        ("may bank holiday", "may 11"),
        ("the uh third", "the uh thirteenth"),
    ],
)
def test_the_written_form_stays(text: str, ten_days_later: str) -> None:
    assert shifted(text, 10) == ten_days_later


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        ("1998 - 2003", "1997 - 2002"),
        ("12 mars 2024", "25 ao\u00fbt 2023"),
        ("mid", "mid"),
        ("12 Mrach 2024", "25 August 2023"),
        ("12 d\u00e9cembre 2024", "26 mai 2024"),
        ("12 decembre 2023", "26 mai 2023"),
        ("two thousand and nine", "two thousand and eight"),
        ("nineteen hundred and sixty one", "nineteen hundred and sixty"),
    ],
)
def test_what_moves_by_two_hundred_days(text: str, earlier: str) -> None:
    assert shifted(text, -200) == earlier


def test_numeric_dates_follow_the_note() -> None:
    assert shifted("03/05/2024", 10) == "03/15/2024"
    assert shifted("03/05/2024", 10, day_leads=True) == "13/05/2024"
    assert shifted("3.-9.5.2024", 10, day_leads=True) == "13.-19.5.2024"
    assert shifted("3.-9.5.2024", 10) == "[DATE]"


@pytest.mark.parametrize(
    "text",
    ["April", "Spring", "May 2024", "winter 2024", "Friday", "MWF", "05/24", "15th", "Christmas"],
)
@pytest.mark.parametrize("days", [1, -1, 3, 20, -20, 100, -300, 345, -351])
def test_only_years_may_stay(text: str, days: int) -> None:
    assert shifted(text, days) != text


@pytest.mark.parametrize(
    "text",
    [
        "13/45/2024", "00/00", "Feb 30, 2024", "FY24", "2023-24 season", "1-1-1-1-1",
        "Lent Smith", "x", "--", "3/__/24", "3/?/24", "/3", "5/3 1430 Bob",
        "123", "12345", "May June", "1/2/3/4", "4471982", "0001-01-01 John", "\u0663/\u0664",
        "9" * 100,
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_redacted(text: str) -> None:
    assert shifted(text, 10) == "[DATE]"


def test_a_date_outside_the_calendar_is_redacted() -> None:
    mention = Mention("9999-12-30", PhiLabel.DATE)
    assert DATES.render(mention, {SHIFT: "+300"}) == "[DATE]"


@pytest.mark.parametrize("limit", [1, 2, 6, 8, 30, 365, 1826])
def test_the_shift_moves_weekdays_and_days_of_the_year(limit: int) -> None:
    for scope in map(str, range(300)):
        days = int(ShiftDate(limit).derive(SHIFT, _draws(scope)))
        assert max(min(30, limit // 2), 1) <= abs(days) <= limit
        assert days % 7
        assert abs(days) < 183 or abs(days) % 365 in range(30, 336)


@pytest.mark.parametrize("weekday", Weekday)
def test_no_patient_moves_by_less_than_a_month(weekday: Weekday) -> None:
    operator = ShiftDate(weekday=weekday)
    drawn = [int(operator.derive(SHIFT, _draws(f"patient {number}"))) for number in range(5_000)]
    assert min(map(abs, drawn)) in range(30, 37)
    assert max(map(abs, drawn)) in range(325, 336)
    later = sum(days > 0 for days in drawn)
    assert 0.47 < later / len(drawn) < 0.53
    # Every length is as likely as another: half of them are below the middle.
    assert 0.47 < sum(abs(days) < 183 for days in drawn) / len(drawn) < 0.53
    assert drawn[:9] == [
        int(operator.derive(SHIFT, _draws(f"patient {number}"))) for number in range(9)
    ]


@pytest.mark.parametrize("limit", [1, 7, 13, 30, 60, 365, 1826])
def test_kept_weekdays_move_by_whole_weeks(limit: int) -> None:
    operator = ShiftDate(limit, Weekday.KEEP)
    drawn = {int(operator.derive(SHIFT, _draws(str(scope)))) for scope in range(200)}
    assert all(days % 7 == 0 and 0 < abs(days) <= max(limit, 7) for days in drawn)
    assert min(drawn) < 0 < max(drawn)
    assert not drawn & {364, -364, 1827, -1827}


def test_a_kept_weekday_stays_as_written() -> None:
    mention = Mention("Friday, May 24, 2024", PhiLabel.DATE)
    written = ShiftDate(60, Weekday.KEEP).render(mention, {SHIFT: "-21"})
    assert written == "Friday, May 3, 2024"


def test_what_shows_a_great_age_is_redacted() -> None:
    facts = NoteFacts(years=NoteYears(authored=2024))
    for text, old in (("3/4/1931", True), ("3/4/1940", False), ("1930-1940", True)):
        mention = Mention(text, PhiLabel.DATE, facts)
        surrogates = dict.fromkeys(ShiftDate(cap=89).identities(mention), "+10")
        assert (ShiftDate(cap=89).render(mention, surrogates) == "[DATE]") is old


def test_dates_that_cannot_be_read_are_counted() -> None:
    span = Span(0, 4, PhiLabel.DATE)
    written = [
        ("[DATE]", "shift"),
        ("XXX-Date", "relative"),
        ("5/3", "shift"),
        ("[DATE]", "redact"),
    ]
    assert count_unread_dates(Replacement(span, *one) for one in written) == 2


def test_shifts_go_both_ways_and_differ_between_patients() -> None:
    drawn = {int(DATES.derive(SHIFT, _draws(str(scope)))) for scope in range(200)}
    assert min(drawn) < 0 < max(drawn)
    assert len(drawn) > 100


def test_a_date_rests_on_the_patients_shift_alone() -> None:
    assert DATES.identities(Mention("May 3, 2024", PhiLabel.DATE)) == (Identity("date.shift"),)
    assert DATES.identities(Mention("soon", PhiLabel.DATE)) == ()


@pytest.mark.parametrize(
    ("texts", "language", "leads"),
    [
        (["14/01/2025", "03/02/2025"], None, True),
        (["01/14/2025"], "en-GB", False),
        (["03/02/2025"], None, False),
        (["03/02/2025"], "en-GB", True),
        (["2024-05-13", "13 May", "5/6"], None, True),
        (["2024-05-13", "May 13", "5/6"], None, False),
        ([], None, False),
        (["9" * 1000], None, False),
        (["Thu 2/11/2023"], None, True),
        (["Sat 2/11/23"], "en-GB", False),
        (["Mon 2/11/2023"], None, False),
    ],
)
def test_a_field_over_twelve_tells_the_order(
    texts: list[str], language: str | None, *, leads: bool
) -> None:
    assert day_first(texts, language) is leads


def test_moving_holidays_fall_where_they_should() -> None:
    assert [easter(year) for year in (1998, 2024, 2025)] == [
        date(1998, 4, 12),
        date(2024, 3, 31),
        date(2025, 4, 20),
    ]
    falls = {
        "Memorial Day 2024": date(2024, 5, 27),
        "Labor Day 1998": date(1998, 9, 7),
        "Mardi Gras, 2025": date(2025, 3, 4),
        "MLK Day 2024": date(2024, 1, 15),
        "Victoria Day 2024": date(2024, 5, 20),
        "Victoria Day 2026": date(2026, 5, 18),
        "Remembrance Sunday 2023": date(2023, 11, 12),
        "Canadian Thanksgiving 2023": date(2023, 10, 9),
    }
    for text, day in falls.items():
        found = holiday(text)
        assert found is not None
        rule, year = found
        assert rule(year or 0) == day


@pytest.mark.parametrize(
    ("text", "land", "day"),
    [
        ("Thanksgiving 2023", "", date(2023, 11, 23)),
        ("Thanksgiving 2023", "CA", date(2023, 10, 9)),
        ("Thanksgiving Eve 2023", "CA", date(2023, 10, 8)),
        ("Mother's Day 2024", "US", date(2024, 5, 12)),
        ("Mother's Day 2024", "GB", date(2024, 3, 10)),
        ("Mothers' Day 2024", "IE", date(2024, 3, 10)),
        ("Father's Day 2024", "CA", date(2024, 6, 16)),
        ("Father's Day 2024", "NZ", date(2024, 9, 1)),
        ("Labour Day 2024", "CA", date(2024, 9, 2)),
        ("Labour Day 2024", "IN", date(2024, 5, 1)),
        ("Labour Day 2024", "NZ", date(2024, 10, 28)),
        ("Labor Day 2024", "US", date(2024, 9, 2)),
        ("Family Day 2024", "CA", date(2024, 2, 19)),
        ("Family Day 2024", "ZA", date(2024, 4, 1)),
        ("Independence Day 2024", "IN", date(2024, 8, 15)),
        ("Christmas 2024", "NZ", date(2024, 12, 25)),
    ],
)
def test_a_holiday_falls_on_the_day_of_its_country(text: str, land: str, day: date) -> None:
    found = holiday(text, land)
    assert found is not None
    rule, year = found
    assert rule(year or 0) == day


@pytest.mark.parametrize(
    ("text", "days", "moved"),
    [
        ("late November 2024", 40, "early January 2025"),
        ("early-March", 50, "late-April"),
        ("Mid June", -62, "Mid April"),
        ("LATE JANUARY", -40, "MID DECEMBER"),
        ("early 3 May 2024", 40, "early 12 June 2024"),
        ("early 2024", 40, "early 2024"),
    ],
)
def test_a_part_of_a_month_moves_to_that_of_the_new_day(text: str, days: int, moved: str) -> None:
    assert shifted(text, days) == moved


@pytest.mark.parametrize(
    ("text", "year"),
    [("May 3, 2024", "2024"), ("2024-05-03", "2024"), ("5/3", "[DATE]"), ("5/3/24", "2024")],
)
def test_safe_harbor_keeps_the_year_alone(text: str, year: str) -> None:
    assert KeepYear().render(Mention(text, PhiLabel.DATE), {}) == year


def _draws(scope: str) -> Draws:
    return Draws(Keyring(b"k" * 32, 1, "tenant"), scope)
