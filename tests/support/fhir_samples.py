"""The sample resources of ``tests/fhir``, and what in them identifies somebody."""

import base64
import binascii
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "fhir"
SAMPLES = sorted(file.stem for file in FOLDER.glob("*.json"))
PERSONS = frozenset({"Patient", "Practitioner", "RelatedPerson"})
_SHORTEST = 4
"""Letters or digits of a value that does not occur by chance."""


def sample(name: str) -> bytes:
    """The bytes of a sample."""
    return (FOLDER / f"{name}.json").read_bytes()


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a resource, outer ones first."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from objects(each)


def identifiers(resource: dict[str, Any]) -> set[str]:
    """What the persons in a resource are called and known by, and the ids of resources."""
    found: set[str] = set()
    for each in objects(resource):
        found |= {each["id"]} if "resourceType" in each and "id" in each else set()
        if each.get("resourceType") in PERSONS:
            found |= set(_of_person(each))
        if "reference" in each and isinstance(each["reference"], str):
            found.add(each["reference"].rpartition("/")[2])
            if any(f"{kind}/" in each["reference"] for kind in PERSONS):
                found |= set(str(each.get("display", "")).replace(",", " ").split())
    return {one for one in found if _is_telling(one)} - {"FRCS"}


def _of_person(person: dict[str, Any]) -> Iterator[str]:
    for name in person.get("name", ()):
        yield from (*name.get("family", "").split(), *name.get("given", ()))
    for kind in ("identifier", "telecom"):
        yield from (each["value"] for each in person.get(kind, ()) if "value" in each)
    for address in person.get("address", ()):
        yield from address.get("line", ())
        yield from (address.get("postalCode", ""), address.get("city", ""))
    yield person.get("birthDate", "")
    for contact in person.get("contact", ()):
        yield from _of_person({"name": [contact["name"]], "telecom": contact.get("telecom", ())})


def _is_telling(text: str) -> bool:
    return sum(map(str.isalnum, text)) >= _SHORTEST


def shown_text(resource: dict[str, Any]) -> str:
    """Everything that a reader of a resource can see: its JSON, and what is in base64."""
    shown = [json.dumps(resource, ensure_ascii=False)]
    for each in objects(resource):
        data = each.get("data")
        if isinstance(data, str):
            try:
                shown.append(base64.b64decode(data, validate=True).decode("utf-8", "replace"))
            except binascii.Error:
                shown.append(data)
    return "\n".join(shown)
