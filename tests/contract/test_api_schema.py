"""The interface answers as its OpenAPI document says, to requests that schemathesis makes up."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import orjson
import pytest

from deidstream.agents.api.openapi_document import render_document
from deidstream.agents.cli.main import parser
from deidstream.agents.settings import Settings
from support.api_server import api_server

ROOT = Path(__file__).parents[2]
TOKEN = "schemathesis-token"
NOTES = "^/v1/(deidentify|find)$"
EXAMPLES = 15


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with api_server({"policies": "redact", "replacements": "true", "token": TOKEN}) as served:
        yield served


def fuzz(url: str, *options: str) -> str:
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{url}/openapi.json"]
    header = ["-H", f"Authorization: Bearer {TOKEN}", "--seed", "1"]
    limits = ["--max-examples", str(EXAMPLES), "--request-timeout", "30"]
    done = subprocess.run(  # noqa: S603 - our own command
        [*command, *header, *limits, *options],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.slow
def test_endpoints_answer_as_they_are_described(url: str) -> None:
    # What a request names may not be there: an entity, a language, an operator.
    refused = ("--exclude-checks", "positive_data_acceptance")
    assert fuzz(url, "--exclude-path-regex", NOTES, *refused) == ""


@pytest.mark.slow
def test_notes_are_answered_as_is_described(url: str) -> None:
    # A note is judged by itself: one that fits its schema may fail, and a wrong one costs no other.
    judged = ("--exclude-checks", "positive_data_acceptance,negative_data_rejection")
    assert fuzz(url, "--include-path-regex", NOTES, *judged) == ""


def test_the_document_in_the_manual_is_the_one_that_is_served(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept = (ROOT / "docs" / "openapi.json").read_text()
    assert render_document(Settings()) == kept
    arguments = parser().parse_args(["serve", "--openapi"])
    assert arguments.run(arguments) == 0
    assert capsys.readouterr().out == kept


def test_every_reference_of_the_document_leads_somewhere() -> None:
    document = orjson.loads(render_document(Settings()))
    schemas = document["components"]["schemas"]
    named = {part.split('"')[0] for part in render_document(Settings()).split("/schemas/")[1:]}
    assert named <= set(schemas)
    for name, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema.get("description") or schema.get("title") or "oneOf" in schema, name


def test_every_operation_is_described() -> None:
    document = orjson.loads(render_document(Settings()))
    operations = [o for path in document["paths"].values() for o in path.values()]
    assert all(each["summary"] and each["description"] for each in operations)
