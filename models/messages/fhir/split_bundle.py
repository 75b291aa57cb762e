"""Take a Bundle of several patients apart, so that each part is about one of them or about none."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from deidstream.models.messages.fhir.exact_json import Json, parse_exactly, write_exactly
from deidstream.models.messages.fhir.fhir_subjects import (
    BUNDLE,
    BundleEntry,
    name_resource,
    read_entries,
)
from deidstream.models.messages.fhir.stated_persons import PERSONS, state_person
from deidstream.models.messages.fhir.walking import Fields, find_objects, find_string
from deidstream.models.messages.forms.form_text import merge_known
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.note import KnownIdentifiers
from deidstream.schemas.wire import MOST_KNOWN, encode_known

_STAFF = "Practitioner"


@dataclass(frozen=True, slots=True)
class BundlePart:
    """The entries of a Bundle that are about one patient, or one entry that is about none."""

    patient_id: str = field(repr=False)
    places: Sequence[int]
    """Numbers of the entries in the Bundle, from 0."""
    entries: Sequence[BundleEntry] = field(repr=False)
    known: KnownIdentifiers
    """What the Bundle states of the part's persons, and of all practitioners in it."""

    def as_bundle(self) -> Fields:
        """Return a Bundle of these entries alone."""
        return {"resourceType": BUNDLE, "entry": [entry.fields for entry in self.entries]}


def split_bundle(bundle: Fields) -> list[BundlePart]:
    """Return the parts of a Bundle, in the order of their first entries.

    Raises:
        InvalidNote: An entry is no object.
    """
    entries = read_entries(bundle)
    if len(entries) != len(cast("Sequence[Json]", bundle.get("entry") or ())):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.RESOURCE)
    places: dict[str, list[int]] = {}
    for place, entry in enumerate(entries):
        places.setdefault(_name_part(entry), []).append(place)
    staff = _state_persons(entries, [_STAFF])
    parts: list[BundlePart] = []
    for patient_id, own in places.items():
        inside = [entries[place] for place in own]
        persons = _state_persons(inside)
        known = merge_known(persons, staff)
        # A record with more is refused; recognizers find the names of staff too.
        kept = known if sum(map(len, encode_known(known).values())) <= MOST_KNOWN else persons
        parts.append(BundlePart(patient_id, own, inside, kept))
    return parts


def _name_part(entry: BundleEntry) -> str:
    if entry.patients:
        return entry.patients[0]
    # The same name as if the resource were sent alone.
    return name_resource(entry.resources[0] if entry.resources else entry.fields)


def _state_persons(
    entries: Sequence[BundleEntry], types: Collection[str] = PERSONS
) -> KnownIdentifiers:
    known = KnownIdentifiers()
    for entry in entries:
        for resource in entry.resources:
            if find_string(resource, "resourceType") in types:
                known = _add_person(known, resource)
    return known


def _add_person(known: KnownIdentifiers, person: Fields) -> KnownIdentifiers:
    try:
        return merge_known(known, state_person(person))
    except InvalidNote:
        return known


def join_parts(head: bytes, parts: Sequence[BundlePart], made: Sequence[bytes]) -> bytes:
    """Return one Bundle again.

    Args:
        head: The de-identified Bundle without its entries.
        parts: Its parts.
        made: The de-identified Bundle of each part.
    """
    entries: dict[int, Json] = {}
    for part, bundle in zip(parts, made, strict=True):
        written = find_objects(cast("Fields", parse_exactly(bundle)), "entry")
        entries |= dict(zip(part.places, written, strict=True))
    whole = dict(cast("Fields", parse_exactly(head)))
    whole["entry"] = [entries[place] for place in sorted(entries)]
    return write_exactly(whole)


def resolve_urls(bundle: Fields) -> Fields:
    """Return a Bundle whose resources are referred to by ``Type/id``, as if a server had them.

    A resource without an id gets that of its ``urn:uuid``.
    """
    names: dict[str, str] = {}
    entries: list[Json] = []
    for entry in find_objects(bundle, "entry"):
        url, resource = find_string(entry, "fullUrl"), entry.get("resource")
        if url.startswith("urn:") and isinstance(resource, dict):
            fields = {"id": url.rpartition(":")[2]} | cast("dict[str, Json]", resource)
            names[url] = f"{find_string(fields, 'resourceType')}/{find_string(fields, 'id')}"
            entries.append({**entry, "resource": fields})
        else:
            entries.append(entry)
    return cast("Fields", _rename({**bundle, "entry": entries}, names))


def _rename(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, list):
        return [_rename(each, names) for each in cast("list[Json]", value)]
    if not isinstance(value, dict):
        return value
    fields = {name: _rename(each, names) for name, each in cast("Fields", value).items()}
    target = names.get(find_string(fields, "reference"))
    return fields if target is None else fields | {"reference": target}
