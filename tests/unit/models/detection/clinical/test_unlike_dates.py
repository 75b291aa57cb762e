"""Pairs of numbers and months in capitals that are written as no date of their note."""

import pytest

from deidstream.models.detection.clinical import unlike_dates
from deidstream.models.detection.clinical.line_forms import find_lines
from deidstream.models.detection.clinical.unlike_dates import find_like_dates, find_unlike_dates
from support.clinical_values import find_forms, texts_of

SLASHES, POINTS, HYPHENS, NAMES = (
    f"Seen {day}.\n" for day in ("14/06/2024", "14.06.2024", "14-06-2024", "14 June 2024")
)


def unlike(text: str) -> list[str]:
    return texts_of(text, find_unlike_dates(text, find_lines(text, [(0, len(text))])))


def like(text: str) -> list[str]:
    return [text[slice(*place)] for place in find_like_dates(text)]


@pytest.mark.parametrize("note", [SLASHES, HYPHENS, NAMES])
def test_a_full_stop_is_of_a_value_where_no_date_has_one(note: str) -> None:
    assert unlike(f"{note}Urea    19.2     23.8") == ["19.2", "23.8"]
    assert unlike(f"{note}review on 19.6") == []
    assert unlike(f"{note}19.6 at 0800") == []


def test_where_dates_have_full_stops_the_months_decide() -> None:
    assert unlike(f"{POINTS}CRP 31.1, out 28.05") == ["31.1"]
    assert like(f"{POINTS}CRP 31.1, out 28.05") == ["28.05"]


@pytest.mark.parametrize("note", [SLASHES, POINTS, NAMES])
def test_a_row_may_be_numbered_with_a_hyphen_where_no_date_has_one(note: str) -> None:
    assert unlike(f"{note}7-14 | Harlow | lap chole") == ["7-14"]
    assert unlike(f"{note}TTE 12-6 fair") == []
    assert like(f"{note}TTE 12-6 fair") == ["12-6"]
    assert unlike(f"{HYPHENS}7-6 | Harlow") == []


def test_a_pair_that_is_about_no_month_of_the_note_is_no_date() -> None:
    assert unlike(f"{SLASHES}set of 2-1, twice") == ["2-1"]


def test_a_note_without_dates_tells_nothing() -> None:
    assert unlike("9.11 mother rang back, OK 3-4") == []
    assert like("9.11 mother rang back, OK 3-4") == []


def test_times_with_a_full_stop_are_no_dates() -> None:
    assert like(f"{POINTS}17.40 Fri, rang back 8.05") == []


@pytest.mark.parametrize("text", ["macula dry on OCT.", "OCT shows fluid", "per MAR given"])
def test_a_scan_and_a_chart_are_no_months(text: str) -> None:
    assert len(unlike(text)) == 1


@pytest.mark.parametrize(
    "text", ["seen 12 OCT", "since DEC", "OCT 12 ok", "ADMITTED NOV, OCT", "DEC '24 ok", "in MAR"]
)
def test_a_month_in_capitals_has_a_number_or_a_word_of_time(text: str) -> None:
    assert unlike(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("EID 784-1990-1234567-1; PID-3 EID checksum", ["EID", "EID"]),
        ("Emirates ID (EID) pending", ["EID"]),
        ("fasting, EID on Monday", []),
        ("784-1990-1234567-1 after Eid", []),
    ],
)
def test_where_emirates_number_people_a_feast_in_capitals_is_their_number(
    text: str, found: list[str]
) -> None:
    assert unlike(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("from TH1\n", ["TH1"]), ("TTS+DISPLAY", ["TTS"]), ("HD TTS", []), ("TH 3", []), ("T+F", [])],
)
def test_letters_of_weekdays_that_touch_more_are_none(text: str, found: list[str]) -> None:
    assert find_forms(text, unlike_dates.FORMS) == found
