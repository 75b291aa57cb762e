import time

import pytest

from deidstream.models.kneo.unit_kinds import UnitKind, kind_of


@pytest.mark.parametrize(
    "text",
    [
        "Lisinopril 10 mg daily.",
        "Tab Zoxine 5 mg od",
        "folic acid 1 mg PO daily",
        "Metoprolol succinate once daily",
    ],
)
def test_a_drug_with_its_dose_or_times_is_medication(text: str) -> None:
    assert kind_of(text, "") is UnitKind.MEDICATION


@pytest.mark.parametrize(
    "text",
    ["BP 120/80 HR 72 RR 18", "Na 140, K 4.1, creatinine 0.9.", "Hgb 8.0, plt 96, smear normal"],
)
def test_numbers_and_little_else_are_values(text: str) -> None:
    assert kind_of(text, "") is UnitKind.VALUES


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Peanuts give him hives.", "ALLERGIES:"),
        ("Peanuts give him hives.", "Drug allergies"),
        ("Peanuts give him hives.", "Allergies and intolerances:"),
        ("He has no known drug allergies.", ""),
        ("The patient is NKDA today.", ""),
    ],
)
def test_allergies_are_known_by_heading_or_words(text: str, heading: str) -> None:
    assert kind_of(text, heading) is UnitKind.ALLERGY


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Lisinopril was held for kidney injury.", "PLAN:"),
        ("She was seen with 2 of her children.", ""),
        ("Her allergic rhinitis is worse in spring.", "ALLERGY CLINIC LETTER"),
        ("Continue the present treatment daily.", "MEDICATIONS:"),
        ("Weight was 130 pounds and blood pressure 124/78.", ""),
    ],
)
def test_sentences_are_prose(text: str, heading: str) -> None:
    assert kind_of(text, heading) is UnitKind.PROSE


def test_time_is_linear_on_hostile_text() -> None:
    began = time.process_time()
    for text in ("no " * 200_000, "a " * 300_000, "1 " * 300_000, "nkd" * 200_000, "a" * 500_000):
        kind_of(text, text)
    assert time.process_time() - began < 10
