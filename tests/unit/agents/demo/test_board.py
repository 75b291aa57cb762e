"""The counts of the demo."""

from io import StringIO

import orjson
import pytest
from rich.console import Console

from deidstream.agents.demo.view import Board, waiting


def board(notes: int) -> Board:
    return Board(notes, "http://127.0.0.1:1/", console=Console(file=StringIO(), width=80))


def test_a_pass_is_over_when_each_note_has_all_its_records() -> None:
    counts = board(2)
    for topic, value in {
        "anonymized": {"note_id": "a"},
        "risk": {"note_id": "a", "level": "red"},
        "quarantine": {"reason": "BAD_JSON"},
    }.items():
        counts.add(topic, orjson.dumps(value))
    assert counts.done == 2
    assert not counts.full
    counts.add("audit", orjson.dumps({"note_id": "a"}))
    assert counts.full


def test_only_the_notes_of_the_first_pass_are_kept() -> None:
    counts = board(1)
    for name in "abc":
        counts.add("anonymized", orjson.dumps({"note_id": name}))
    assert list(counts.notes) == ["a"]
    assert counts.emitted == 3


def test_the_table_fits_eighty_columns_and_ends_with_its_line() -> None:
    counts = board(1)
    with counts:
        pass
    assert isinstance(counts.console.file, StringIO)
    said = counts.console.file.getvalue()
    assert max(map(len, said.splitlines())) <= 80
    assert "http://127.0.0.1:1/" in said
    assert said.endswith("\n")


def test_without_a_terminal_there_is_no_spinner(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting("models load"):
        pass
    assert capsys.readouterr().err == "models load …\n"
