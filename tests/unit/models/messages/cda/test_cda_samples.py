"""Documents of all types, in the shapes of several vendors, come out whole and without a name."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from deidstream.schemas.outcome import Anonymized
from support.cda_samples import SAMPLES, V3, find_left, identifiers, parse, sample
from support.pipeline import pipeline, service

pytestmark = pytest.mark.slow
POLICIES = ("surrogate", "safe-harbor", "redact")
WHOLE = "section entry component act observation organizer text table tr td th list item content id"
REDACTED = frozenset({"given", "prefix", "suffix"})
"""Given names of which there are fewer than there were, and titles that are none of ours."""


@cache
def run(policy: str) -> dict[str, Anonymized]:
    """What all samples become under a policy."""
    outcomes = asyncio.run(service(pipeline(policy)).run([sample(name) for name in SAMPLES]))
    failed = list(zip(SAMPLES, outcomes, strict=True))
    assert all(isinstance(one, Anonymized) for _, one in failed), failed
    return {name: one for name, one in failed if isinstance(one, Anonymized)}


@pytest.fixture(scope="module", params=POLICIES)
def outputs(request: pytest.FixtureRequest) -> Mapping[str, Anonymized]:
    return run(request.param)


def tree_of(outcome: Anonymized) -> Any:
    assert outcome.note.document is not None
    return parse(outcome.note.document)


def test_there_are_as_many_samples_as_we_say() -> None:
    assert len(SAMPLES) == 22


@pytest.mark.parametrize("name", SAMPLES)
def test_no_identifier_is_in_the_output(name: str, outputs: Mapping[str, Anonymized]) -> None:
    sought = identifiers(name)
    assert len(sought) >= 20
    assert find_left(sought, outputs[name]) == set()


@pytest.mark.parametrize("name", SAMPLES)
def test_sections_and_entries_are_those_of_the_input(
    name: str, outputs: Mapping[str, Anonymized]
) -> None:
    given, made = parse(sample(name)), tree_of(outputs[name])
    tags = [f"{V3}{each}" for each in WHOLE.split()]
    assert paths(given, tags) == paths(made, tags)
    lost = Counter(each.tag for each in given.iter("{*}*"))
    lost -= Counter(each.tag for each in made.iter("{*}*"))
    names = {each.rpartition("}")[2] for each in lost} - REDACTED
    assert names == set()


def paths(root: Any, tags: list[str]) -> list[str]:
    """Where the elements of these names stand."""
    tree = root.getroottree()
    return [tree.getelementpath(each) for each in root.iter(tags)]


@pytest.mark.parametrize("name", SAMPLES)
def test_references_lead_to_the_same_places(name: str, outputs: Mapping[str, Anonymized]) -> None:
    assert targets(tree_of(outputs[name])) == targets(parse(sample(name)))


def targets(root: Any) -> list[int]:
    """The elements that references of the document lead to, by their number; -1: to none."""
    ids = [each.get("ID") for each in root.iter("{*}*") if each.get("ID")]
    found = [each.get("value", "")[1:] for each in root.iter(f"{V3}reference")]
    found += [each.get("IDREF", "-") for each in root.iter(f"{V3}footnoteRef")]
    found += [each.get("referencedObject", "-") for each in root.iter(f"{V3}renderMultiMedia")]
    return [ids.index(one) if one in ids else -1 for one in found]


def test_a_replay_writes_the_same_bytes() -> None:
    first, second = run("surrogate"), run.__wrapped__("surrogate")
    for name in SAMPLES:
        assert first[name].note.document == second[name].note.document


def test_dates_of_elements_and_of_the_narrative_move_alike() -> None:
    outcome = run("surrogate")["discharge_summary"]
    day = tree_of(outcome).find(f".//{V3}encompassingEncounter/{V3}effectiveTime/{V3}low")
    moved = day.get("value")
    assert moved != "20240304"
    assert f"{moved[4:6]}/{moved[6:8]}/{moved[:4]}" in outcome.note.text


def test_a_moved_time_keeps_its_hour_and_zone() -> None:
    made = tree_of(run("surrogate")["ccd_tables"]).find(f"{V3}effectiveTime").get("value")
    assert len(made) == len("20240312101500-0500")
    assert made.endswith("101500-0500")
    assert not made.startswith("20240312")


def test_one_person_has_one_surrogate_in_the_header_and_in_the_narrative() -> None:
    outcome = run("surrogate")["discharge_summary"]
    family = tree_of(outcome).find(f".//{V3}patient/{V3}name/{V3}family").text
    assert f"Mrs. {family} was admitted" in outcome.note.text


def test_codes_and_what_they_are_called_stay() -> None:
    made = tree_of(run("surrogate")["ccd_tables"])
    shown = {each.get("displayName") for each in made.iter(f"{V3}code", f"{V3}value")}
    assert {"Asthma", "Hypertensive disorder, systemic arterial"} <= shown
    assert "38341003" in {each.get("code") for each in made.iter(f"{V3}value")}


def test_a_pdf_comes_out_as_its_text() -> None:
    text = tree_of(run("surrogate")["unstructured_pdf"]).find(f".//{V3}nonXMLBody/{V3}text")
    assert (text.get("mediaType"), text.get("representation")) == ("text/plain", None)
    assert "was seen" in text.text
