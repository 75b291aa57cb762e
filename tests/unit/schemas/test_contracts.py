"""The JSON Schemas: the files are those of the code, and the codec keeps to them."""

from pathlib import Path

import jsonschema
import orjson
import pytest

from deidstream.models.policy.declaration import policy_schema
from deidstream.schemas.contracts import CONTRACTS
from deidstream.schemas.errors import InvalidNote, Reason, Stage
from deidstream.schemas.note import PolicyStamp
from deidstream.schemas.outcome import Coordinates, DeadLetter, Failed, Retracted
from deidstream.schemas.wire import decode, encode_dead_letter, encode_retraction
from support.notes import stamp

FOLDER = Path(__file__).parents[3] / "schemas" / "json"


def valid(topic: str, value: bytes) -> bool:
    return jsonschema.Draft202012Validator(CONTRACTS[topic]).is_valid(orjson.loads(value))


@pytest.mark.parametrize("name", [*sorted(CONTRACTS), "policy"])
def test_the_exported_file_is_the_contract(name: str) -> None:
    schema = CONTRACTS[name] if name in CONTRACTS else policy_schema()
    exported = orjson.loads((FOLDER / f"{name}.schema.json").read_bytes())
    assert exported == orjson.loads(orjson.dumps(schema))
    jsonschema.Draft202012Validator.check_schema(exported)


@pytest.mark.parametrize(
    "value",
    [
        b'{"note_id":"1","patient_id":"2","text":"x"}',
        b'{"note_id":"1","patient_id":"2","text":"x","more":1}',
        b'{"schema":1,"note_id":"1","patient_id":"2","text":"x","known":{"names":["a"]}}',
        b'{"note_id":"1","patient_id":"2","text":"x","known":{"names":[1]}}',
        b'{"note_id":"1","patient_id":"2","text":" "}',
        b'{"note_id":"","patient_id":"2","text":"x"}',
        b'{"note_id":1,"patient_id":"2","text":"x"}',
        b'{"schema":3,"note_id":"1","patient_id":"2","text":"x"}',
        b'{"note_id":"1","text":"x"}',
        b'{"note_id":"1","patient_id":"2","text":"x","tenant":null}',
        b'{"note_id":"1","patient_id":"2","text":"x","known":null}',
        b'{"note_id":"1","patient_id":"2","text":"x","status":"corrected"}',
        b'{"note_id":"1","patient_id":"2","status":"corrected"}',
        b'{"note_id":"1","patient_id":"2","status":"cancelled"}',
        b'{"patient_id":"2","status":"cancelled"}',
        b'{"note_id":"1","patient_id":"2","text":"x","status":"final"}',
        b'{"note_id":"1","patient_id":"2","text":"x","status":null}',
        b"[]",
    ],
)
def test_the_schema_takes_what_the_codec_takes(value: bytes) -> None:
    try:
        decode(value)
    except InvalidNote:
        taken = False
    else:
        taken = True
    assert valid("notes.raw", value) is taken


@pytest.mark.parametrize("reason", Reason)
def test_a_dead_letter_is_valid_for_every_reason(reason: Reason) -> None:
    letter = DeadLetter(Coordinates("notes.raw", 1, 2), Failed(reason, Stage.DETECT), stamp())
    assert valid("notes.quarantine", encode_dead_letter(letter))


def test_a_retraction_is_valid_on_both_output_topics_and_nothing_else_may_lack_its_text() -> None:
    policy = PolicyStamp("p", "s")
    value = encode_retraction(Retracted("0" * 32, "1" * 32, "2" * 32, policy, stamp()))
    assert valid("notes.anonymized", value)
    assert valid("notes.risk", value)
    other = value.replace(b"cancelled", b"corrected")
    assert other != value
    assert not valid("notes.anonymized", other)
    assert not valid("notes.risk", other)
