"""The page of the REST interface, made of docs/openapi.json while the site is built."""
# ruff: noqa: INP001 - MkDocs loads this file by its path

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

SOURCE = Path(__file__).parents[2] / "docs/openapi.json"
PAGE = "rest.md"

Schema = Mapping[str, Any]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    document = json.loads(SOURCE.read_text("utf-8"))
    files.append(File.generated(config, PAGE, content="\n".join(describe(document)) + "\n"))
    return files


def describe(document: Schema) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# REST reference"
    yield ""
    yield "Every path of `deidstream serve`, from its [OpenAPI document](openapi.json)."
    yield "[De-identify on request](api.md) explains them."
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield from ["", f"## {method.upper()} {path}", "", *_words(operation)]
            body = operation.get("requestBody", {}).get("content", {})
            for part in body.values():
                yield from _fields("Takes", part.get("schema", {}), document)
            answers = operation["responses"]
            good = answers.get("200", {}).get("content", {}).get("application/json", {})
            yield from _fields("Answers", good.get("schema", {}), document)
            yield from ["", "Codes: " + ", ".join(f"`{code}`" for code in sorted(answers)) + "."]


def _words(operation: Schema) -> Iterator[str]:
    yield f"{operation.get('summary', '')}.".replace("..", ".")
    if described := operation.get("description", "").strip():
        yield from ["", *described.splitlines()]


def _fields(verb: str, schema: Schema, document: Schema) -> Iterator[str]:
    """Yield a table of the fields of an object; nothing where it is none."""
    found = _resolve(schema, document)
    for choice in found.get("anyOf", ()):
        found = _resolve(choice, document) if "properties" not in found else found
    if not found.get("properties"):
        return
    yield from ["", f"{verb}:", "", "| field | form | | meaning |", "|---|---|---|---|"]
    required = set(found.get("required", ()))
    for name, field in found["properties"].items():
        must = "required" if name in required else ""
        meaning = " ".join(
            field.get("description", _resolve(field, document).get("description", "")).split()
        )
        yield f"| `{name}` | {_form(field)} | {must} | {meaning.replace('|', '&#124;')} |"


def _resolve(schema: Schema, document: Schema) -> Schema:
    reference = schema.get("$ref", "")
    return document["components"]["schemas"][reference.rpartition("/")[2]] if reference else schema


def _form(field: Schema) -> str:
    if "$ref" in field:
        return f"`{field['$ref'].rpartition('/')[2]}`"
    if "anyOf" in field:
        return " or ".join(_form(choice) for choice in field["anyOf"])
    if field.get("type") == "array":
        return f"list of {_form(field.get('items', {}))}"
    return str(field.get("type", "any"))
