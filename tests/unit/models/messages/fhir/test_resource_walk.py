"""What of a resource stays, whatever the policy is."""

import base64
import re
from typing import Any

import pytest

from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.label import PhiLabel
from support.cda_samples import parse, sample
from support.plain_rendering import labelled, read, rendered

OBSERVATION = {"resourceType": "Observation", "id": "o1", "status": "final", "code": {"text": "x"}}


def test_contained_resources_refer_to_each_other() -> None:
    patient = {"resourceType": "Patient", "id": "p", "name": [{"text": "Lindiwe Zyxwvan"}]}
    inner = OBSERVATION | {"id": "c", "subject": {"reference": "#p"}}
    report = {"resourceType": "DiagnosticReport", "status": "final", "contained": [patient, inner]}
    lost = {"result": [{"reference": "#c"}, {"reference": "#unknown"}]}
    made = rendered(report | lost)
    assert made["contained"][1]["subject"] == {"reference": "#of-p"}
    assert made["result"][0] == {"reference": "#of-c"}
    assert "reference" not in made["result"][1]


@pytest.mark.parametrize("own", ["T_881", "e" * 90])
def test_ids_that_servers_write_beyond_the_standard_have_pseudonyms(own: str) -> None:
    made = rendered(OBSERVATION | {"id": own, "subject": {"reference": f"Patient/{own}"}})
    assert made["id"] == f"patient-{own}"
    assert made["subject"] == {"reference": f"Patient/patient-{own}"}


@pytest.mark.parametrize(
    "more",
    [
        {"code": {"coding": [{"system": "urn:ietf:rfc:3986", "code": "https://x.example/778123"}]}},
        {"code": {"coding": [{"system": "http://hl7.org/fhir/sid/us-ssn", "code": "219-77-8123"}]}},
        {"valueQuantity": {"value": 5550778123.0}},
        {"valueInteger": 5550778123},
    ],
)
def test_a_number_of_a_person_does_not_leave_as_a_code_or_a_value(more: dict[str, Any]) -> None:
    assert "778123" not in str(rendered(OBSERVATION | more)).replace("-", "")


@pytest.mark.parametrize(
    "resource",
    [
        OBSERVATION | {"subject": {"identifier": None, "display": None, "type": "Patient"}},
        OBSERVATION | {"subject": {"identifier": [None], "type": "Patient"}},
        {"resourceType": "Patient", "id": "p", "name": [{"period": None, "text": "Zyxwvan"}]},
    ],
)
def test_what_holds_nothing_is_left_out(resource: dict[str, Any]) -> None:
    assert "None" not in str(rendered(resource))


def test_an_identifier_that_is_a_urn_stays_one_and_is_looked_for_in_the_text() -> None:
    urn = "urn:oid:1.2.840.114350.1.13.778123"
    resource = {"resourceType": "DocumentReference", "masterIdentifier": {"value": urn}}
    value = rendered(resource)["masterIdentifier"]["value"]
    assert value.startswith("urn:uuid:")
    assert "778123" not in read(resource).text
    assert read(resource).known.identifiers == (urn,)


def test_measurements_keep_their_digits() -> None:
    made = rendered(OBSERVATION | {"valueQuantity": {"value": 0.30000000000000004, "unit": "mg"}})
    assert made["valueQuantity"] == {"value": 0.30000000000000004, "unit": "mg"}


@pytest.mark.parametrize(
    ("div", "shown"),
    [
        ("<address>Ann Shaw</address><address>12 Kiln Rd</address>", ["Ann Shaw", "12 Kiln Rd"]),
        ("Ann<section>Shaw<figure>well</figure></section>now", ["Ann", "Shaw", "well", "now"]),
        ("<b>An</b>n <span>Shaw</span>", ["Ann Shaw"]),
    ],
)
def test_blocks_that_are_left_out_keep_texts_apart(div: str, shown: list[str]) -> None:
    narrative = {"status": "generated", "div": f"<div>{div}</div>"}
    resource = OBSERVATION | {"text": narrative}
    parts = [part for part in labelled(resource) if part in " ".join(shown)]
    assert [part for part in parts if part != "x"] == shown
    made = re.sub("<[^>]+>", "|", rendered(resource)["text"]["div"])
    assert [text for text in made.split("|") if text] == shown


def test_a_narrative_keeps_its_entities() -> None:
    block = "<p>O&apos;Zyxwvan &amp; Nu&ntilde;ez, 4 &lt; 5 &gt; 3 \u00e9</p>"
    div = f'<div xmlns="http://www.w3.org/1999/xhtml">{block}</div>'
    narrative = {"text": {"status": "generated", "div": div}}
    assert block in rendered(OBSERVATION | narrative)["text"]["div"]
    assert "O'Zyxwvan & Nu\u00f1ez, 4 < 5 > 3 \u00e9" in read(OBSERVATION | narrative).text


def test_an_attachment_that_is_a_clinical_document_stays_one() -> None:
    given = sample("ccd_tables")
    data = base64.b64encode(given).decode()
    attachment = {"contentType": "text/xml", "data": data, "title": "Summary"}
    resource = {"resourceType": "DocumentReference", "content": [{"attachment": attachment}]}
    (content,) = rendered(resource, in_hex=True)["content"]
    assert content["attachment"]["contentType"] == "application/xml"
    made = parse(base64.b64decode(content["attachment"]["data"]))
    assert made.tag == parse(given).tag
    section = "{urn:hl7-org:v3}section"
    assert len(list(made.iter(section))) == len(list(parse(given).iter(section)))
    assert "Rosalind Ines Farquharson" in read(resource).known.names
    assert labelled(resource)["7741902"] is PhiLabel.MEDICALRECORD


def test_a_broken_clinical_document_is_unscannable() -> None:
    data = base64.b64encode(b"<!DOCTYPE a><ClinicalDocument/>").decode()
    attachment = {"contentType": "text/plain", "data": data}
    with pytest.raises(UnscannableAttachment) as raised:
        read({"resourceType": "DocumentReference", "content": [{"attachment": attachment}]})
    assert raised.value.fault is AttachmentFault.MALFORMED
