"""What codes are called in FHIR JSON that is the text of a note, or a piece of it."""

import json
from typing import Any

import pytest

from deidstream.models.messages.fhir.terms_in_text import find_terms_in_text
from deidstream.schemas.documents.note_form import CodedTerm

LOINC = {"system": "http://loinc.org", "code": "718-7", "display": "Hb"}
LOCAL = {"system": "http://lab.example/codes", "code": "BIL", "display": "Bili"}
OBSERVATION: dict[str, Any] = {
    "resourceType": "Observation",
    "status": "final",
    "subject": {"display": "Oluchi Zyxwvan"},
    "code": {"coding": [LOINC, LOCAL], "text": "Neut"},
    "note": [{"text": "Seen by Zyxwvan"}],
    "text": {"status": "generated", "div": "<div>Hb</div>"},
    "valueQuantity": {"value": 34, "unit": "wk"},
    "component": [{"valueCodeableConcept": {"text": "Gout"}}],
}
TERMS = {"Hb": CodedTerm.PUBLIC, **dict.fromkeys(("Bili", "Neut", "wk", "Gout"), CodedTerm.LOCAL)}


def found(text: str) -> dict[str, CodedTerm | None]:
    return {text[part.start : part.end]: part.term for part in find_terms_in_text(text)}


@pytest.mark.parametrize("indent", [None, 2])
def test_displays_texts_and_units_are_terms_and_free_texts_are_not(indent: int | None) -> None:
    written = json.dumps(OBSERVATION, indent=indent)
    assert found(written) == TERMS
    assert found(f"Export {{of today}}:\n{written}\n{written}\nEnd.") == TERMS


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_resource_that_is_torn_at_its_end_has_its_terms(cut: int) -> None:
    assert found(json.dumps(OBSERVATION)[:-cut]) == TERMS


def test_the_code_of_another_element_is_no_code_beside_a_display() -> None:
    coding = {"system": "http://loinc.org", "display": "Bili"}
    assert found(json.dumps({"code": {"coding": [coding]}})) == {"Bili": CodedTerm.LOCAL}


def test_the_display_names_of_codes_in_c_cda_are_terms() -> None:
    codes = '<code code="718-7" displayName="Hb"/><value displayName = \'Gout\' code="1"/>'
    text = f"<section>{codes}<given displayname='Ann'>Bili</given></section>"
    assert found(text) == dict.fromkeys(("Hb", "Gout"), CodedTerm.LOCAL)


@pytest.mark.parametrize(
    "text", ["", "{", '{"coding"', '"coding": [', '{"coding": ]}} {"', 'a {b} "coding" c']
)
def test_what_is_no_json_has_no_terms(text: str) -> None:
    assert found(text) == {}
