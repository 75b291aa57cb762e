"""Clinical values in the spans of recognizers."""

import pytest

from deidstream.models.detection.clinical.guard import cut_clinical_values
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span


def cut(
    text: str, found: str, label: PhiLabel, source: str = "tagger", score: float = 0.9
) -> list[str]:
    start = text.index(found)
    span = Span(start, start + len(found), label, score, source)
    return [text[left.start : left.end] for left in cut_clinical_values(text, [span])]


def test_drops_a_span_that_is_a_value() -> None:
    assert cut("strength 5/5 today", "5/5", PhiLabel.DATE) == []
    assert cut("strength 5/5 today", "5", PhiLabel.AGE) == []
    assert cut("VA 6/6    6/9   recheck", "6/6    6/9", PhiLabel.DATE) == []


def test_cuts_a_value_off_a_date() -> None:
    assert cut("pain 3/10 03/12/2024 seen", "3/10 03/12/2024", PhiLabel.DATE) == ["03/12/2024"]
    assert cut("seen 03/12/2024, BP 120/80", "03/12/2024, BP 120/80", PhiLabel.DATE) == [
        "03/12/2024, BP"
    ]


@pytest.mark.parametrize("source", ["known", "dictionary:deny", "rules:date.numeric"])
def test_keeps_what_is_known_denied_or_certain(source: str) -> None:
    assert cut("strength 5/5 today", "5/5", PhiLabel.DATE, source, 0.95) == ["5/5"]


def test_drops_a_value_that_merely_resembles_what_is_known() -> None:
    source, label = "known:similar", PhiLabel.IDNUM
    assert cut("amoxicillin 417 mg daily", "417", label, source) == []
    assert cut("the badge 417 was found", "417", label, source) == ["417"]


def test_keeps_a_street_with_its_number() -> None:
    assert cut("lives 3/141 Moss Lane", "3/141 Moss Lane", PhiLabel.STREET) == ["3/141 Moss Lane"]


def test_keeps_an_age_in_weeks_of_fifty_two() -> None:
    assert cut("Torquil 3/52, 7410 g", "3/52", PhiLabel.AGE) == ["3/52"]
    assert cut("rash for 3/52, no fever", "3/52", PhiLabel.AGE) == []


def test_a_number_does_not_reach_to_the_item_of_the_next_line() -> None:
    assert cut("file 2024-0077120\n1. Legal", "2024-0077120\n1", PhiLabel.IDNUM) == ["2024-0077120"]
    assert cut("ph 555 0160\n5) tbc", "555 0160\n5", PhiLabel.PHONE) == ["555 0160"]
    assert cut("ph 07700\n900 123 x", "07700\n900 123", PhiLabel.PHONE) == ["07700\n900 123"]


def test_a_date_does_not_reach_to_the_item_of_the_next_line() -> None:
    assert cut("in 09/2018.\n2. Paroxysmal", "09/2018.\n2", PhiLabel.DATE) == ["09/2018"]
    assert cut("on March\n3. He came", "March\n3", PhiLabel.DATE) == ["March\n3"]


def test_drops_signs_alone_which_a_doubtful_span_was_cut_to() -> None:
    assert cut("Mixtard 30 20/12", "/", PhiLabel.DATE, "rules:date.partial", 0.5) == []
    assert cut("from 10.44.7.119", ".", PhiLabel.IPADDR) == []
    assert cut("from 10.44.7.119", ".", PhiLabel.IPADDR, "known") == ["."]


def test_cuts_a_dose_off_a_whole_phone_number() -> None:
    text = "call 1800 975 708  - 1 vial now"
    assert cut(text, "1800 975 708  - 1", PhiLabel.PHONE) == ["1800 975 708"]


@pytest.mark.parametrize("date", ["Sat 17 May 25", "Sat 9", "Dose 9 march"])
def test_keeps_a_saturday_and_a_day_of_a_month(date: str) -> None:
    assert cut(f"seen {date} again", date, PhiLabel.DATE) == [date]


def test_keeps_an_age_beside_a_name_that_a_scale_has_too() -> None:
    assert cut("Ann Wells   63 y/o", "63", PhiLabel.AGE) == ["63"]
    assert cut("Ann Bishop 60", "60", PhiLabel.AGE) == ["60"]


@pytest.mark.parametrize("label", [PhiLabel.VEHICLE, PhiLabel.IPADDR, PhiLabel.IDNUM])
def test_a_decimal_number_is_no_number_of_anybody(label: PhiLabel) -> None:
    assert cut("VAN TROUGH 22.4 today", "22.4", label) == []
    assert cut("host 10.44.7.119", "10.44.7.119", label) == ["10.44.7.119"]
    assert cut("due 22.4.", "22.4", PhiLabel.DATE) == ["22.4"]


def test_a_time_with_a_dot_is_known_by_a_sure_one_of_its_note() -> None:
    assert cut("16.35 Tue mother rang back 9.10", "9.10", PhiLabel.DATE) == []
    assert cut("16.35 Tue mother rang back 9.10", "16.35 Tue", PhiLabel.DATE) == ["Tue"]
    assert cut("Tue 16.35 bloods done 9.10.24", "9.10", PhiLabel.DATE) == ["9.10"]
    assert cut("9.11 Tue mother rang back 9.10", "9.10", PhiLabel.DATE) == ["9.10"]


def test_a_scan_is_no_month_and_a_feast_no_count() -> None:
    assert cut("macula dry on OCT. Review", "OCT", PhiLabel.DATE) == []
    assert cut("since Midsummer Day x 2/52", "Midsummer Day", PhiLabel.DATE) == ["Midsummer Day"]


def test_a_value_refutes_what_has_no_digit_of_a_number_and_a_machine() -> None:
    rows = "row;svc_date;CPT;denial\n2;14/07/25;99203;ELIG-005"
    assert cut(rows, "ELIG", PhiLabel.ACCOUNT) == []
    assert cut("host=db-klinik", "klinik", PhiLabel.USERNAME) == []


@pytest.mark.parametrize(
    ("text", "found", "label", "kept"),
    [
        ("attended Y N Y Y weekly", "Y N Y Y", PhiLabel.IDNUM, False),
        ("(PBNZ 70-118)", "PBNZ", PhiLabel.LICENSE, False),
        ("white Hilux", "Hilux", PhiLabel.VEHICLE, False),
        ("plane VH-OWQ landed", "VH-OWQ", PhiLabel.VEHICLE, True),
        ("file NS/0417", "NS/", PhiLabel.IDNUM, True),
        ("number five oh seven", "five oh seven", PhiLabel.IDNUM, True),
    ],
)
def test_a_number_has_a_digit_or_says_one(
    text: str, found: str, label: PhiLabel, *, kept: bool
) -> None:
    assert cut(text, found, label) == [found] * kept
