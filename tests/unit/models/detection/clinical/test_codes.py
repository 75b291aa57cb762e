"""Codes of terminologies."""

import pytest

from deidstream.models.detection.clinical.codes import FORMS, find_named_codes, has_check_digit
from support.clinical_values import find_forms, texts_of


def codes(text: str) -> set[str]:
    return {*find_forms(text, FORMS), *texts_of(text, find_named_codes(text))}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ICD-10: K50.812 today", "K50.812"),
        ("dx I69.354, s/p stroke", "I69.354"),
        ("ICD-9 250.00", "250.00"),
        ("SNOMED 33879002 -- end", "33879002"),
        ('"system":"http://snomed.info/sct","code":"271737000"', "271737000"),
        ('"system":"http://loinc.org","code":"29463-7"', "29463-7"),
        ('"loinc":"6690-2", "other":"2708-6"', "2708-6"),
        ("CPT 29888 29882   45 min", "29888 29882"),
        ('"cpt": "99213"', "99213"),
        ("NDC 57894-061-03 qty", "57894-061-03"),
        ('rxnorm","code":"1049221"', "1049221"),
        ("MS-DRG 470", "470"),
        ("oid 2.16.840.1.113883.4.3.32", "2.16.840.1.113883.4.3.32"),
        ("||2054-5^Black^CDCREC|1904 Meadow", "2054-5"),
        ("|1|I10|L03.115^Cellulitis^I10||", "L03.115"),
        ("morphology 8480/3", "8480/3"),
        ("atc C09AA05", "C09AA05"),
        ("GET /pt/labs?code=6598-7 200", "6598-7"),
        ("host=PUMPGW01;ip", "PUMPGW01"),
        ('"host": "db-klinik-02"', "db-klinik-02"),
    ],
)
def test_finds_a_code(text: str, code: str) -> None:
    assert code in codes(text)


@pytest.mark.parametrize(
    "text",
    [
        "MRN 57894-061-03",
        "call 5559213",
        "case 29463-7",
        "host 10.44.7.119",
        "ICD serial 5550142",
        "seen in 2.16",
        "record K50812",
        "|2054-5|PO BOX 118",
    ],
)
def test_leaves_numbers_without_a_terminology(text: str) -> None:
    assert codes(text) == set()


def test_needs_the_check_digit_of_a_code_without_its_name() -> None:
    assert has_check_digit("29463-7")
    assert not has_check_digit("29463-8")
    assert codes("loinc below: 2708-6, case 2708-5") == {"2708-6"}
