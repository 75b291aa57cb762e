"""Files of a bulk export become records, patients first, each with what its persons are called."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from deidstream.agents.feeds import person_index
from deidstream.agents.feeds.fhir_files import FhirFiles
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import MissingArtefact
from support.attachments import make_pdf
from support.fhir_samples import sample

PATIENT = {
    "resourceType": "Patient",
    "id": "p1",
    "name": [{"family": "Zyxwvan", "given": ["Lindiwe"]}],
    "identifier": [{"value": "7741902"}],
    "birthDate": "1951-07-19",
}
KIN = {
    "resourceType": "RelatedPerson",
    "id": "r1",
    "patient": {"reference": "Patient/p1"},
    "name": [{"family": "Zyxwvan", "given": ["Pieter"]}],
}
DOCTOR = {"resourceType": "Practitioner", "id": "d1", "name": [{"family": "Quellmar"}]}
NOTE = {
    "resourceType": "DiagnosticReport",
    "id": "n1",
    "status": "final",
    "subject": {"reference": "Patient/p1"},
    "performer": [{"reference": "Practitioner/d1"}],
    "conclusion": "Stable.",
}


def write(folder: Path, name: str, *resources: Any) -> Path:
    path = folder / name
    lines = (one if isinstance(one, bytes) else json.dumps(one).encode() for one in resources)
    path.write_bytes(b"\n".join(lines) + b"\n\n")
    return path


def records(*paths: Path, note_bytes: int = 900_000) -> list[dict[str, Any]]:
    files = FhirFiles(paths, "raw", "north", note_bytes)
    return [json.loads(record.value) for record in files.read_records()]


def types(found: list[dict[str, Any]]) -> list[str]:
    return [record["resource"]["resourceType"] for record in found]


def test_patients_come_first_and_notes_know_their_persons(tmp_path: Path) -> None:
    paths = (
        write(tmp_path, "a.ndjson", NOTE),
        write(tmp_path, "b.ndjson", DOCTOR, KIN),
        write(tmp_path, "c.ndjson", PATIENT),
    )
    found = records(*paths)
    assert types(found) == ["Patient", "Practitioner", "RelatedPerson", "DiagnosticReport"]
    known = found[-1]["known"]
    assert set(known["names"]) == {"Lindiwe Zyxwvan", "Pieter Zyxwvan"}
    assert known["staff"] == ["Quellmar"]
    assert known["identifiers"] == ["7741902"]
    assert known["dates"] == ["1951-07-19"]
    assert found[-1]["tenant"] == "north"


def test_a_person_of_another_patient_is_not_known(tmp_path: Path) -> None:
    other = NOTE | {"subject": {"reference": "Patient/p2"}, "performer": []}
    found = records(write(tmp_path, "a.ndjson", PATIENT, KIN, other))
    assert found[-1]["known"] == {}


def test_records_are_keyed_by_patient_and_the_same_each_time(tmp_path: Path) -> None:
    path = write(tmp_path, "a.ndjson", PATIENT, NOTE)
    first = list(FhirFiles([path], "raw", "default", 900_000).read_records())
    assert {record.key for record in first} == {b"p1"}
    again = list(FhirFiles([path], "raw", "default", 900_000).read_records())
    assert [record.value for record in again] == [record.value for record in first]


def test_what_is_not_read_is_counted_and_what_is_no_json_is_sent(tmp_path: Path) -> None:
    path = write(tmp_path, "a.ndjson", {"resourceType": "Claim"}, b"{torn", b"[1]", NOTE)
    files = FhirFiles([path], "raw", "default", 900_000)
    values = [record.value for record in files.read_records()]
    assert values[:2] == [b"{torn", b"[1]"]
    assert len(values) == 3
    assert files.tally.skipped.total() == 1
    assert files.tally.taken == {"unreadable": 2, "DiagnosticReport": 1}


def test_a_bundle_of_several_patients_is_taken_apart(tmp_path: Path) -> None:
    second = PATIENT | {"id": "p2", "name": [{"family": "Hollowbrook"}]}
    bundle = {
        "resourceType": "Bundle",
        "type": "searchset",
        "entry": [{"resource": one} for one in (PATIENT, second, KIN, DOCTOR, NOTE)],
    }
    found = records(write(tmp_path, "a.ndjson", bundle))
    of_first = ["Patient", "RelatedPerson", "DiagnosticReport"]
    assert types(found) == [*of_first, "Patient", "Practitioner"]
    names = found[2]["known"]["names"]
    assert set(names) == {"Lindiwe Zyxwvan", "Pieter Zyxwvan"}
    assert found[2]["known"]["staff"] == ["Quellmar"]


def test_resources_of_a_transaction_refer_to_each_other_by_ids(tmp_path: Path) -> None:
    nameless = {name: value for name, value in PATIENT.items() if name != "id"}
    other = PATIENT | {"id": "p2"}
    note = NOTE | {"subject": {"reference": "urn:uuid:7a-1"}}
    second = NOTE | {"id": "n2", "subject": {"reference": "urn:uuid:7a-2"}}
    resources = {"7a-1": nameless, "7a-2": other, "7a-3": note, "7a-4": second}
    entries = [
        {"fullUrl": f"urn:uuid:{url}", "resource": one, "request": {"method": "POST"}}
        for url, one in resources.items()
    ]
    bundle = {"resourceType": "Bundle", "type": "transaction", "entry": entries}
    found = {r["resource"]["id"]: r for r in records(write(tmp_path, "a.ndjson", bundle))}
    assert found["n1"]["resource"]["subject"] == {"reference": "Patient/7a-1"}
    assert found["n2"]["resource"]["subject"] == {"reference": "Patient/p2"}
    patients = {
        own: read_message(json.dumps(one).encode()).patient_id for own, one in found.items()
    }
    assert patients == {"7a-1": "7a-1", "n1": "7a-1", "p2": "p2", "n2": "p2"}
    assert "Lindiwe Zyxwvan" in found["n1"]["known"]["names"]


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = write(tmp_path, "a.ndjson", b"\xef\xbb\xbf" + json.dumps(PATIENT).encode() + b"\r", NOTE)
    found = records(path)
    assert types(found) == ["Patient", "DiagnosticReport"]
    assert found[-1]["known"]["names"] == ["Lindiwe Zyxwvan"]


def test_a_line_that_no_memory_holds_is_counted_and_the_next_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person_index, "LONGEST_LINE", 10_000)
    huge = NOTE | {"conclusion": "Zyxwv" * 30_000}
    path = write(tmp_path, "a.ndjson", PATIENT, huge, NOTE)
    files = FhirFiles([path], "raw", "north", 900_000)
    found = [json.loads(record.value) for record in files.read_records()]
    assert types(found) == ["Patient", "DiagnosticReport"]
    assert found[-1]["resource"] == NOTE
    assert files.tally.overlong == 1


def test_a_bundle_of_one_patient_is_one_record(tmp_path: Path) -> None:
    one = json.loads(sample("synthea_transaction_r4"))
    assert types(records(write(tmp_path, "a.ndjson", one))) == ["Bundle"]


def test_a_long_record_gets_the_text_of_its_attachments(tmp_path: Path) -> None:
    pdf = make_pdf("Seen by Dr. Quellmar", *[""] * 200)
    form = {"contentType": "application/pdf", "data": base64.b64encode(pdf).decode()}
    note = NOTE | {"presentedForm": [form]}
    path = write(tmp_path, "a.ndjson", note)
    assert records(path)[0]["resource"] == note
    (slim,) = records(path, note_bytes=2_000)
    assert len(json.dumps(slim)) < 2_000
    assert "Seen by Dr. Quellmar" in read_message(json.dumps(slim).encode()).text


def test_memory_does_not_grow_with_the_persons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person_index, "_REMEMBERED", 10)
    many = [PATIENT | {"id": f"p{n}", "name": [{"family": f"Zyx{n}van"}]} for n in range(300)]
    path = write(tmp_path, "a.ndjson", *many)
    index = person_index.PersonIndex.of_files([path])
    for number in (0, 299, 7, *range(100)):
        assert index.look_up([f"Patient/p{number}"]).names == (f"Zyx{number}van",)
    assert index.remembered <= 10


def test_a_packed_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match="unpack"):
        records(write(tmp_path, "a.ndjson", b"\x1f\x8b123"))
    with pytest.raises(MissingArtefact):
        records(tmp_path / "missing.ndjson")
