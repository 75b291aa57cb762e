"""Build JSON Schema (draft 2020-12) from Python, a short function for each form."""

from collections.abc import Iterable, Mapping, Sequence

from deidstream.schemas.note import NoteStatus

Schema = dict[str, object]
"""A part of a JSON Schema."""


def string(description: str) -> Schema:
    """Describe a text."""
    return {"type": "string", "description": description}


def non_empty(description: str) -> Schema:
    """Describe a text that is not blank."""
    return {"type": "string", "minLength": 1, "pattern": r"\S", "description": description}


def maybe(schema: Schema) -> Schema:
    """Describe what may also be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def strings(description: str) -> Schema:
    """Describe a list of texts."""
    return {"type": "array", "items": {"type": "string"}, "description": description}


def one_of(members: Iterable[str], description: str) -> Schema:
    """Describe one of a closed list of names."""
    return {"enum": [str(member) for member in members], "description": description}


def count(description: str) -> Schema:
    """Describe a whole number from 0 on."""
    return {"type": "integer", "minimum": 0, "description": description}


def places(description: str) -> Schema:
    """Describe a list of pairs: where each place of a text begins, and where it has ended."""
    edge: Schema = {"type": "integer", "minimum": 0}
    pair: Schema = {"type": "array", "items": edge, "minItems": 2, "maxItems": 2}
    return {"type": "array", "items": pair, "description": description}


def numbers(description: str) -> Schema:
    """Describe numbers by name."""
    values: Schema = {"type": "number"}
    return {"type": "object", "additionalProperties": values, "description": description}


def share(description: str) -> Schema:
    """Describe a number from 0 to 1."""
    return {"type": "number", "minimum": 0, "maximum": 1, "description": description}


def json_object(
    required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None
) -> Schema:
    """Describe an object; unknown fields of it are ignored."""
    properties = dict(required) | dict(optional or {})
    return {"type": "object", "required": list(required), "properties": properties}


def described(schema: Schema, description: str) -> Schema:
    """Describe what a part of a record is for, where its form alone is known."""
    return schema | {"description": description}


def record(
    title: str, required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None
) -> Schema:
    """Describe the value of a message."""
    head: Schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return head | json_object(required, optional)


def resource(description: str) -> Schema:
    """Describe a FHIR resource."""
    kind = {"resourceType": {"type": "string", "description": "Type of the resource."}}
    inside: Schema = {"type": "object", "required": ["resourceType"], "properties": kind}
    return inside | {"description": description}


def unless_cancelled(
    contract: Schema, left: Iterable[str], *, instead: Sequence[str] = ()
) -> Schema:
    """Require of a record that takes a note back only what it has; the others need everything.

    Args:
        contract: The record.
        left: What a record has that takes a note back.
        instead: Fields from each of which everything that is required follows.
    """
    cancelled: Schema = {
        "required": ["status"],
        "properties": {"status": {"const": NoteStatus.CANCELLED}},
    }
    needed: Schema = {"required": [*left]}
    whole: Schema = {"required": contract["required"]}
    if instead:
        present: list[Schema] = [{"required": [name]} for name in instead]
        whole = {"if": {"anyOf": present}, "else": whole}
    branches: Schema = {"if": cancelled, "then": needed, "else": whole}
    return {name: part for name, part in contract.items() if name != "required"} | branches
