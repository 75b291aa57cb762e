"""Samples in the shapes of several vendors come out valid, in their structure, without a name."""

import asyncio
import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest

from deidstream.schemas.outcome import Anonymized
from support.fhir_samples import SAMPLES, identifiers, sample, shown_text
from support.pipeline import pipeline, service

pytestmark = pytest.mark.slow
POLICIES = ("surrogate", "safe-harbor", "redact")
DROPPED = frozenset(
    {"extension", "url", "size", "hash", "pages", "link", "source", "versionId", "profile"}
    | {"userSelected", "_value", "_family", "_line", "contentType"}
)
"""Elements that no output needs to have."""
NOT_PUBLIC = (
    "identifier.system",
    "coding.system",
    "coding.code",
    "format.system",
    "format.code",
    "assigner.identifier",
    "assigner.identifier.value",
)
"""Where a sample names the systems of a vendor or a hospital."""
NO_NAMES = ("name.family", "name.given", "name.prefix")
"""Elements that labels in place of a name cannot fill."""


def run(policy: str) -> dict[str, Anonymized]:
    """What all samples become under a policy."""
    outcomes = asyncio.run(service(pipeline(policy)).run([sample(name) for name in SAMPLES]))
    failed = [(name, one) for name, one in zip(SAMPLES, outcomes, strict=True)]
    assert all(isinstance(one, Anonymized) for _, one in failed), failed
    return {name: one for name, one in failed if isinstance(one, Anonymized)}


@pytest.fixture(scope="module", params=POLICIES)
def outputs(request: pytest.FixtureRequest) -> Mapping[str, Anonymized]:
    return run(request.param)


def resource_of(outcome: Anonymized) -> dict[str, Any]:
    assert outcome.note.resource is not None
    read: dict[str, Any] = json.loads(outcome.note.resource)
    return read


def model_of(name: str, resource_type: str) -> Any:
    version = "fhir.resources" if name.endswith("_r5") else "fhir.resources.R4B"
    return getattr(import_module(f"{version}.{resource_type.lower()}"), resource_type)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_input_is_valid(name: str) -> None:
    model_of(name, json.loads(sample(name))["resourceType"]).model_validate_json(sample(name))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_output_is_valid(name: str, outputs: Mapping[str, Anonymized]) -> None:
    made = resource_of(outputs[name])
    model_of(name, made["resourceType"]).model_validate_json(outputs[name].note.resource)


@pytest.mark.parametrize("name", SAMPLES)
def test_no_identifier_is_in_the_output(name: str, outputs: Mapping[str, Anonymized]) -> None:
    shown = shown_text(resource_of(outputs[name])) + outputs[name].note.text
    sought = identifiers(json.loads(sample(name)))
    assert len(sought) >= 3
    assert {one for one in sought if one.casefold() in shown.casefold()} == set()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_structure_is_that_of_the_input(name: str, outputs: Mapping[str, Anonymized]) -> None:
    given, made = json.loads(sample(name)), resource_of(outputs[name])
    kept = {path.replace("._", ".").removeprefix("_") for path in paths(made)}
    lost = {one for one in paths(given) if one not in kept and DROPPED.isdisjoint(one.split("."))}
    redacted = "[PATIENT]" in outputs[name].note.text or "[DOCTOR]" in outputs[name].note.text
    may_lack = (*NOT_PUBLIC, *(NO_NAMES if redacted else ()))
    assert {one for one in lost if not one.casefold().endswith(may_lack)} == set()


def paths(value: Any, above: str = "") -> list[str]:
    """The paths of all elements, without the places in lists."""
    if isinstance(value, list):
        return [path for each in value for path in paths(each, above)]
    if not isinstance(value, dict):
        return []
    found: list[str] = []
    for name, each in value.items():
        path = f"{above}.{name}" if above else name
        found += [path, *paths(each, path)]
    return found


def test_references_lead_to_the_same_resources() -> None:
    given = json.loads(sample("synthea_transaction_r4"))
    made = resource_of(run("surrogate")["synthea_transaction_r4"])
    assert len({entry["fullUrl"] for entry in made["entry"]}) == 8
    unread = given["entry"].pop()
    assert unread["resource"]["resourceType"] == "CareTeam"
    assert "resource" not in made["entry"].pop()
    assert targets(made) == targets(given)
    assert len(targets(given)) == 10


def targets(bundle: dict[str, Any]) -> list[int]:
    """The entries that the references lead to, by the path of the reference."""
    urls = [entry["fullUrl"] for entry in bundle["entry"]]
    found = [(path, urls.index(one)) for path, one in references(bundle)]
    return [place for _, place in sorted(found)]


def references(value: Any, above: str = "") -> list[tuple[str, str]]:
    if isinstance(value, list):
        return [one for n, each in enumerate(value) for one in references(each, f"{above}.{n}")]
    if not isinstance(value, dict):
        return []
    own = [(above, value["reference"])] if isinstance(value.get("reference"), str) else []
    return own + [one for name in value for one in references(value[name], f"{above}.{name}")]


def test_a_replay_writes_the_same_bytes() -> None:
    first, second = run("surrogate"), run("surrogate")
    for name in SAMPLES:
        assert first[name].note.resource == second[name].note.resource
        assert first[name].note.output_id == second[name].note.output_id


def test_dates_of_elements_and_of_text_move_alike() -> None:
    made = resource_of(run("surrogate")["epic_document_searchset_r4"])
    document = made["entry"][0]["resource"]
    day = document["date"].partition("T")[0]
    assert day == document["context"]["period"]["start"].partition("T")[0] != "2024-03-14"
    assert document["date"].endswith("T16:42:11Z")
    year, month, date = day.split("-")
    assert f"{month}/{date}/{year}" in shown_text(document)


def test_numbers_keep_their_digits() -> None:
    resource = run("surrogate")["lab_observation_r4"].note.resource
    assert resource is not None
    assert b'"value":5.10,' in resource or b'"value":5.10}' in resource
    assert b"3.50" in resource
