"""What is cut off the edges of spans, and where a span may cross a line end."""

import pytest

from deidstream.models.detection.span_edges import trim_spans
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span


def trimmed(text: str, found: str, label: PhiLabel, source: str = "tagger") -> list[str]:
    start = text.index(found)
    span = Span(start, start + len(found), label, 0.9, source)
    return [text[one.start : one.end] for one in trim_spans(text, [span], hidden=())]


@pytest.mark.parametrize(
    ("text", "found", "left"),
    [
        ("seen by Dr Anand Rao today", "Dr Anand Rao", "Anand Rao"),
        ("Her mother, Mdm Zaleha, had", "Mdm Zaleha", "Zaleha"),
        ("Mr. and Mrs. Harlow came", "Mr. and Mrs. Harlow", "Harlow"),
        ("Nikos Harlow MD signed", "Nikos Harlow MD", "Nikos Harlow"),
        ("Jarrah FINCH", "Jarrah FINCH", "Jarrah FINCH"),
        ("S/N  Udeh  C. signed", "N  Udeh  C.", "Udeh  C."),
        ("seen by ANP Quigg", "ANP Quigg", "Quigg"),
        ("seen by ANP QUIGG", "ANP QUIGG", "ANP QUIGG"),
        ("PT BEGAYE, HAROLD", "PT BEGAYE, HAROLD", "BEGAYE, HAROLD"),
        ("NURUL BT MD SAAD", "NURUL BT MD", "NURUL BT MD"),
        ("seen by Judge", "Judge", "Judge"),
        ("called Baby Lacsamana", "Baby Lacsamana", "Baby Lacsamana"),
        ("Tom Harlow Jr", "Tom Harlow Jr", "Tom Harlow Jr"),
        ("06:41 - Ruan Ortho: more", "Ruan Ortho", "Ruan"),
        ("06:41 - Ruan Dispatch: more", "Ruan Dispatch", "Ruan"),
        ("06:41 - Ruan Clerk: more", "Ruan Clerk", "Ruan Clerk"),
        ('labelled "QUIST C - R 2:00"', "QUIST C - R", "QUIST C"),
        ("21:15 - Rukhsana Ortho JR1: Sir", "Rukhsana Ortho JR1", "Rukhsana"),
        ("09:12 - Aparna Nephro SR: admit", "Aparna Nephro", "Aparna"),
        ("13:40 Imke Paeds: seen", "Imke Paeds", "Imke"),
        ("reg Owen Gastro Maria", "Owen Gastro Maria", "Owen Gastro Maria"),
        ("418  Rosa-Maria Okoye F  66  ICU", "Rosa-Maria Okoye F", "Rosa-Maria Okoye"),
        ("12 | Padraig Mac Coille M | 81", "Padraig Mac Coille M", "Padraig Mac Coille"),
        ("Tan Mei F, 34, cough", "Tan Mei F", "Tan Mei"),
        ("Teoh M 45", "Teoh M", "Teoh M"),
        ("bay: Rao Anil M 2014 note", "Rao Anil M", "Rao Anil M"),
        ("7  C Paeds  Bongani M 4/12", "C Paeds  Bongani M", "C Paeds  Bongani M"),
        ("seen by Orton Nadia F", "Orton Nadia F", "Orton Nadia F"),
        ("asked Bishnoi Sir", "Bishnoi Sir", "Bishnoi"),
        ("4  Banerji, Mrs  65", "Banerji, Mrs", "Banerji"),
        ("done by Majella Ruane CNS in", "Majella Ruane CNS", "Majella Ruane"),
        ("DR OBUSAN FIT", "OBUSAN FIT", "OBUSAN FIT"),
        ("Mr Lowe comma who", "Lowe comma", "Lowe"),
        ("seen by Maria van", "Maria van", "Maria van"),
        ("CNM Borg      E   E   SD  E", "Borg      E   E   SD  E", "Borg"),
        ("12   B     Themba Cele    knee", "B     Themba Cele", "Themba Cele"),
        ("5   Ng       LeFort adv", "Ng       LeFort", "Ng       LeFort"),
        ("3  D4       Naidoo 66F", "D4       Naidoo", "D4       Naidoo"),
        ('known as "Maree" there', 'Maree"', "Maree"),
        ("asked Maree (Joan)", "Maree (", "Maree"),
        ("asked (Maree) again", "(Maree)", "Maree"),
        ("| CELE       THEMBA   M |", "CELE       THEMBA", "CELE       THEMBA"),
    ],
)
def test_a_name_loses_what_the_name_operator_would_leave(text: str, found: str, left: str) -> None:
    assert trimmed(text, found, PhiLabel.PATIENT) == [left]


@pytest.mark.parametrize("source", ["known", "known:similar", "dictionary:deny"])
def test_what_the_sender_and_the_site_state_stays_whole(source: str) -> None:
    assert trimmed("Dr Anand Rao", "Dr Anand Rao", PhiLabel.DOCTOR, source) == ["Dr Anand Rao"]


