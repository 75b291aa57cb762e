"""Resources on the way of a note: what elements state always counts, and what cannot be written."""

import asyncio
import json
from typing import Any

import pytest

from deidstream.agents.runtime.service import Service
from deidstream.models.policy.reader import read_policy
from deidstream.schemas.documents.attachment import AttachmentFault
from deidstream.schemas.errors import NoteField, Reason
from deidstream.schemas.outcome import (
    Anonymized,
    Coordinates,
    DeadLetter,
    Failed,
    Outcome,
    Retracted,
)
from deidstream.schemas.wire import encode_anonymized, encode_dead_letter
from support.notes import stamp
from support.pipeline import pipeline, service
from support.tenants import RULES

PATIENT = {
    "resourceType": "Patient",
    "id": "p1",
    "name": [{"family": "Long", "given": ["Will", "April"]}],
    "birthDate": "1951-07-19",
    "gender": "male",
}


def rules(technique: str = "surrogate", **replaced: str) -> Service:
    """A service with rules and gazetteers."""
    text = RULES.format(technique)
    for name, value in replaced.items():
        text = text.replace(name, value)
    return service(pipeline(policy=read_policy(text.encode(), name=technique, file="r.toml")))


def run(resource: Any, made: Service | None = None) -> Outcome:
    value = resource if isinstance(resource, bytes) else json.dumps(resource).encode()
    (outcome,) = asyncio.run((made or rules()).run([value]))
    return outcome


def resource_of(outcome: Outcome) -> dict[str, Any]:
    assert isinstance(outcome, Anonymized), outcome
    assert outcome.note.resource is not None
    read: dict[str, Any] = json.loads(outcome.note.resource)
    return read


def test_a_name_of_ordinary_words_is_replaced_where_an_element_states_it() -> None:
    (name,) = resource_of(run(PATIENT))["name"]
    assert len(name["given"]) == 2
    assert {"Long", "Will", "April"}.isdisjoint([name["family"], *name["given"]])


def test_a_policy_without_recognizers_of_names_replaces_them_too() -> None:
    made = rules("redact")
    (name,) = resource_of(run(PATIENT, made))["name"]
    assert name == {"text": "[PATIENT]"}


def test_what_does_not_fit_its_type_is_masked() -> None:
    made = resource_of(run(PATIENT, rules("redact")))
    assert "birthDate" not in made
    assert made["_birthDate"]["extension"][0]["valueCode"] == "masked"


def test_a_code_that_is_an_identifier_of_the_note_is_masked() -> None:
    coding = {"system": "http://loinc.org", "code": "7741902"}
    made = resource_of(
        run(PATIENT | {"identifier": [{"value": "7741902"}], "maritalStatus": {"coding": [coding]}})
    )
    assert "7741902" not in json.dumps(made)


def test_kneo_does_not_take_resources() -> None:
    outcome = run(PATIENT, service(pipeline("kneo")))
    assert isinstance(outcome, Failed)
    assert (outcome.reason, outcome.field) == (Reason.REWRITTEN_RESOURCE, NoteField.RESOURCE)


def test_an_attachment_that_cannot_be_read_is_quarantined_with_its_fault() -> None:
    note = {"resourceType": "DiagnosticReport", "presentedForm": [{"data": "R0lGODlh"}]}
    outcome = run(note)
    assert isinstance(outcome, Failed)
    assert (outcome.reason, outcome.fault) == (
        Reason.UNSCANNABLE_ATTACHMENT,
        AttachmentFault.UNKNOWN_TYPE,
    )
    letter = encode_dead_letter(DeadLetter(Coordinates("raw", 0, 1), outcome, stamp()))
    assert json.loads(letter)["attachment"] == "unknown_type"


@pytest.mark.parametrize("extension", ["modifierExtension", "implicitRules"])
def test_what_changes_the_meaning_is_refused(extension: str) -> None:
    outcome = run(PATIENT | {extension: "x"})
    assert isinstance(outcome, Failed)
    assert outcome.reason is Reason.UNSUPPORTED_RESOURCE


def test_what_was_entered_in_error_is_taken_back() -> None:
    note = {"resourceType": "Observation", "id": "o1", "status": "final", "valueString": "ok"}
    first, second = run(note), run(note | {"status": "entered-in-error"})
    assert isinstance(first, Anonymized)
    assert isinstance(second, Retracted)
    assert first.note.note_id == second.note_id


def test_a_record_around_a_resource_counts_more_than_the_resource() -> None:
    record = {"resource": PATIENT, "patient_id": "MRN-1", "correlation": "c-1"}
    bare, stated = run(PATIENT), run(record)
    assert isinstance(bare, Anonymized)
    assert isinstance(stated, Anonymized)
    assert bare.note.patient_id != stated.note.patient_id
    assert stated.note.correlation == "c-1"
    assert json.loads(encode_anonymized(stated.note))["resource"]["resourceType"] == "Patient"


def test_the_id_of_a_patient_is_that_of_the_output() -> None:
    outcome = run(PATIENT)
    assert isinstance(outcome, Anonymized)
    assert resource_of(outcome)["id"] == outcome.note.patient_id


def test_outputs_of_two_versions_have_two_ids() -> None:
    first, second = run(PATIENT), run(PATIENT | {"gender": "other"})
    assert isinstance(first, Anonymized)
    assert isinstance(second, Anonymized)
    assert first.note.text == second.note.text
    assert first.note.output_id != second.note.output_id


def test_a_record_has_a_text_or_a_resource() -> None:
    outcome = run({"resource": PATIENT, "text": "x", "note_id": "1", "patient_id": "1"})
    assert isinstance(outcome, Failed)
    assert (outcome.reason, outcome.field) == (Reason.WRONG_TYPE, NoteField.TEXT)


def test_what_is_nested_too_deeply_is_refused() -> None:
    deep = b'{"resourceType": "Patient", "name": ' + b"[" * 100 + b"]" * 100 + b"}"
    outcome = run(deep)
    assert isinstance(outcome, Failed)
    assert outcome.reason is Reason.BAD_JSON
