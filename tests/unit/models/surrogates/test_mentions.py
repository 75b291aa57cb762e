"""What a note tells of each of its spans."""

from datetime import date

import pytest

from deidstream.models.operators.shift_date import SHIFT, ShiftDate
from deidstream.models.surrogates.mentions import mentions
from deidstream.models.surrogates.replacer import count_unread_dates
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.span import Span
from support.marked_dates import shifted, told
from support.vault import World, detected, lines, replacer


@pytest.mark.parametrize(
    ("marked", "after"),
    [
        ("from [May 20] to [22]", "from May 30 to June 1"),
        ("[20]-[22 May]", "30 May-1 June"),
        ("[Nov 15], [22] and [29]", "Nov 25, Dec 2 and Dec 9"),
        ("[20] and [22 May 2024]", "30 May and 1 June 2024"),
        ("[Feb 20] to [Feb 25, 2024]", "Mar 1 to Mar 6, 2024"),
        ("[May 6, 2026] and [12/2025]", "May 16, 2026 and 01/2026"),
        ("[May 20]. On day [22] he left", "May 30. On day 1 he left"),
    ],
)
def test_two_spans_of_a_range_complete_each_other(marked: str, after: str) -> None:
    assert shifted(marked, 10) == after


def test_a_note_of_a_leap_year_moves_all_its_dates_by_as_much() -> None:
    assert shifted("[2/27/2024]: as on [2/27]", 10) == "3/8/2024: as on 3/8"
    assert shifted("[2/27/2023]: as on [2/27]", 10) == "3/9/2023: as on 3/9"


@pytest.mark.parametrize(
    ("marked", "authored_at", "noted"),
    [
        ("[3/4/1950] [1/2/2024] [1/9/2024]", None, date(2024, 1, 2)),
        ("[3/4/1950] [1/2/2024]", None, date(2024, 1, 2)),
        ("[1/3/2024]: [11/2/2023] [12/5/2023] [2/1/2022]", None, date(2024, 1, 3)),
        ("[1/3/2025]: [11/2/2023] [12/5/2023]", None, date(2023, 11, 2)),
        ("[3/4/1950]", "2031-05-03T10:00:00Z", date(2031, 5, 3)),
        ("[3/4/1950]", " x", date(1950, 3, 4)),
        ("[Sunday] [May 3] [2024]", None, None),
        ("", None, None),
    ],
)
def test_the_notes_own_date(marked: str, authored_at: str | None, noted: date | None) -> None:
    note = RawNote("note", "patient", "x", tenant="t", authored_at=authored_at)
    found = told(marked or "[x]", authored_at)[1] or mentions(note, [])
    assert found[0].facts.noted == noted


def test_weekdays_beside_dates_tell_the_year_of_a_note() -> None:
    marked = "[Wed 5 Nov] and [Sun 9 Nov], [Remembrance Sunday], next [Mon 10th]"
    told_days = "Sat 15 Nov and Wed 19 Nov, November 19, next Thu 20th"
    assert shifted(marked, 10) == told_days


def test_labels_other_than_dates_are_not_joined() -> None:
    note = RawNote("note", "patient", "5-6", tenant="t")
    spans = [Span(0, 1, PhiLabel.IDNUM), Span(2, 3, PhiLabel.DATE)]
    assert [m.before + m.after for m in mentions(note, spans)] == ["", ""]


def test_the_replacer_moves_whole_and_partial_dates_alike_and_counts_the_unread() -> None:
    dates = ["02/27/2024", "02/27", "harmattan"]
    written = World().write(replacer(), [detected([(PhiLabel.DATE, text) for text in dates])])[0]
    whole, partial, unread = lines(written)
    assert whole.startswith(partial)
    assert unread == "[DATE]"
    assert count_unread_dates(written.replacements) == 1


@pytest.mark.parametrize(
    ("marked", "ten_days_later"),
    [
        ("[12/28/23]-[1/3/24]", "1/7/24-1/13/24"),
        ("[12/28/23]-[01/03/24]", "01/07/24-01/13/24"),
        ("[25/12/23], then [04/3/24]", "04/01/24, then 14/3/24"),
        ("[28/10/24] and [3/05/24]", "07/11/24 and 13/05/24"),
        ("[12/28/23]", "01/07/24"),
    ],
)
def test_a_note_without_leading_zeros_gets_none(marked: str, ten_days_later: str) -> None:
    assert shifted(marked, 10) == ten_days_later


