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
from deidstream.models.messages.attachments.read_attachment import DOCX, read_attachment
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import InvalidSettings, Reason
from deidstream.schemas.outcome import Failed
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.attachments import make_docx
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


LETTER = {
    "letter.docx": make_docx("Mr. John Smith was seen.", header="MRN 4471923", cell="Rest"),
    "inner/second.docx": make_docx("Mr. John Smith called."),
    "plain.txt": b"Mr. John Smith wrote.",
    "broken.docx": b"PK\x03\x04",
}


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    made = tmp_path / "letters"
    (made / "inner").mkdir(parents=True)
    for name, content in LETTER.items():
        (made / name).write_bytes(content)
    return made


def run_files(files: Files) -> int:
    files.check()
    keys = RootKeys(1, {1: ROOT})
    parts = Runtime(pipeline("surrogate"), LetterCounter(), stamp(), cast("Any", None), keys)
    return asyncio.run(deidentify(files, read_settings({}), parts, MemorySurrogateStore()))


def test_word_documents_come_out_as_word_documents(letters: Path, tmp_path: Path) -> None:
    out, documents = tmp_path / "out.jsonl", tmp_path / "documents"
    quarantine = tmp_path / "quarantine.jsonl"
    assert run_files(Files(letters, out, None, None, quarantine, documents=documents)) == 1
    records_out = map(json.loads, out.read_text("utf-8").splitlines())
    texts = {line["note_id"]: line["text"] for line in records_out}
    written = {path.stem: path for path in documents.iterdir()}
    assert len(texts) == 3
    assert len(written) == 2
    for name, path in written.items():
        assert path.suffix == ".docx"
        assert read_attachment(path.read_bytes(), DOCX) == texts[name]
        assert b"4471923" not in path.read_bytes()
        assert "Smith" not in texts[name]
    assert len(quarantine.read_text("utf-8").splitlines()) == 1


def test_a_word_document_alone_is_read_too(letters: Path) -> None:
    (note,) = open_notes(letters / "letter.docx").read()
    assert isinstance(note.message, bytes)
    assert json.loads(note.message)["text"].startswith("MRN 4471923")


def test_one_that_cannot_be_written_is_quarantined_whole(
    letters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bytes:
        raise UnscannableAttachment(AttachmentFault.NOT_WRITTEN)

    monkeypatch.setattr("deidstream.agents.note_files.files.write_docx", refuse)
    out, documents = tmp_path / "out.jsonl", tmp_path / "documents"
    quarantine = tmp_path / "quarantine.jsonl"
    assert run_files(Files(letters, out, None, None, quarantine, documents=documents)) == 1
    assert list(documents.iterdir()) == []
    assert len(out.read_text("utf-8").splitlines()) == 1
    rows = [json.loads(line) for line in quarantine.read_text("utf-8").splitlines()]
    assert [row["reason"] for row in rows] == [Reason.UNSCANNABLE_ATTACHMENT] * 3
    assert sorted(row["attachment"] for row in rows) == ["malformed", "not_written", "not_written"]


def test_documents_do_not_lie_in_the_folder_of_the_input(folder: Path, tmp_path: Path) -> None:
    files = Files(folder, tmp_path / "out.jsonl", documents=folder / "inner")
    with pytest.raises(InvalidSettings):
        files.check()
