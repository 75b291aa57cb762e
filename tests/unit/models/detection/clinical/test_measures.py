"""Doses, results, scores, stages and counted days; times of day."""

import pytest

from deidstream.models.detection.clinical import clock_times, measures
from support.clinical_values import find_forms


@pytest.mark.parametrize(
    "value",
    [
        "40 mg",
        "6.6.6.10 units",
        "20.30.40.50 ml",
        "0.5 mcg/kg/min",
        "90KG",
        "3.375 g",
        "Waterlow 17",
        "GCS 14",
        "HD 3",
        "POD 2",
        "day 5",
        "week 12",
        "stage IIIB",
        "grade 2",
        "34+2",
        "28w3d",
        "34 weeks' gestation",
        "9 weeks pregnant",
        "34 wks by Ballard",
        "G3P2",
        "K 5.8",
        "Hb pre-op 11.2",
        "Na on admission 131",
        "pH 7.29",
        "G3P2 (2002)",
        "eos 18% (2016)",
        "temp 26.1",
        "bHCG 48210",
        "hCG 188 000",
        "CD4 540",
        "CA19-9 812",
        "walked 18 m",
        "ascended from 30 m",
        "depth of 28 m",
        "fell from about 12 m",
        "55 pk-yr",
        "45 pack years",
        "1979 cycles",
        "Year 7",
        "3,415",
        "12,500,000",
        "30 weeks AOG",
        "Token 23",
        'bed": "58-12',
        "4.11.0.23",
        "6.11.2025-rc3",
        "11/48",
        "58-12",
        "PHP 184,206.35",
        "5,698",
        "512-A",
        "61/S",
        "5.14.2-rc1",
        "sw: 9.33.2.10",
    ],
)
def test_finds_a_measure(value: str) -> None:
    text = f"then {value}, then"
    assert value in find_forms(text, measures.FORMS)


@pytest.mark.parametrize(
    "text",
    [
        "on 1-2-03",
        "Room C5-678",
        "HD 7/7 done",
        "wk 23-27 Sept",
        "visit: 15 months",
        "day 5/12/2024",
        "she is 34",
        "aged 64 yo",
        "K 5/8",
        "Hb today 5/12",
        "Cr 4/8 15",
        "week of 4/14",
        "grade 3 months",
        "CA 4471",
        "ABCD4 540",
        "walked at 18 m",
        "cough 18 m",
        "fall 78 m with hip pain",
        "diving 34 M",
        "walks 18 m old",
        "Kofi, 18 m, was",
        "PID|1||AB123456^^^MRN",
        "^XA^FD4471829^FS",
        "a 3 year 7 month old",
        "6.11.2025",
        "aged 18/52",
        "kids 12-58",
        "34 wks old, seen",
        "MRN 45,1234",
        "ages 45,120,80",
        "REEL 044-C",
        "MH/61/S",
        "log no. 04 - mother",
    ],
)
def test_leaves_what_is_no_measure(text: str) -> None:
    assert find_forms(text, measures.FORMS) == []


@pytest.mark.parametrize("text", ["65 | Sgt Danjuma", "q=65     FACE", "Book\t65"])
def test_one_or_two_digits_alone_in_a_cell_identify_nobody(text: str) -> None:
    assert find_forms(text, measures.FORMS) == ["65"]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2024-03-04T14:22:10.123+01:00.", "T14:22:10.123+01:00"),
        ("00:00:02.120 --> x", "00:00:02.120"),
        ("19/Oct/2022:21:04:11 +1100]", "21:04:11 +1100"),
        ("seen 10:30 pm by", "10:30 pm"),
    ],
)
def test_finds_a_time_of_day(text: str, time: str) -> None:
    assert time in find_forms(text, clock_times.FORMS)


@pytest.mark.parametrize(
    "text",
    [
        "sober (2020-2021) while",
        "in 2013 2014 2015",
        "2001:db8::4417",
        "00:1A:2B:3C",
        "tel 1300-1234",
    ],
)
def test_leaves_years_addresses_and_numbers(text: str) -> None:
    assert find_forms(text, clock_times.FORMS) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("BANFF 2022 g2", ["2022"]),
        ("under MHA 2003;", ["2003"]),
        ("WHO grade 3 (2004: high)", ["2004"]),
        ("ICD-10-CM 2015, DSM-5 2013", ["2015", "2013"]),
        ("ISO 15189:2012 lab", ["2012"]),
        ("CLSI M100 2015 edition", ["2015"]),
        ("Template ver 2019-2", ["2019-2"]),
        ("Windows Server 2016", ["2016"]),
        ("carpal tunnel release 2015", []),
        ("seen in office 2015", []),
        ("built 2015", []),
        ("who 2019 saw", []),
        ("CABG 2011", []),
        ("since 2011", []),
    ],
)
def test_the_year_of_a_guideline_is_no_date(text: str, found: list[str]) -> None:
    assert [one for one in find_forms(text, measures.FORMS) if one.startswith("20")] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("MI May 2003", ["MI May"]),
        ("PE Jun '93", ["PE Jun"]),
        ("CABG Dec 94", ["CABG Dec"]),
        ("PE in May", []),
        ("AF 12:30", []),
    ],
)
def test_an_illness_and_its_month_are_no_name(text: str, found: list[str]) -> None:
    assert find_forms(text, measures.FORMS) == found


def test_a_temperature_may_end_a_sentence() -> None:
    assert find_forms("temp 26.1. Lividity", measures.FORMS) == ["temp 26.1"]


@pytest.mark.parametrize("text", ["55 m walkway", "25 m lengths", "45 m from the road"])
def test_a_way_in_metres_is_a_measure(text: str) -> None:
    assert find_forms(text, measures.FORMS) == [text[:4]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("^XA^FO20,28^A0N,28,28^FDSmith^FS", ["^FO20,28", "^A0N,28,28"]),
        ("^BCN,70,Y,N,N^FD4471829^FS", ["^BCN,70,Y,N,N"]),
        ("^FD28,4471829^FS", []),
    ],
)
def test_the_commands_of_a_label_printer_are_values(text: str, found: list[str]) -> None:
    assert find_forms(text, measures.FORMS) == found
