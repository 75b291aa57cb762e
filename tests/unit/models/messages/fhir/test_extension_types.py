"""Extensions stay by a list of their URLs, and reasons for absent values stay always."""

from typing import Any

import pytest

from deidstream.models.messages.fhir.element_table import element_table
from deidstream.models.messages.fhir.extension_types import extension_rules
from deidstream.models.messages.fhir.resource_walk import READERS
from support.plain_rendering import labelled, rendered

US = "http://hl7.org/fhir/us/core/StructureDefinition/us-core-"
BASE = "http://hl7.org/fhir/StructureDefinition/"
OMB = {"system": "urn:oid:2.16.840.1.113883.6.238", "code": "2106-3", "display": "White"}
RACE = {
    "url": f"{US}race",
    "extension": [{"url": "ombCategory", "valueCoding": OMB}, {"url": "text", "valueString": "W"}],
}
PATIENT = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Zyxwvan"}]}
UNKNOWN = {"extension": [{"url": f"{BASE}data-absent-reason", "valueCode": "asked-declined"}]}


def test_race_and_sex_stay_and_their_texts_are_parts_of_the_text() -> None:
    sex = {"url": f"{US}birthsex", "valueCode": "F"}
    patient = PATIENT | {"extension": [RACE, sex]}
    assert rendered(patient)["extension"] == [RACE, sex]
    assert labelled(patient)["White"] is None


@pytest.mark.parametrize(
    "extension",
    [
        {"url": f"{BASE}patient-mothersMaidenName", "valueString": "Zyxwvutson"},
        {"url": f"{BASE}patient-birthPlace", "valueAddress": {"city": "Zyxwvutson"}},
        {"url": "https://zyxwvutson.example/x", "valueString": "x"},
        {"url": f"{US}birthsex", "valueString": "Zyxwvutson"},
        {"url": f"{US}birthsex", "valueCode": "Zyxwvutson"},
        {"url": f"{US}race", "extension": [{"url": "zyxwvutson", "valueString": "x"}]},
        {"url": f"{BASE}data-absent-reason", "valueCode": "zyxwvutson"},
    ],
)
def test_others_are_dropped(extension: dict[str, Any]) -> None:
    made = rendered(PATIENT | {"extension": [extension]})
    assert "extension" not in made
    assert "zyxwvutson" not in str(made).casefold()


def test_why_a_value_is_absent_stays() -> None:
    made = rendered(PATIENT | {"_birthDate": UNKNOWN, "managingOrganization": UNKNOWN})
    assert made["_birthDate"] == made["managingOrganization"] == UNKNOWN


@pytest.mark.parametrize(
    "name",
    [
        {"_family": UNKNOWN, "given": ["Oluchi"]},
        {"family": "Zyxwvan", "_given": [UNKNOWN]},
        {"_family": UNKNOWN, "_given": [UNKNOWN]},
        {"family": "Zyxwvan", "given": ["Oluchi Ann", None], "_given": [None, UNKNOWN]},
        {"family": "Zyxwvan", "given": [None, "Oluchi Ann", "May"], "_given": [UNKNOWN]},
        {"_text": UNKNOWN, "prefix": [None, "Dr."], "_prefix": [UNKNOWN, None]},
    ],
)
def test_why_parts_of_a_name_are_absent_stays_at_their_places(name: dict[str, Any]) -> None:
    (made,) = rendered(PATIENT | {"name": [name]})["name"]
    beside = {each: made[each] for each in made if each.startswith("_")}
    wanted = {each: name[each] for each in name if each.startswith("_")}
    for each, extensions in wanted.items():
        if isinstance(extensions, list):
            missing = len(name.get(each[1:], extensions)) - len(extensions)
            wanted[each] = [*extensions, *[None] * missing]
    assert beside == wanted
    assert made | wanted == name | wanted


def test_why_a_line_of_an_address_is_absent_stays_at_its_place() -> None:
    address = {"line": [None, "4 Zyxwvan Rd"], "_line": [UNKNOWN, None], "_city": UNKNOWN}
    assert rendered(PATIENT | {"address": [address]})["address"] == [address]


def test_an_extension_beside_a_value_of_a_list_is_no_reason() -> None:
    address = {"line": ["4 Zyxwvan Rd", "Flat 2"], "_line": [UNKNOWN, {"id": "x"}]}
    (made,) = rendered(PATIENT | {"address": [address]})["address"]
    assert made == {"line": ["4 Zyxwvan Rd", "Flat 2"]}


def test_a_word_in_the_place_of_the_reason_becomes_masked() -> None:
    word = {"extension": [{"url": f"{BASE}data-absent-reason", "valueCode": "zyxwvutson"}]}
    made = rendered(PATIENT | {"_birthDate": word, "managingOrganization": word})
    assert "zyxwvutson" not in str(made)
    assert made["_birthDate"]["extension"][0]["valueCode"] == "masked"


def test_every_rule_says_a_way_that_there_is() -> None:
    rules = list(extension_rules().values())
    assert len(rules) > 10
    inner = [one for rule in rules for one in rule.inner.values()]
    kinds = {rule.value.kind for rule in (*rules, *inner) if rule.value}
    assert kinds <= {*READERS, *element_table().sections}