def test_what_goes_off_names_month_and_year() -> None:
    marked = "[02/03/2024] lot exp [06/25], seen [06/25]"
    assert shifted(marked, 300) == "11/29/2024 lot exp 04/26, seen 04/20"
    marked = "[08/11/2024] prep [08/11] 2200 exp [08/12] 2200, exp [08/12] 09:15"
    assert shifted(marked, 10) == "08/21/2024 prep 08/21 2200 exp 08/22 2200, exp 08/22 09:15"


def test_of_an_age_what_follows_is_told() -> None:
    spans = [Span(2, 4, PhiLabel.AGE)]
    (mention,) = mentions(RawNote("note", "patient", "a 92-year-old man from afar"), spans)
    assert mention.after == "-year-old ma"


@pytest.mark.parametrize(
    ("words", "year"),
    [
        ("EDD", 2024),
        ("EDD by scan:", 2024),
        ("due to deliver on", 2024),
        ("next clinic on", 2024),
        ("Scheduled for surgery", 2024),
        ("Fell on", 2023),
        ("Due for review. Fell on", 2023),
    ],
)
def test_words_before_a_day_say_that_it_is_to_come(words: str, year: int) -> None:
    _, found = told(f"Seen [03/04/2024]. {words} [11/20].")
    dates = found[1].dates
    assert dates is not None
    assert dates[0].near.year == year


def test_a_day_to_come_may_just_have_passed() -> None:
    _, found = told("Seen [03/04/2024]. EDD was [2/20]; EDD of her sister [12/20].")
    assert [one.dates[0].near.year for one in found[1:] if one.dates] == [2024, 2023]


def test_a_birth_to_come_moves_over_a_leap_day_as_all_dates_do() -> None:
    assert shifted("Seen [08/10/2023]. EDD [04/01]", 10) == "Seen 08/20/2023. EDD 04/11"
    assert shifted("Seen [08/10/2023]. EDD [02/25]", 10) == "Seen 08/20/2023. EDD 03/06"


@pytest.mark.parametrize("known", [("14 Elm Row, Leeds LS1 4AB",), ()])
def test_the_notes_of_a_patient_are_read_in_one_order(known: tuple[str, ...]) -> None:
    texts = (
        "Anaemia, seen 03/04/2024.",
        "Haemoglobin checked on 17/04/2024.",
        "Stable on 05/06/2024." if known else "No oedema on 05/06/2024.",
    )
    days: list[date | None] = []
    for text in texts:
        start = text.index("/") - 2
        note = RawNote("n", "p", text, known=KnownIdentifiers(addresses=known))
        (found,) = mentions(note, [Span(start, start + 10, PhiLabel.DATE)])
        days.append(found.facts.noted)
    assert days == [date(2024, 4, 3), date(2024, 4, 17), date(2024, 6, 5)]


@pytest.mark.parametrize(
    ("visit", "month", "moved"),
    [
        ("2023-11-29", "November", "January"),
        ("2023-11-29", "December", "February"),
        ("2023-11-02", "November", "December"),
        ("2023-11-02", "October", "November"),
        ("2023-11-29", "May", "June"),
    ],
)
def test_a_month_moves_with_the_day_beside_it(visit: str, month: str, moved: str) -> None:
    note = RawNote("n", "p", f"Worse in {month}.", authored_at=visit)
    (found,) = mentions(note, [Span(9, 9 + len(month), PhiLabel.DATE)])
    assert ShiftDate().render(found, {SHIFT: "+40"}) == moved


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Pain since Thanksgiving.", "2023-11-23"),
        ("Has been well since Christmas", "2023-12-25"),
        ("Surgery planned for Thanksgiving", "2024-11-28"),
    ],
)
def test_a_holiday_that_is_over_is_before_the_visit(text: str, day: str) -> None:
    holiday = "Thanksgiving" if "Thanks" in text else "Christmas"
    start = text.index(holiday)
    note = RawNote("n", "p", text, authored_at="2024-10-20")
    (found,) = mentions(note, [Span(start, start + len(holiday), PhiLabel.DATE)])
    assert [one.near.year for one in found.dates or ()] == [int(day[:4])]


@pytest.mark.parametrize(
    ("place", "day"),
    [
        ("Clinic tel 403-555-0177, OHIP no. on file.", "November 23"),
        ("Clinic tel 208-555-0177.", "January 7"),
        ("", "January 7"),
    ],
)
def test_a_holiday_is_that_of_the_country_of_the_note(place: str, day: str) -> None:
    text = f"Fell at Thanksgiving. {place}"
    start = text.find("tel") + 4
    spans = [Span(8, 20, PhiLabel.DATE)]
    if place:
        spans.append(Span(start, start + 12, PhiLabel.PHONE))
    found = mentions(RawNote("n", "p", text, authored_at="2024-12-01"), spans)[0]
    assert ShiftDate().render(found, {SHIFT: "+40"}).endswith(day)
