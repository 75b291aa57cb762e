"""Cities to states, dates to years, ZIP codes to areas."""

import pytest

from deidstream.models.date_reading import DateReading
from deidstream.models.mention import Mention, NoteFacts, NoteYears
from deidstream.models.operators.generalise_city import GeneraliseCity
from deidstream.models.operators.keep_year import KeepYear
from deidstream.models.operators.shorten_zip import RESTRICTED, ShortenZip
from deidstream.models.phi.dates.age_limit import note_years
from deidstream.models.phi.dates.calendar import PRESENT
from deidstream.models.phi.dates.ranges import read_dates
from deidstream.models.phi.read_age import read_age
from deidstream.schemas.label import PhiLabel


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Boston", "Massachusetts"),
        ("BOSTON", "MASSACHUSETTS"),
        ("Ft. Worth", "Texas"),
        ("Springfield", "[CITY]"),
        ("Oklahoma City", "[CITY]"),
        ("New York", "[CITY]"),
        ("Paris", "[CITY]"),
        ("Lyon", "[CITY]"),
        ("Nowhereville", "[CITY]"),
        ("--", "[CITY]"),
    ],
)
def test_a_city_becomes_its_state_if_its_name_tells_it(text: str, left: str) -> None:
    assert GeneraliseCity().render(Mention(text, PhiLabel.CITY), {}) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("02115", "021"), ("02115-0412", "021"), ("021", "021"), ("02115-****", "021"),
        ("03601", "000"), ("03601-1234", "000"), ("036xx", "000"), ("036", "000"),
        ("0211", "[ZIP]"), ("xxxxx", "[ZIP]"), ("03xxx", "[ZIP]"), ("EC1A 1BB", "[ZIP]"),
        ("\u0660\u0662\u0661\u0661\u0665", "[ZIP]"),
        ("70901", "000"), ("09012", "000"), ("34002", "000"), ("00907", "009"), ("96910", "969"),
        ("73301", "000"), ("90189", "000"),
    ],
)  # fmt: skip
def test_a_zip_code_becomes_its_area_if_enough_people_live_there(text: str, left: str) -> None:
    assert ShortenZip().render(Mention(text, PhiLabel.ZIP), {}) == left


@pytest.mark.parametrize(
    ("language", "left"),
    [
        (None, "791"),
        ("en", "791"),
        ("es", "791"),
        ("en-US", "791"),
        ("de", "[ZIP]"),
        ("en-GB", "[ZIP]"),
    ],
)
def test_a_note_of_another_country_has_no_zip_codes(language: str | None, left: str) -> None:
    mention = Mention("79104", PhiLabel.ZIP, NoteFacts(language=language))
    assert ShortenZip().render(mention, {}) == left


def test_the_list_of_2000_and_that_of_2010_are_restricted() -> None:
    of_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893"
    of_2010 = "036 059 102 203 205 369 556 692 821 823 878 879 884 893"
    assert {*of_2000.split(), *of_2010.split()} < RESTRICTED


def year(text: str, years: NoteYears) -> str:
    return KeepYear().render(Mention(text, PhiLabel.DATE, NoteFacts(years=years)), {})


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("3/4/24", "2024"), ("'29", "2029"), ("'30", "1934 or earlier"), ("5/6/31",
         "1934 or earlier"), ("19310304", "1934 or earlier"), ("03041931", "1934 or earlier"),
        ("nineteen thirty-one", "1934 or earlier"), ("1934", "1934 or earlier"), ("1935", "1935"),
        ("1970s", "1970s"), ("1920s", "1934 or earlier"), ("1930s", "1930s"),
        ("2019-2021", "2019-2021"), ("1930-1940", "1934 or earlier"), ("May 3", "[DATE]"),
        ("the sixties", "[DATE]"), ("Monday", "[DATE]"), ("Christmas 1930", "1934 or earlier"),
    ],
)  # fmt: skip
def test_a_date_becomes_its_year(text: str, left: str) -> None:
    assert year(text, NoteYears(2024)) == left


@pytest.mark.parametrize("latest", [None, 1947, 1999, 2015])
def test_a_year_of_two_digits_is_read_against_the_present(latest: int | None) -> None:
    years = NoteYears(latest=latest)
    assert year("3/4/24", years) == "2024"
    assert year("3/4/62", years) == "1962"
    assert year("3/4/24", NoteYears(1999, latest)) == "1924"


@pytest.mark.parametrize("text", ["34 3/7", "1840", "1815"])
def test_weeks_and_times_of_day_name_no_year(text: str) -> None:
    assert year(text, NoteYears(2024)) == year(text, NoteYears()) == "[DATE]"


def test_an_early_birth_is_masked_where_nothing_else_says_the_year() -> None:
    assert year("5/6/1921", NoteYears(latest=1921)) == f"{PRESENT - 90} or earlier"
    assert year("5/6/1921", NoteYears()) == f"{PRESENT - 90} or earlier"
    assert year("5/6/1950", NoteYears(latest=1950)) == "1950"


def read(*texts: str) -> list[tuple[DateReading, ...]]:
    return [read_dates(text, NoteFacts()) for text in texts]


def test_what_a_note_says_of_its_years_and_ages() -> None:
    ages = [read_age("93"), read_age("12"), read_age("?")]
    found = note_years("2024-05-03T10:00:00Z", read("3/4/1931", "June 2019", "5/6"), ages)
    assert found == NoteYears(2024, 2019, 93)
    unread = note_years("soon", read("Monday"), [read_age("old")])
    assert note_years(None, [], []) == unread == NoteYears()
    assert "93" not in repr(found)


@pytest.mark.parametrize(
    ("named", "latest"),
    [
        (("3/7/23",), 2023),
        (("1947", "3/7/23"), 2023),
        (("12 July 2019", "3/7/23"), 2023),
        (("12 July 2024", "3/7/23"), 2024),
        (("30/1/69",), 1969),
        (("Monday",), None),
    ],
)
def test_the_latest_year_may_have_two_digits(named: tuple[str, ...], latest: int | None) -> None:
    assert note_years(None, [read_dates(one, NoteFacts()) for one in named], ()).latest == latest


@pytest.mark.parametrize(
    ("text", "latest", "left"),
    [("3/7/23", 2023, "2023"), ("30/1/69", 2023, "1969"), ("3/7/23", 1947, "2023")],
)
def test_the_latest_year_says_no_century(text: str, latest: int, left: str) -> None:
    facts = NoteFacts(years=NoteYears(latest=latest))
    assert KeepYear().render(Mention(text, PhiLabel.DATE, facts), {}) == left
