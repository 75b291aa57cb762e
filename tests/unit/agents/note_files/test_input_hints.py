"""Hints about input files: counts, and never what a note holds."""

import gzip
import json
from pathlib import Path

import pytest

from deidstream.agents.note_files.input_hints import InputHints
from deidstream.agents.runtime.lines import count_lines, read_lines
from deidstream.schemas.errors import MissingArtefact

NOTE: dict[str, object] = {"note_id": "n1", "patient_id": "p1", "text": "Mr. Zyxwv left."}


def said(*lines: bytes) -> str:
    hints = InputHints()
    for line in lines:
        hints.look(line)
    text = "\n".join(hints.say())
    assert "Zyxwv" not in text
    return text


def note(**fields: object) -> bytes:
    return json.dumps(NOTE | fields).encode()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "over several lines"),
        (b"[1, 2]", "a list (--format json reads it)"),
        (b"note_id,patient_id,text", "CSV (--format csv reads it)"),
        (b"note_id;patient_id;text", "CSV (--format csv reads it)"),
        (b"note_id\tpatient_id\ttext, if any", "TSV (--format tsv reads it)"),
        (b"PAR1\x15\x04", "Parquet (--format parquet reads it)"),
        ('{"a": 1}'.encode("utf-16"), "UTF-16"),
        (note(Zyxwv=1), "1 x notes with unknown fields, which are ignored"),
        (note(known={"name": ["Zyxwv"]}), "fields in known"),
        (note(known={"dates": ["01/02/1950", "Zyxwv"]}), "not a date"),
        (note(authored_at="Zyxwv"), "not an ISO 8601 time"),
    ],
)
def test_what_a_sender_may_not_have_meant_is_said(line: bytes, words: str) -> None:
    assert words in said(line)


@pytest.mark.parametrize("date", ["1950-02-01", "2 March 1950", "03/04/2024", "1950"])
def test_a_plain_note_has_no_hint(date: str) -> None:
    known = {"dates": [date], "names": ["Zyxwv"]}
    assert said(note(known=known, authored_at="2024-03-04T10:00:00Z", schema=1)) == ""


def test_ids_are_compared_within_their_tenant() -> None:
    assert "1 x notes with the note_id" in said(note(), note(tenant="a"), note(tenant="default"))


def test_an_empty_file_is_said() -> None:
    assert said() == "the input holds no notes"


def test_a_gzip_file_is_read_as_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl.gz"
    path.write_bytes(gzip.compress(note() + b"\n\n" + note() + b"\n"))
    assert [number for number, _ in read_lines(path)] == [0, 2]
    assert count_lines(path) == 2
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(MissingArtefact, match="cannot be read"):
        count_lines(path)


def test_a_resource_by_itself_has_no_fields_that_no_one_reads() -> None:
    assert said(b'{"resourceType": "Patient", "birthDate": "1951-07-19"}') == ""
