"""Find the patients that a resource is about, and name resources."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.models.messages.fhir.exact_json import write_exactly
from deidstream.models.messages.fhir.fhir_references import read_target
from deidstream.models.messages.fhir.fhir_template import IdForm
from deidstream.models.messages.fhir.walking import Fields, find_objects, find_string

BUNDLE = "Bundle"
_SUBJECTS = ("subject", "patient")


def name_resource(fields: Fields) -> str:
    """Return ``Type/id``; a digest of the resource stands for an id that it does not have."""
    found = find_string(fields, "id") or hashlib.sha256(write_exactly(fields)).hexdigest()[:32]
    return f"{find_string(fields, 'resourceType')}/{found}"


@dataclass(frozen=True, slots=True)
class BundleEntry:
    """One entry of a Bundle."""

    fields: Fields = field(repr=False)
    resources: Sequence[Fields] = field(repr=False)
    """Its resource, or none."""
    patients: tuple[str, ...] = field(repr=False)
    """The ids of the patients that it is about."""


def find_patients(fields: Fields) -> tuple[str, ...]:
    """Return the ids of the patients that a resource is about; only a Bundle has several."""
    if find_string(fields, "resourceType") != BUNDLE:
        return tuple(dict.fromkeys(_of_resource(fields)))
    found = (patient for entry in read_entries(fields) for patient in entry.patients)
    return tuple(dict.fromkeys(found))


def read_entries(bundle: Fields) -> list[BundleEntry]:
    """Return the entries of a Bundle; patients have the same id in all of them.

    An entry whose URL ends with another id than its resource has is known by that of the resource;
    one whose resource has no id, by that of the URL.
    """
    entries = find_objects(bundle, "entry")
    aliases: dict[str, str] = {}
    for entry in entries:
        target = read_target(find_string(entry, "fullUrl"))
        own = [find_string(one, "id") for one in find_objects(entry, "resource")]
        if target is not None and own and own[0]:
            aliases[target.value] = own[0]
    return [_read_entry(entry, aliases) for entry in entries]


def _read_entry(entry: Fields, aliases: Mapping[str, str]) -> BundleEntry:
    resources = find_objects(entry, "resource")
    found: dict[str, None] = {}
    for resource in resources:
        target = read_target(find_string(entry, "fullUrl"))
        nameless = find_string(resource, "resourceType") == "Patient" and "id" not in resource
        own = [target.value] if nameless and target else find_patients(resource)
        found |= dict.fromkeys(aliases.get(patient, patient) for patient in own)
    return BundleEntry(entry, resources, tuple(found))


def _of_resource(fields: Fields) -> Iterator[str]:
    if find_string(fields, "resourceType") == "Patient":
        yield find_string(fields, "id") or name_resource(fields)
        return
    for name in _SUBJECTS:
        for reference in find_objects(fields, name):
            yield from _of_reference(reference, fields)


def _of_reference(reference: Fields, around: Fields) -> Iterator[str]:
    target = read_target(find_string(reference, "reference"))
    if target is not None and target.form is IdForm.CONTAINED:
        # Its id is unique within this resource alone, so the patient's number counts.
        for contained in find_objects(around, "contained"):
            if find_string(contained, "id") == target.value:
                yield from _numbers_of(contained)
                return
    elif target is not None:
        if target.resource_type in {"", "Patient"}:
            yield target.value
        return
    for identifier in find_objects(reference, "identifier"):
        yield from filter(None, [find_string(identifier, "value").strip()])


def _numbers_of(resource: Fields) -> Iterator[str]:
    for identifier in find_objects(resource, "identifier"):
        if number := find_string(identifier, "value").strip():
            yield number
            return