@pytest.mark.parametrize(
    ("found", "left"),
    [
        ("AIMS 25 June", "25 June"),
        ("MI March 2006", "March 2006"),
        ("WED March 2006", "WED March 2006"),
        ("Thurs tx", "Thurs"),
        ("AUG 25", "AUG 25"),
        ("MWF 2nd week", "MWF 2nd week"),
        ("12.5.2024", "12.5.2024"),
        ("3 Sept 108", "3 Sept"),
        ("Tues nights", "Tues"),
        ("4 May 7", "4 May 7"),
        ("White Sunday", "White Sunday"),
        ("Kartik 14, 2080", "Kartik 14, 2080"),
        ("M/W/F 9-1", "M/W/F 9-1"),
        ("the 3rd 108", "the 3rd 108"),
        ("mardi gras", "mardi gras"),
        ("1948-12-05 / 074", "1948-12-05 / 074"),
        ("Takotsubo 2017", "2017"),
        ("01 14.09.25", "14.09.25"),
    ],
)
def test_a_date_loses_a_value_and_an_abbreviation_beside_it(found: str, left: str) -> None:
    assert trimmed(f"was {found}.", found, PhiLabel.DATE) == [left]


@pytest.mark.parametrize(
    ("found", "parts"),
    [
        ("Jumma 29-9-23", ["Jumma", "29-9-23"]),
        ("White Sunday, 12 October 2025", ["White", "Sunday, 12 October 2025"]),
        ("05-11-2024 (Sel", ["05-11-2024", "Sel"]),
        ("Frühjahr 2004", ["Frühjahr", "2004"]),
        ("dated03.06.24", ["03.06.24"]),
        ("3rd, no sorry, the 13th of May", ["3rd", "no sorry", "the 13th of May"]),
        ("150\n15/02/25", ["15/02/25"]),
        ("148/96\n10/6", ["10/6"]),
    ],
)
def test_a_date_is_set_apart_from_what_is_read_with_none(found: str, parts: list[str]) -> None:
    line = "a line of prose that was full and that had to be broken there"
    assert trimmed(f"{line} {found}.", found, PhiLabel.DATE) == parts


def test_weeks_of_age_stay_with_their_number() -> None:
    assert trimmed("at 5 wks", "5 wks", PhiLabel.AGE) == ["5 wks"]


def test_a_place_loses_the_small_words_before_it() -> None:
    found = "the Table Mesa trailhead"
    assert trimmed(f"past {found}", found, PhiLabel.LOCATION_OTHER) == ["Table Mesa trailhead"]
    assert trimmed("The Sycamores", "The Sycamores", PhiLabel.HOSPITAL) == ["The Sycamores"]


@pytest.mark.parametrize(
    ("found", "left"),
    [
        ("WD 6 SOUTH BAY C", ["WD 6 SOUTH"]),
        ("Ward 7B bed 12", ["Ward 7B"]),
        ("Karri Ward, cubicle 4", ["Karri Ward"]),
        ("Tower 3, Bay 2", ["Tower 3"]),
        ("Cub 2", []),
        ("bay 3", []),
        ("Chair 11A", []),
        ("5N 512-A", ["5N"]),
        ("Ward 12-A", ["Ward 12-A"]),
        ("Encounter Bay DH", ["Encounter Bay DH"]),
        ("Shoal Bay", ["Shoal Bay"]),
        ("Bayswater 4", ["Bayswater 4"]),
        ("Pod C", ["Pod C"]),
        ("QUAYSIDE INFIRMARY      THEATRE DEPT", ["QUAYSIDE INFIRMARY", "THEATRE DEPT"]),
        ("Block C2\tMAJOR WARD", ["Block C2", "MAJOR WARD"]),
        ("PRIORY  OF  ST. WERBURGH", ["PRIORY  OF  ST. WERBURGH"]),
    ],
)
def test_a_ward_ends_before_its_beds_and_before_the_next_cell(found: str, left: list[str]) -> None:
    assert trimmed(f"now in {found}", found, PhiLabel.HOSPITAL) == left


@pytest.mark.parametrize(
    ("text", "label", "left"),
    [
        ("604 555 0117\n704b", PhiLabel.PHONE, ["604 555 0117"]),
        ("0429 617-555-0194\n0436", PhiLabel.PHONE, ["0429 617-555-0194"]),
        ("SAC-24-3316\n11:13", PhiLabel.IDNUM, ["SAC-24-3316"]),
        ("2 June.\n4", PhiLabel.DATE, ["2 June"]),
        ("Jan\n12/02/2025", PhiLabel.DATE, ["Jan", "12/02/2025"]),
        ("Maple House\nb3", PhiLabel.HOSPITAL, ["Maple House"]),
        ("Anand Rao\nHARLOW, Tom", PhiLabel.PATIENT, ["Anand Rao", "HARLOW, Tom"]),
    ],
)
def test_in_a_list_each_line_stands_by_itself(text: str, label: PhiLabel, left: list[str]) -> None:
    assert trimmed(text, text, label) == left


def test_nothing_is_dropped_where_no_line_can_stand_alone() -> None:
    assert trimmed("41\n17", "41\n17", PhiLabel.IDNUM) == ["41", "17"]


def test_what_is_torn_over_two_lines_stays_whole() -> None:
    text = "Oka-\nfor"
    span = Span(0, len(text), PhiLabel.PATIENT, 0.9, "tagger")
    assert trim_spans(text, [span], hidden=[span]) == (span,)


def test_a_full_line_goes_on_in_the_next() -> None:
    wrapped = "He was taken to the ward of the county hospital, of Mary\nHarlow, who signed"
    assert trimmed(wrapped, "Mary\nHarlow", PhiLabel.PATIENT) == ["Mary\nHarlow"]


def test_the_article_before_a_date_is_no_date() -> None:
    assert trimmed("came on the fourth of March", "the", PhiLabel.DATE) == []
    assert trimmed("came on the fourth of March", "the fourth of March", PhiLabel.DATE) == [
        "the fourth of March"
    ]
