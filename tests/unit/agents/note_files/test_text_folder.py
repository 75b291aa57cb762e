"""Clinical documents in folders, and one alone: they name their patients, and come out as files."""

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import pytest

from deidstream.agents.note_files.files import Files, deidentify
from deidstream.agents.note_files.open_notes import open_notes
from deidstream.agents.note_files.text_folder import TextFolder
from deidstream.agents.runtime.compose import Runtime
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import InvalidSettings, Reason
from deidstream.schemas.outcome import Failed
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.cda_samples import V3, parse, sample
from support.notes import stamp
from support.pipeline import ROOT, LetterCounter, pipeline

NAMES = ("ccd_tables", "discharge_latin1", "consultation_utf16")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "exports"
    made.mkdir()
    for name in NAMES:
        (made / f"{name}.xml").write_bytes(sample(name))
    return made


def records(path: Path, *, by_folder: bool = False) -> list[dict[str, str]]:
    found = [note.message for note in TextFolder(path, by_folder).read()]
    return [json.loads(each) for each in found if isinstance(each, bytes)]


def test_a_document_states_its_patient_itself(folder: Path) -> None:
    first = records(folder)[0]
    assert first.keys() == {"note_id", "document"}
    assert first["note_id"] == "ccd_tables.xml"
    assert {each["patient_id"] for each in records(folder, by_folder=True)} == {"."}


def test_a_document_alone_is_read_too(folder: Path) -> None:
    source = open_notes(folder / "ccd_tables.xml")
    assert source.count() == 1
    (note,) = source.read()
    assert isinstance(note.message, bytes)
    assert json.loads(note.message)["note_id"] == "ccd_tables.xml"


def test_a_wrong_character_set_is_quarantined(folder: Path) -> None:
    broken = folder / "ccd_tables.xml"
    broken.write_bytes(b'<?xml version="1.0" encoding="UTF-8"?><a>\xe9</a>')
    first = next(iter(TextFolder(folder).read()))
    assert isinstance(first.message, Failed)
    assert first.message.reason is Reason.BAD_DOCUMENT


def test_documents_come_out_as_files(folder: Path, tmp_path: Path) -> None:
    out, documents = tmp_path / "out.jsonl", tmp_path / "documents"
    files = Files(folder, out, documents=documents)
    files.check()
    made = pipeline("surrogate")
    keys = RootKeys(1, {1: ROOT})
    parts = Runtime(made, LetterCounter(), stamp(), cast("Any", None), keys)
    code = asyncio.run(deidentify(files, read_settings({}), parts, MemorySurrogateStore()))
    assert code == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert sorted(path.name for path in documents.iterdir()) == sorted(
        f"{line['note_id']}.xml" for line in lines
    )
    for line in lines:
        written = (documents / f"{line['note_id']}.xml").read_text("utf-8")
        assert written == line["document"]
        assert parse(written).tag == f"{V3}ClinicalDocument"


def test_documents_do_not_lie_in_the_folder_of_the_input(folder: Path, tmp_path: Path) -> None:
    files = Files(folder, tmp_path / "out.jsonl", documents=folder / "inner")
    with pytest.raises(InvalidSettings):
        files.check()
