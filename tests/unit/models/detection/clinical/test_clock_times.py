"""Times of day in four digits."""

import time

import pytest

from deidstream.models.detection.clinical.clock_times import (
    FORMS,
    find_dotted_times,
    find_log_times,
    find_times_like_years,
)
from support.clinical_values import find_forms, lines_of, texts_of


def times(text: str) -> list[str]:
    return [*find_forms(text, FORMS), *texts_of(text, find_log_times(text, lines_of(text)))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3/12 0030 seen", ["0030"]),
        ("Sat 17 May 25   1440", ["1440"]),
        ("12/03/2024 0705", ["0705"]),
        ("3/12 2019", []),
        ("3/12 4417", []),
        ("Omar 1430", []),
        ("12/3 0030-4", []),
    ],
)
def test_four_digits_behind_a_date_are_a_time(text: str, found: list[str]) -> None:
    assert times(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Received handover 2030. Settled", ["2030"]),
        ("Medevac req 1210, ref", ["1210"]),
        ("disp 1902, enr 1903, at pt 1919", ["1902", "1903", "1919"]),
        ("PT CONTACT 0723  TRANS", ["0723"]),
        ("mobile 2214", []),
        ("on warfarin since 2019", []),
        ("address from 4042 Elm Road", []),
        ("called 2214, will", []),
        ("paged 0042 at 03:20", ["03:20"]),
        ("ROUNDS 8.30 A.M.", ["A.M"]),
        ("visit Fri a.m.", ["a.m"]),
        ("signed A.M.", []),
    ],
)
def test_times_behind_what_was_done_then(text: str, found: list[str]) -> None:
    assert times(text) == found


def test_lines_that_begin_with_ascending_times_are_a_log() -> None:
    assert times("0640 fed\n0715 settled\n1130 bathed") == ["0640", "0715", "1130"]
    assert times("2310 fed\n2350 settled\n0110 woke\n0400 fed") == ["2310", "2350", "0110", "0400"]
    assert times("0640 fed\n0715 settled") == []
    assert times("1140 Vance\n1141 Abara\n1142 Lund") == []
    assert times("1940 Vance\n0715 Abara\n2310 Lund\n0100 Ode") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "arr 1942  bed 11\nEdema at 1955; 2030 at wrist; 2110 worse\nat 2205 calm",
            ["1942", "1955", "2030"],
        ),
        ("disp 1902, enr 1903, arr 1917, depart 1938", ["1917", "1938"]),
        ("        1950     2230     0200\nPlt  80", ["1950"]),
        ("seen at 2110, home at 2240. CABG 2011, stroke in 2015", []),
        ("seen at 2110, home at 2240. PMH: MI, 2019, TKR", []),
        ("seen at 0110, home at 0240, arr 1942", []),
        ("arr 1942, seen at 2110", []),
        ("1945 obs stable. 2015 analgesia. 2030 turned. 2200 settled.", ["1945", "2015", "2030"]),
        ("Obs: 0800 T 36.8; 1200 T 37.1; 1600 T 37.4; 2000 T 38. Given 2015", ["2000", "2015"]),
        ("seen at 2110, home at 2240. 2019 TKR. 2011 CABG", []),
        ("seen at 2110, home at 2240. CABG 2011. 2019 TKR", []),
        ("MI 2003. 2008 CABG. 2015 stent. 2019 TKR", []),
        ("Licence until 2030. 2035 review. MI 2015", []),
        ("at 2016 visit no pain", []),
    ],
)
def test_numbers_like_years_are_times_beside_times(text: str, found: list[str]) -> None:
    assert texts_of(text, find_times_like_years(text)) == found


@pytest.mark.parametrize(
    ("text", "found"), [("2015H radio", ["2015H"]), ("since 0250Z", ["0250Z"])]
)
def test_a_time_may_say_what_it_counts(text: str, found: list[str]) -> None:
    assert times(text) == found


def test_a_time_with_a_dot_may_follow_a_date_and_its_weekday() -> None:
    text = "2/6/25  Mon   08.05\nMon 08.05 seen"
    assert texts_of(text, find_dotted_times(text)) == ["08.05"]


def test_a_page_of_times_takes_linear_time() -> None:
    def taken(count: int) -> float:
        begin = time.process_time()
        list(find_times_like_years("at 1042; 2030 at wrist; " * count))
        return time.process_time() - begin

    taken(1)
    assert taken(4_000) <= 9 * taken(1_000) + 0.5


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"ts":"2025-03-09T07:41:08+08:00"', ["T07:41:08+08:00"]),
        ("2024-11-02T23:05Z rinsed", ["T23:05Z"]),
        ("2024-11-02T06:00:00.250 vent", ["T06:00:00.250"]),
        ("at T14:30 bolus", ["14:30"]),
    ],
)
def test_the_time_of_a_stamp_begins_with_its_letter(text: str, found: list[str]) -> None:
    assert times(text) == found
