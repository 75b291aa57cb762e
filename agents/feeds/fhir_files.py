"""Make records of the resources in NDJSON files: patients first, and each with its persons.

A line is a resource, as in the files of a bulk export (FHIR Bulk Data Access). A Bundle of one
patient is one note; of a Bundle of several patients each resource is one.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from deidstream.agents.feeds.person_index import PersonIndex, read_places
from deidstream.models.messages.fhir.element_table import element_table
from deidstream.models.messages.fhir.exact_json import Json, parse_exactly, write_exactly
from deidstream.models.messages.fhir.fhir_subjects import BUNDLE, find_patients, name_resource
from deidstream.models.messages.fhir.slim_resource import slim_attachments
from deidstream.models.messages.fhir.split_bundle import resolve_urls, split_bundle
from deidstream.models.messages.fhir.stated_persons import wanted_persons
from deidstream.models.messages.fhir.walking import Fields, find_string
from deidstream.models.messages.forms.form_text import merge_known
from deidstream.schemas.errors import InvalidNote
from deidstream.schemas.note import KnownIdentifiers
from deidstream.schemas.wire import encode_known
from deidstream.stream.delivery.producer import TopicRecord

_TYPE = re.compile(rb'"resourceType"\s*:\s*"([A-Za-z]{1,40})"')
_FIRST = ("Patient", "RelatedPerson", "Practitioner", "PractitionerRole", "Organization")


@dataclass(slots=True)
class FhirTally:
    """Counts what the files hold."""

    taken: Counter[str] = field(default_factory=Counter[str])
    """Records, by resource type."""
    skipped: Counter[str] = field(default_factory=Counter[str])
    """Resources of types that are not read; their names come from the table of FHIR alone."""
    overlong: int = 0
    """Lines that are too long to be read."""


@dataclass(slots=True)
class FhirFiles:
    """The files of one export."""

    paths: Sequence[Path]
    topic: str
    tenant: str
    note_bytes: int
    """In a longer record the attachments are replaced by their text."""
    tally: FhirTally = field(default_factory=FhirTally)

    def read_records(self) -> Iterator[TopicRecord]:
        """Yield the records of all files, keyed by patient; the same files give the same bytes.

        Raises:
            MissingArtefact: A file cannot be read.
        """
        ordered = sorted(self.paths, key=_rank)
        index = PersonIndex.of_files(ordered)
        for path in ordered:
            for _, line in read_places(path):
                if line:
                    yield from self._read_line(line, index)
                else:
                    self.tally.overlong += 1

    def _read_line(self, line: bytes, index: PersonIndex) -> Iterator[TopicRecord]:
        try:
            orjson.loads(line)
            parsed: Json = parse_exactly(line)
        except (orjson.JSONDecodeError, InvalidNote):
            parsed = None
        if not isinstance(parsed, dict):
            # Sent as it is: the worker quarantines it with the reason.
            self.tally.taken["unreadable"] += 1
            yield TopicRecord(self.topic, None, line)
            return
        fields: Fields = parsed  # pyright: ignore[reportUnknownVariableType]
        if len(find_patients(fields)) > 1:
            yield from self._split(fields, index)
        else:
            yield from self._take(fields, index, KnownIdentifiers())

    def _split(self, bundle: Fields, index: PersonIndex) -> Iterator[TopicRecord]:
        """Make a record of each resource of a Bundle, with the persons that the Bundle has."""
        for part in split_bundle(resolve_urls(bundle)):
            for entry in part.entries:
                for resource in entry.resources:
                    yield from self._take(resource, index, part.known)

    def _take(
        self, fields: Fields, index: PersonIndex, known: KnownIdentifiers
    ) -> Iterator[TopicRecord]:
        resource_type = find_string(fields, "resourceType")
        if resource_type not in element_table().resource_types:
            self.tally.skipped["of other types"] += 1
            return
        patients = find_patients(fields)
        if resource_type != BUNDLE:
            known = merge_known(known, index.look_up(wanted_persons(fields, patients)))
        self.tally.taken[resource_type] += 1
        patient = patients[0] if patients else name_resource(fields)
        yield TopicRecord(self.topic, patient.encode(), self._write(fields, known))

    def _write(self, fields: Fields, known: KnownIdentifiers) -> bytes:
        record: dict[str, object] = {"tenant": self.tenant, "known": encode_known(known)}
        value = _write_record(record, fields)
        if len(value) <= self.note_bytes:
            return value
        return _write_record(record, slim_attachments(fields))


def _write_record(record: dict[str, object], resource: Json) -> bytes:
    return orjson.dumps(record | {"resource": orjson.Fragment(write_exactly(resource))})


def _rank(path: Path) -> tuple[int, str]:
    """Return the sorting key of a file: by the type of its first resource, then by its name."""
    first = next((line for _, line in read_places(path)), b"")
    found = _TYPE.search(first)
    name = found[1].decode() if found else ""
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST)), str(path)
