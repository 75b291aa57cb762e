"""Write the data dictionary: every field of every record, from the contracts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from deidstream.schemas.contracts import CONTRACTS
from deidstream.schemas.json_schema import Schema

_HEAD = """\
# Data dictionary

Every field of every record, by topic. `deidstream schemas dictionary --out docs/data-dictionary.md`
writes this page from the contracts (`schemas/contracts.py`); [schemas/json](../schemas/json) has
them as JSON Schema. Values are JSON objects in UTF-8. Readers ignore fields that they do not know.
Under *present*, *new* means that a record which takes a note back (`status` = `cancelled`) lacks
the field. What `notes.raw` requires follows from `resource` or `document` where one is present.
"""
_ALWAYS, _NEW, _OPTIONAL = "always", "new", "optional"
_MOST_NAMES = 12
"""A longer list of names is left to the JSON Schema."""


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """One field of a record."""

    path: str
    """Names from the record down to the field, with dots; ``[]`` after that of a list."""
    form: str
    present: str
    meaning: str


def list_fields(contract: Schema) -> Iterator[FieldEntry]:
    """Yield the fields of a contract in their order, those of objects after the objects."""
    otherwise = cast("Schema", contract.get("else", contract))
    kept = cast("Schema", contract.get("then", otherwise))
    # What a note with a text requires is stated here; the page's head says the rest.
    whole = cast("Schema", otherwise.get("else", otherwise))
    required = dict.fromkeys(cast("list[str]", whole["required"]), _NEW)
    required |= {name: _ALWAYS for name in cast("list[str]", kept["required"]) if name in required}
    yield from _list_properties(contract, required, "")


def _list_properties(
    schema: Schema, required: Mapping[str, str], prefix: str
) -> Iterator[FieldEntry]:
    for name, written in cast("Mapping[str, Schema]", schema["properties"]).items():
        part, nullable = _without_null(written)
        form = _form_of(part) + (" or null" if nullable else "")
        present = required.get(name, _OPTIONAL)
        yield FieldEntry(prefix + name, form, present, str(part.get("description", "")))
        yield from _list_within(part, prefix + name)


def _list_within(part: Schema, path: str) -> Iterator[FieldEntry]:
    if part.get("type") == "array":
        part, path = cast("Schema", part["items"]), f"{path}[]"
    if "properties" in part:
        inner = dict.fromkeys(cast("list[str]", part["required"]), _ALWAYS)
        yield from _list_properties(part, inner, f"{path}.")


def _without_null(schema: Schema) -> tuple[Schema, bool]:
    """Return the form of a field that may be null, and whether it may."""
    if "anyOf" not in schema:
        return schema, False
    return cast("list[Schema]", schema["anyOf"])[0], True


def _form_of(part: Schema) -> str:
    if "const" in part:
        return f"`{part['const']}`"
    if "enum" in part:
        names = cast("list[str]", part["enum"])
        return "name" if len(names) > _MOST_NAMES else " ".join(f"`{name}`" for name in names)
    match part["type"]:
        case "array":
            items = cast("Schema", part["items"])
            return "list of objects" if "properties" in items else f"list of {items['type']}s"
        case "object" if "additionalProperties" in part:
            values = cast("Schema", part["additionalProperties"])
            return f"{values['type']}s by name"
        case "number":
            return "number, 0 to 1"
        case kind:
            return str(kind)


def write_dictionary() -> str:
    """Return the data dictionary as Markdown."""
    return _HEAD + "".join(_write_topic(topic, contract) for topic, contract in CONTRACTS.items())


def _write_topic(topic: str, contract: Schema) -> str:
    rows = "".join(
        f"| `{entry.path}` | {entry.form} | {entry.present} | {entry.meaning} |\n"
        for entry in list_fields(contract)
    )
    head = f"\n## {topic}\n\n{contract['title']}.\n\n"
    return f"{head}| field | form | present | meaning |\n|---|---|---|---|\n{rows}"
