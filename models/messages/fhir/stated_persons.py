"""Find the persons that a resource refers to, and what their own resources state of them."""

from collections.abc import Iterator
from typing import cast

from deidstream.models.messages.fhir.exact_json import Json
from deidstream.models.messages.fhir.fhir_references import read_target
from deidstream.models.messages.fhir.resource_walk import ResourceWalk
from deidstream.models.messages.fhir.walking import Fields, find_objects, find_string
from deidstream.schemas.note import KnownIdentifiers

PERSONS = ("Patient", "Practitioner", "RelatedPerson")
_RELATED = "related to "


def state_person(fields: Fields) -> KnownIdentifiers:
    """Return what the resource of a person states.

    Raises:
        InvalidNote: An element is not of its type.
    """
    walk = ResourceWalk()
    walk.walk_resource(fields)
    return walk.stated.as_known()


def names_of_person(fields: Fields) -> Iterator[str]:
    """Yield the names by which the resource of a person is looked up.

    That of a relative is looked up for the patient as well.
    """
    resource_type, own = find_string(fields, "resourceType"), find_string(fields, "id")
    if own:
        yield f"{resource_type}/{own}"
    for reference in find_objects(fields, "patient"):
        target = read_target(find_string(reference, "reference"))
        if target is not None:
            yield _RELATED + target.value


def wanted_persons(fields: Fields, patients: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of all persons that a resource is about or refers to.

    Args:
        fields: The resource.
        patients: The ids of the patients that it is about.
    """
    wanted = dict.fromkeys(
        name for patient in patients for name in (f"Patient/{patient}", _RELATED + patient)
    )
    for reference in _references(fields):
        target = read_target(reference)
        if target is not None and target.resource_type in PERSONS:
            wanted[f"{target.resource_type}/{target.value}"] = None
    return tuple(wanted)


def _references(value: Json) -> Iterator[str]:
    if isinstance(value, list):
        for item in cast("list[Json]", value):
            yield from _references(item)
    elif isinstance(value, dict):
        fields = cast("Fields", value)
        found = find_string(fields, "reference")
        if found:
            yield found
        for item in fields.values():
            yield from _references(item)
