"""The places of structured notes whose values stay, and which no recognizer decides about."""

from collections import Counter

import orjson
import pytest

from deidstream.models.messages.kept_places import find_kept_places
from deidstream.models.messages.read_message import read_message
from deidstream.models.messages.render_form import find_kept_values
from deidstream.schemas.note import RawNote
from support.cda_samples import SAMPLES as DOCUMENTS
from support.cda_samples import sample as document
from support.fhir_samples import SAMPLES, sample

HL7 = (
    "MSH|^~\\&|LAB|GH|||20240304||ORU^R01|7|P|2.5\r"
    "PID|1||4410^^^GH^MR||SHAW^ANN\rDG1|1||I10^Hypertension^I10"
)


def test_a_text_alone_has_no_such_place() -> None:
    assert not [*find_kept_places(RawNote("n", "p", "Ann Shaw has I10.\nMSH is a word."))]


def test_codes_of_an_hl7_message_are_such_places_and_names_are_not() -> None:
    places = Counter(find_kept_places(RawNote("n", "p", HL7)))
    assert places["HL7 DG1-3"] >= 1
    assert places["HL7 MSH-9"] == 2
    assert not {"HL7 PID-5", "HL7 MSH-1", "HL7 MSH-2"} & set(places)


@pytest.mark.parametrize("name", SAMPLES)
def test_each_value_that_a_resource_keeps_has_its_element(name: str) -> None:
    note = read_message(sample(name))
    assert note.form is not None
    places = [*find_kept_places(note)]
    assert len(places) == len([*find_kept_values(note.form)])
    assert all(place.startswith("FHIR ") and "." in place for place in places)
    assert not {place for place in places if place.rpartition(".")[2] in {"family", "display"}}


def test_the_element_of_a_code_is_named_by_its_path() -> None:
    observation = {
        "resourceType": "Observation",
        "status": "final",
        "subject": {"reference": "Patient/7"},
        "code": {"coding": [{"system": "http://loinc.org", "code": "8480-6"}]},
    }
    places = [*find_kept_places(read_message(orjson.dumps(observation)))]
    assert "FHIR Observation.code.coding.code" in places
    assert "FHIR Observation.status" in places


@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_value_that_a_document_keeps_has_its_attribute(name: str) -> None:
    note = read_message(document(name))
    assert note.form is not None
    places = [*find_kept_places(note)]
    assert len(places) == len([*find_kept_values(note.form)])
    assert all(place.startswith("CDA ") and "@" in place for place in places)
