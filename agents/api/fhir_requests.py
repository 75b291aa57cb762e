"""Requests with a FHIR resource: one record, or several for a Bundle of several patients."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import orjson

from deidstream.models.messages.fhir.exact_json import parse_exactly, write_exactly
from deidstream.models.messages.fhir.fhir_subjects import BUNDLE, find_patients
from deidstream.models.messages.fhir.split_bundle import BundlePart, join_parts, split_bundle
from deidstream.models.messages.fhir.walking import Fields
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.json_object import parse_object
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.wire import encode_known


@dataclass(frozen=True, slots=True)
class FhirRequest:
    """A resource as ``notes.raw`` records."""

    records: Sequence[bytes] = field(repr=False)
    parts: Sequence[BundlePart] = ()
    """Parts of a Bundle of several patients. ``records`` then has the Bundle without its entries
    first, and one record for each part after it."""

    @classmethod
    def read(cls, body: bytes, tenant: str) -> "FhirRequest":
        """Read the body of a request, which must be one resource by itself.

        Raises:
            InvalidNote: It is something else.
        """
        fields = parse_object(body, limit_bytes=len(body))
        if "resourceType" not in fields:
            raise InvalidNote(Reason.MISSING_FIELD, NoteField.RESOURCE)
        whole = orjson.dumps({"resource": orjson.Fragment(body), "tenant": tenant})
        if fields["resourceType"] != BUNDLE:
            return cls([whole])
        bundle = cast("Fields", parse_exactly(body))
        if len(find_patients(bundle)) <= 1:
            return cls([whole])
        parts = split_bundle(bundle)
        head = {name: value for name, value in bundle.items() if name != "entry"}
        records = [_encode(head, {"tenant": tenant})]
        records += [
            _encode(
                part.as_bundle(),
                {
                    "tenant": tenant,
                    "patient_id": part.patient_id,
                    "known": encode_known(part.known),
                },
            )
            for part in parts
        ]
        return cls(records, parts)

    def join(self, outcomes: Sequence[Outcome]) -> bytes | Outcome:
        """Return the de-identified resource, or the first outcome without one."""
        made: list[bytes] = []
        for outcome in outcomes:
            if not isinstance(outcome, Anonymized) or outcome.note.resource is None:
                return outcome
            made.append(outcome.note.resource)
        head, *parts = made
        return join_parts(head, self.parts, parts) if self.parts else head


def _encode(resource: Fields, record: dict[str, object]) -> bytes:
    return orjson.dumps(record | {"resource": orjson.Fragment(write_exactly(resource))})
