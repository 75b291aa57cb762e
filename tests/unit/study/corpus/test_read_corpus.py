import gzip
from pathlib import Path

import orjson
import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.release_ids import patient_pseudonym
from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.schemas.note import RawNote
from deidstream.study.corpus.read_corpus import (
    CorpusForm,
    Donor,
    Unreadable,
    count_notes,
    read_corpus,
)

ROOT = bytes(range(32))


def line(**changes: object) -> bytes:
    plain = {"note_id": "n1", "patient_id": "p1", "text": "She is well."}
    return orjson.dumps(plain | changes)


def read(path: Path, form: CorpusForm) -> list[RawNote]:
    return list(read_corpus([path], form, Unreadable()))


def test_a_line_that_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(b"\n".join([line(), b"", b'{"secret', line(note_id=None), line(text="Two.")]))
    unreadable = Unreadable()
    notes = list(read_corpus([path], CorpusForm(), unreadable))
    assert [note.text for note in notes] == ["She is well.", "Two."]
    assert unreadable.count == 2
    assert [place.removeprefix(f"{path}: ").split(":")[0] for place in unreadable.places] == [
        "line 3",
        "line 4",
    ]
    assert "secret" not in repr(unreadable)
    assert count_notes([path]) == 4
    with pytest.raises(Refused, match="line 3"):
        read(path, CorpusForm(strict=True))


def test_a_note_keeps_the_type_that_it_states(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(b"\n".join([line(note_type="Discharge summary"), line(note_id="n2")]))
    assert [note.note_type for note in read(path, CorpusForm())] == ["Discharge summary", None]


def test_the_donor_of_a_line_is_its_patient_of_its_release(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl.gz"
    path.write_bytes(gzip.compress(line() + b"\n" + line(policy={"release": "study 7"})))
    assert [n.patient_id for n in read(path, CorpusForm())] == ["p1", "study 7 p1"]
    assert {n.patient_id for n in read(path, CorpusForm(Donor.NONE))} == {""}


def test_the_donor_of_a_site_id_is_the_pseudonym_that_the_stream_gives(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(line(tenant="north"))
    (note,) = read(path, CorpusForm(Donor.KEYED, root=ROOT, key_version=3))
    assert note.patient_id == patient_pseudonym(Keyring(ROOT, 3, "north"), "p1")


def test_text_files_are_read_by_name_and_none_is_named_in_an_index(tmp_path: Path) -> None:
    for name, content in (("b/smith.txt", b"Two."), ("a.txt", b"One."), ("b/c.txt", b"Three.")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    (tmp_path / "empty.txt").write_bytes(b" ")
    unreadable = Unreadable()
    notes = list(read_corpus([tmp_path], CorpusForm(), unreadable))
    assert [note.text for note in notes] == ["One.", "Three.", "Two."]
    assert unreadable.reasons == {"BAD_UTF8": 1, "EMPTY": 1}
    assert len({note.patient_id for note in notes}) == 3
    assert not any("smith" in note.patient_id for note in notes)
    by_folder = read(tmp_path, CorpusForm(Donor.FOLDER))
    assert len({note.patient_id for note in by_folder}) == 2


def test_a_folder_without_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match="holds no"):
        count_notes([tmp_path])
