"""Requests about notes: one note or several, each as a ``notes.raw`` record, and their options."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, cast

import orjson
from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    WithJsonSchema,
)

from deidstream.agents.api.bounded_request import BoundedRequest, StopAtMistake
from deidstream.schemas.contracts import CONTRACTS
from deidstream.schemas.note import RawNote

DEFAULT_TENANT = RawNote("", "", "").tenant
"""Tenant of a note that names none."""
EXAMPLE: JsonValue = {
    "note_id": "note-1",
    "patient_id": "patient-1",
    "text": "Mr. John Smith was seen on 03/04/2024.",
}


def _note_schema() -> dict[str, Any]:
    """Return the contract of ``notes.raw``, whose ids a request may leave out."""
    contract = {
        name: part
        for name, part in CONTRACTS["notes.raw"].items()
        if name not in {"$schema", "required", "if", "then", "else"}
    }
    description = (
        "A note as on the topic notes.raw. Without note_id and patient_id it counts as the only "
        "note of a patient of its own; without text it can only be one that is cancelled."
    )
    return contract | {"description": description, "examples": [EXAMPLE]}


RawRecord = Annotated[dict[str, Any], WithJsonSchema(_note_schema())]
"""Only ``schemas.wire.decode`` reads it, so that the same notes are refused here as on Kafka."""
PolicyName = Annotated[
    str | None,
    Field(description="One of GET /v1/policies; absent: the policy of the note's tenant."),
]


class _NoteOptions(BoundedRequest):
    model_config = ConfigDict(extra="forbid")
    policy: PolicyName = None


class _OneNote(_NoteOptions):
    note: RawRecord


class _ManyNotes(_NoteOptions):
    notes: Annotated[list[RawRecord], Field(description="Answered in this order."), StopAtMistake()]


class _Replacements(BaseModel):
    replacements: Annotated[
        bool,
        Field(description="State what was replaced; needs the right `replacements`."),
    ] = False


class DeidentifyOne(_OneNote, _Replacements):
    """One note to de-identify."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"note": EXAMPLE}]})


class DeidentifyMany(_ManyNotes, _Replacements):
    """Several notes to de-identify; a note that fails costs no other."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"notes": [EXAMPLE]}]})


class FindOne(_OneNote):
    """One note to find PHI in."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"note": EXAMPLE}]})


class FindMany(_ManyNotes):
    """Several notes to find PHI in."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"notes": [EXAMPLE]}]})


def _asks_for_many(asked: object) -> bool:
    if isinstance(asked, dict):
        return "notes" in asked and "note" not in cast("dict[str, object]", asked)
    return isinstance(asked, DeidentifyMany | FindMany)


def _choose_deidentify(asked: object) -> str:
    return (DeidentifyMany if _asks_for_many(asked) else DeidentifyOne).__name__


def _choose_find(asked: object) -> str:
    return (FindMany if _asks_for_many(asked) else FindOne).__name__


# Chosen by what is in the request, so that an error is about the form that its sender meant.
DeidentifyRequest = Annotated[
    Annotated[DeidentifyOne, Tag(DeidentifyOne.__name__)]
    | Annotated[DeidentifyMany, Tag(DeidentifyMany.__name__)],
    Discriminator(_choose_deidentify),
]
FindRequest = Annotated[
    Annotated[FindOne, Tag(FindOne.__name__)] | Annotated[FindMany, Tag(FindMany.__name__)],
    Discriminator(_choose_find),
]


def notes_of(
    asked: DeidentifyOne | DeidentifyMany | FindOne | FindMany,
) -> Sequence[Mapping[str, Any]]:
    """Return the notes of a request."""
    return asked.notes if isinstance(asked, DeidentifyMany | FindMany) else [asked.note]


def encode_record(note: Mapping[str, Any]) -> bytes:
    """Encode a note of a request as a ``notes.raw`` record, valid or not."""
    record = _with_ids(note)
    try:
        return orjson.dumps(record)
    except TypeError:
        pass
    try:
        # orjson refuses lone surrogates and NaN; decoding refuses them too, with a reason.
        return json.dumps(record).encode()
    except (RecursionError, ValueError):
        return b""


def tenant_of(note: Mapping[str, Any]) -> object:
    """Return the tenant of a note; one that is no text is refused when the record is decoded."""
    tenant: object = note.get("tenant")
    return DEFAULT_TENANT if tenant is None else tenant


def _with_ids(note: Mapping[str, Any]) -> Mapping[str, Any]:
    if any(note.get(name) is not None for name in _NAMED_OTHERWISE):
        return note
    text = note.get("text")
    name = sha256(str(text).encode("utf-8", "surrogatepass")).hexdigest()
    return {**note, "note_id": name, "patient_id": name}


_NAMED_OTHERWISE = ("note_id", "patient_id", "resource", "document", "status")
"""Fields of a note that has its ids from its sender, or cannot be without them."""
