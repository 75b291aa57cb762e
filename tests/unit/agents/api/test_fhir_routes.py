"""``POST /fhir`` gives the de-identified resource, or an OperationOutcome that quotes nothing."""

import json
from typing import Any

import httpx
import pytest
from fhir.resources.bundle import Bundle
from fhir.resources.operationoutcome import OperationOutcome

from support.api_site import with_api
from support.fhir_samples import sample

CANARY = "Zyxwvutson"
SEVERAL = json.dumps(
    {
        "resourceType": "Bundle",
        "entry": [{"resource": {"resourceType": "Patient", "id": one}} for one in ("a", CANARY)],
    }
).encode()


def send(body: bytes, path: str = "/fhir", **how: Any) -> httpx.Response:
    """Send one body."""
    headers = {"Content-Type": "application/fhir+json"}
    return with_api(lambda client: client.post(path, content=body, headers=headers), **how)


def issue_of(reply: httpx.Response) -> dict[str, Any]:
    """The issue of a valid OperationOutcome."""
    assert reply.headers["content-type"].startswith("application/fhir+json")
    OperationOutcome.model_validate_json(reply.content)
    issue: dict[str, Any] = reply.json()["issue"][0]
    return issue


def test_a_resource_comes_back_without_names() -> None:
    reply = send(sample("nhs_diagnostic_report_r4"))
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("application/fhir+json")
    assert reply.json()["resourceType"] == "DiagnosticReport"
    assert "Featherstonehaugh" not in reply.text


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        (b'{"resourceType": "Zyxwvutson"}', "not-supported", "UNSUPPORTED_RESOURCE"),
        (b'{"text": "Zyxwvutson", "note_id": "1", "patient_id": "1"}', "required", "MISSING_FIELD"),
        (b"Zyxwvutson", "processing", "BAD_JSON"),
        (b'{"resourceType": "Patient"}, "tenant": "Zyxwvutson"', "processing", "BAD_JSON"),
        (b'{"resourceType": "Patient", "name": "Zyxwvutson"}', "processing", "WRONG_TYPE"),
        (b'{"resourceType": "DiagnosticReport", "presentedForm": [{"data": "Zyxwvutson"}]}',
         "processing", "UNSCANNABLE_ATTACHMENT malformed"),
        (b'{"resourceType": "Bundle", "entry": [{"resource": %b}]}' % SEVERAL,
         "not-supported", "SEVERAL_PATIENTS"),
        (b'{"resourceType": "Bundle", "entry": [%b, "Zyxwvutson"]}' % SEVERAL[37:-2],
         "processing", "WRONG_TYPE"),
    ],
)  # fmt: skip
def test_an_error_is_an_outcome_without_the_request(body: bytes, code: str, words: str) -> None:
    reply = send(body)
    assert reply.status_code == 422
    issue = issue_of(reply)
    assert (issue["severity"], issue["code"]) == ("error", code)
    assert issue["details"]["text"] == words
    assert CANARY not in reply.text


def bundle_of_two() -> dict[str, Any]:
    """A transaction of two patients, in turns, with a practitioner of both."""
    doctor = {"resourceType": "Practitioner", "id": "d1", "name": [{"family": "Quellmar"}]}
    resources: list[dict[str, Any]] = [doctor]
    for name, url in (("Vanterpool", "urn:uuid:0-1"), ("Hollowbrook", "urn:uuid:0-2")):
        patient = {"resourceType": "Patient", "name": [{"family": name, "given": ["Lindiwe"]}]}
        resources.append(patient | {"birthDate": "1971-07-19"})
        note: dict[str, Any] = {"resourceType": "DiagnosticReport", "status": "final"}
        note |= {"code": {"text": "CT"}, "subject": {"reference": url}}
        note["performer"] = [{"reference": "Practitioner/d1"}]
        resources.append(note | {"conclusion": f"Ms {name}, born 7/19/1971. Dr. Quellmar."})
    order, urls = (1, 3, 0, 4, 2), {1: "urn:uuid:0-1", 3: "urn:uuid:0-2"}
    entries = [
        {"resource": resources[n], "request": {"method": "POST", "url": "Patient"}}
        | ({"fullUrl": urls[n]} if n in urls else {})
        for n in order
    ]
    return {"resourceType": "Bundle", "id": "b1", "type": "transaction", "entry": entries}


def test_a_bundle_of_several_patients_comes_back_in_its_order() -> None:
    given = bundle_of_two()
    reply = send(json.dumps(given).encode())
    assert reply.status_code == 200
    made = reply.json()
    Bundle.model_validate_json(reply.content)
    assert [one["resource"]["resourceType"] for one in made["entry"]] == [
        one["resource"]["resourceType"] for one in given["entry"]
    ]
    assert made["type"] == "transaction"
    assert not [one for one in ("Vanterpool", "Hollowbrook", "Quellmar") if one in reply.text]
    patients, reports = made["entry"][:2], made["entry"][4:2:-1]
    for patient, report in zip(patients, reports, strict=True):
        resource = report["resource"]
        assert resource["subject"]["reference"] == patient["fullUrl"]
        assert patient["resource"]["name"][0]["family"] in resource["conclusion"]
        year, month, day = patient["resource"]["birthDate"].split("-")
        assert f"{int(month)}/{int(day)}/{year}" in resource["conclusion"]
        doctor = f"Practitioner/{made['entry'][2]['resource']['id']}"
        assert resource["performer"] == [{"reference": doctor}]
    alone = send(json.dumps(given["entry"][2]["resource"]).encode()).json()
    assert made["entry"][2]["resource"] == alone


def test_the_parts_of_a_bundle_are_limited_as_notes_are() -> None:
    reply = send(json.dumps(bundle_of_two()).encode(), given={"notes": "2"})
    assert reply.status_code == 413
    assert "TOO_MANY_NOTES" in reply.text


def test_one_entry_that_does_not_pass_fails_the_bundle() -> None:
    given = bundle_of_two()
    given["entry"][3]["resource"]["presentedForm"] = [{"data": "Zyxwvutson"}]
    reply = send(json.dumps(given).encode())
    assert reply.status_code == 422
    assert issue_of(reply)["details"]["text"] == "UNSCANNABLE_ATTACHMENT malformed"


def test_what_was_entered_in_error_is_taken_back() -> None:
    body = {"resourceType": "Observation", "id": "o1", "status": "entered-in-error"}
    reply = send(json.dumps(body).encode())
    assert reply.status_code == 200
    assert issue_of(reply)["details"]["text"] == "RETRACTED"


def test_a_policy_and_a_tenant_are_checked() -> None:
    assert send(b"{}", "/fhir?policy=unknown").status_code == 403
    reply = send(sample("composition_r5"), "/fhir?policy=redact", given={"policies": "redact"})
    assert reply.status_code == 200
    assert "[DOCTOR]" in reply.text
