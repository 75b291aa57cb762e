"""The data dictionary: every field is explained, and the page is that of the contracts."""

from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.schemas.contracts import CONTRACTS
from deidstream.schemas.data_dictionary import list_fields, write_dictionary

PAGE = Path(__file__).parents[3] / "docs/data-dictionary.md"


def test_the_page_is_current() -> None:
    # Written by: deidstream schemas dictionary --out docs/data-dictionary.md
    assert PAGE.read_text() == write_dictionary()


@pytest.mark.parametrize("topic", sorted(CONTRACTS))
def test_every_field_is_explained(topic: str) -> None:
    entries = list(list_fields(CONTRACTS[topic]))
    assert entries
    assert [entry.path for entry in entries if len(entry.meaning) < 4 or "|" in entry.form] == []


def test_objects_are_listed_to_their_last_field_and_say_when_they_are_there() -> None:
    entries = {entry.path: entry for entry in list_fields(CONTRACTS["notes.anonymized"])}
    assert entries["note_id"].present == "always"
    assert entries["text"].present == "new"
    assert entries["correlation"].present == "optional"
    assert entries["note_type"].form == "string or null"
    assert "kneo.deniability.jaccard" in entries
    audit = [entry.path for entry in list_fields(CONTRACTS["notes.audit"])]
    assert "replacements[].out_end" in audit


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemas", "dictionary"]) == 0
    assert capsys.readouterr().out == PAGE.read_text()
