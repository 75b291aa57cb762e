"""What a resource says of the note that it is."""

import json
from typing import Any

import pytest

from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import InvalidNote, Reason
from deidstream.schemas.note import NoteStatus
from deidstream.schemas.wire import encode_note
from support.plain_rendering import read

PATIENT = {"resourceType": "Patient", "name": [{"family": "Zyxwvan"}]}
WRONG = {"verificationStatus": {"coding": [{"code": "entered-in-error"}]}}


@pytest.mark.parametrize(
    ("resource", "status"),
    [
        ({"resourceType": "DocumentReference", "docStatus": "amended"}, NoteStatus.CORRECTED),
        ({"resourceType": "DocumentReference", "status": "entered-in-error"}, NoteStatus.CANCELLED),
        ({"resourceType": "Condition", **WRONG}, NoteStatus.CANCELLED),
        ({"resourceType": "DocumentReference", "docStatus": "final"}, None),
    ],
)
def test_the_status_of_a_version(resource: dict[str, Any], status: NoteStatus | None) -> None:
    assert read(resource).status is status


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({"versionId": "3", "lastUpdated": "2024-03-04T10:00:00.123+01:00"}, 3),
        ({"versionId": "MTcwOTU0", "lastUpdated": "2024-03-04T10:00:00.123+01:00"}, None),
    ],
)
def test_meta_tells_the_version(meta: dict[str, str], expected: int | None) -> None:
    note = read({"resourceType": "DocumentReference", "description": "Stable.", "meta": meta})
    assert (note.version, note.source_time) == (expected, meta["lastUpdated"])
    assert read_message(encode_note(note)) == note


def test_a_record_states_the_version_before_its_resource() -> None:
    resource = {"resourceType": "DocumentReference", "description": "Stable."}
    resource["meta"] = {"versionId": "3", "lastUpdated": "2024-03-04"}  # type: ignore[assignment]
    record = {"note_id": "n", "patient_id": "p", "version": 9, "resource": resource}
    note = read_message(json.dumps(record).encode())
    assert (note.version, note.source_time) == (9, "2024-03-04")


UNREAD: dict[str, Any] = {
    "resourceType": "DiagnosticReport",
    "id": "r1",
    "status": "final",
    "subject": {"reference": "Patient/p1"},
    "presentedForm": [{"data": "R0lGODlh"}],
}
TAKEN_BACK = {"status": "entered-in-error"}


@pytest.mark.parametrize(
    ("record", "resource"),
    [
        ({}, UNREAD | TAKEN_BACK),
        ({}, UNREAD | TAKEN_BACK | {"modifierExtension": [{}]}),
        ({"status": "cancelled"}, UNREAD),
    ],
)
def test_what_cannot_be_read_can_be_taken_back(
    record: dict[str, Any], resource: dict[str, Any]
) -> None:
    note = read_message(json.dumps(record | {"resource": resource}).encode())
    assert (note.note_id, note.patient_id) == ("DiagnosticReport/r1", "p1")
    assert note.cancelled


def test_a_record_may_say_that_a_resource_counts_after_all() -> None:
    resource = {"resourceType": "Observation", "id": "o1", "valueString": "x"} | TAKEN_BACK
    note = read_message(json.dumps({"status": "corrected", "resource": resource}).encode())
    assert (note.status, note.form is None) == (NoteStatus.CORRECTED, False)


def test_a_type_that_is_not_read_is_not_taken_back() -> None:
    with pytest.raises(InvalidNote) as raised:
        read({"resourceType": "Claim", "id": "c1"} | TAKEN_BACK)
    assert raised.value.reason is Reason.UNSUPPORTED_RESOURCE


@pytest.mark.parametrize(
    "entries",
    [
        [PATIENT, PATIENT | {"name": [{"family": "Hollowbrook"}]}],
        [PATIENT | {"id": "a"}, {"resourceType": "Bundle", "entry": [{"resource": PATIENT}]}],
    ],
)
def test_patients_without_ids_and_in_inner_bundles_are_several(entries: list[Any]) -> None:
    bundle = {"resourceType": "Bundle", "entry": [{"resource": one} for one in entries]}
    with pytest.raises(InvalidNote) as raised:
        read(bundle)
    assert raised.value.reason is Reason.SEVERAL_PATIENTS


def test_a_blank_number_is_no_patient() -> None:
    subject = {"identifier": {"value": "  "}}
    note = read({"resourceType": "Observation", "id": "o1", "subject": subject})
    assert note.patient_id == note.note_id == "Observation/o1"


def test_a_patient_is_the_same_by_url_and_by_id() -> None:
    entry = {"fullUrl": "urn:uuid:aa-1", "resource": PATIENT}
    other = {"resourceType": "Observation", "subject": {"reference": "urn:uuid:aa-1"}}
    bundle = {"resourceType": "Bundle", "entry": [entry, {"resource": other}]}
    assert read(bundle).patient_id == "aa-1"
