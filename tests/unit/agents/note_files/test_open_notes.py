"""Inputs of every form: what is read of them, and what is refused."""

import bz2
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deidstream.agents.note_files import delimited_notes
from deidstream.agents.note_files.note_source import NoteSource
from deidstream.agents.note_files.open_notes import InputForm, Reading, open_notes
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.documents.attachment import AttachmentFault
from deidstream.schemas.errors import InvalidSettings, MissingArtefact, Rejected
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Failed

HEAD = "ID,PATIENT_ID,WARD,NOTE_TEXT\n"
TEXTS = ['He said "no", twice.', "Two\nlines; here", "=1+1", "-5 since Übelkeit"]
ROWS = HEAD + "".join(
    f'{number},p1,W{number},"{text.replace(chr(34), 2 * chr(34))}"\n'
    for number, text in enumerate(TEXTS)
)


def notes(source: NoteSource) -> list[RawNote | str]:
    """The notes, or why one is none."""
    found: list[RawNote | str] = []
    for number, each in enumerate(source.read()):
        assert each.place == number
        assert len(each.kept) == len(source.keep)
        if isinstance(each.message, Failed):
            found.append(each.message.fault or each.message.reason)
            continue
        try:
            found.append(read_message(each.message))
        except Rejected as rejected:
            found.append(rejected.reason)
    return found


def texts(source: NoteSource) -> list[str]:
    return [each.text if isinstance(each, RawNote) else each for each in notes(source)]


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("name", "pack"),
    [("n.csv", bytes), ("n.csv.gz", gzip.compress), ("N.CSV", bytes), ("n.csv.zst", None)],
)
def test_rows_of_csv_are_notes(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes] | None
) -> None:
    if pack is None:
        with pa.CompressedOutputStream(str(tmp_path / name), "zstd") as file:
            file.write(ROWS.encode())
        path = tmp_path / name
    else:
        path = write(tmp_path, name, pack(ROWS.encode()))
    source = open_notes(path, Reading(keep=("WARD",)))
    assert (source.unit, source.count()) == ("row", 4)
    assert texts(source) == TEXTS
    assert [each.kept for each in source.read()] == [("W0",), ("W1",), ("W2",), ("W3",)]
    assert notes(source)[3] == RawNote("3", "p1", TEXTS[3])


def test_the_columns_are_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = open_notes(write(tmp_path, "n.csv", ROWS), Reading(columns={"note_type": "WARD"}))
    source.count()
    (said,) = capsys.readouterr().err.splitlines()
    assert "note_id=ID, patient_id=PATIENT_ID, text=NOTE_TEXT, note_type=WARD" in said
    assert "','" in said


@pytest.mark.parametrize("delimiter", [";", "|", "\t"])
def test_the_header_shows_the_delimiter(tmp_path: Path, delimiter: str) -> None:
    head, row = HEAD.replace(",", delimiter), delimiter.join(["1", "2", "3", "a, b, c, d, e"])
    name = "n.tsv" if delimiter == "\t" else "n.csv"
    assert texts(open_notes(write(tmp_path, name, f"{head}{row}\n"))) == ["a, b, c, d, e"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_ends_of_lines_do_not_matter(tmp_path: Path, end: str) -> None:
    rows = (HEAD + "1,2,3,a\n\n2,2,3,b").replace("\n", end)
    source = open_notes(write(tmp_path, "n.csv", rows))
    assert (source.count(), texts(source)) == (2, ["a", "b"])


def test_a_mark_of_utf8_is_no_part_of_a_name(tmp_path: Path) -> None:
    assert len(texts(open_notes(write(tmp_path, "n.csv", ROWS.encode("utf-8-sig"))))) == 4


def test_other_encodings_are_stated_or_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "n.csv", ROWS.encode("cp1252"))
    with pytest.raises(MissingArtefact, match="--encoding cp1252") as refused:
        open_notes(path).count()
    assert "belkeit" not in str(refused.value)
    assert texts(open_notes(path, Reading(encoding="cp1252"))) == TEXTS
    assert texts(open_notes(path, Reading(encoding="utf-8"))) == [*TEXTS[:3], "BAD_UTF8"]
    undefined = write(tmp_path, "u.csv", HEAD.encode() + b"1,2,3,a\x81b\n2,2,3,c\n")
    assert texts(open_notes(undefined, Reading(encoding="cp1252"))) == ["BAD_UTF8", "c"]
    with pytest.raises(MissingArtefact, match="UTF-16"):
        open_notes(write(tmp_path, "w.csv", ROWS.encode("utf-16")))


def test_a_torn_row_is_quarantined_and_those_behind_it_are_read(tmp_path: Path) -> None:
    torn = "1,2,3,a, b\n2,2\n" + '3,2,3,"a" b\n' + '4,2,3,good\n5,2,3,"open\n'
    source = open_notes(write(tmp_path, "n.csv", HEAD + torn))
    assert texts(source) == ["WRONG_TYPE", "WRONG_TYPE", "WRONG_TYPE", "good", "WRONG_TYPE"]
    assert source.count() == 5


def test_a_quote_that_stays_open_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delimited_notes, "_LONGEST_CELL", 1_000)
    rows = HEAD + '1,2,3,"Zyxwv\n' + "1,2,3,x\n" * 1_000
    with pytest.raises(MissingArtefact, match="a quote left open") as refused:
        open_notes(write(tmp_path, "n.csv", rows)).count()
    assert "Zyxwv" not in str(refused.value)


def test_without_a_header_no_cell_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings) as refused:
        open_notes(write(tmp_path, "n.csv", "17,Rosalind Achterberg,x,Seen today.\n"))
    assert "Achterberg" not in str(refused.value)
    with pytest.raises(MissingArtefact, match="no header"):
        open_notes(write(tmp_path, "e.csv", ""))


FIRST = {"note_id": 17, "patient_id": 2, "text": 'a "b" [c], {d}', "known": {"names": ["Zyxwv"]}}
ITEMS = [
    FIRST,
    {"note_id": "n2", "patient_id": "p", "text": "second"},
    [1],
    {"note_id": "n3", "patient_id": True, "text": "third"},
    {"resourceType": "Patient", "id": "x", "birthDate": "1951-07-19"},
]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("most", [3, 1 << 20])
def test_a_list_of_json_is_read_piece_by_piece(
    tmp_path: Path, indent: int | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deidstream.agents.note_files.json_notes._FIRST_CHARACTERS", most)
    source = open_notes(write(tmp_path, "n.json", f"\ufeff {json.dumps(ITEMS, indent=indent)} \n"))
    assert source.count() == 5
    first, second, third, fourth, resource = notes(source)
    assert isinstance(first, RawNote)
    assert (first.note_id, first.patient_id, first.text) == ("17", "2", FIRST["text"])
    assert first.known.names == ("Zyxwv",)
    assert isinstance(second, RawNote)
    assert (third, fourth) == ("BAD_JSON", "WRONG_TYPE")
    assert isinstance(resource, RawNote)
    assert resource.form is not None


@pytest.mark.parametrize("text", ["[1 2]", "[", '[{"a": 1}', "[1,", '[{"a" 1}]', ""])
def test_what_is_no_list_is_refused(tmp_path: Path, text: str) -> None:
    source = open_notes(write(tmp_path, "n.txt", text), Reading(form=InputForm.JSON))
    with pytest.raises(MissingArtefact, match="no list of JSON"):
        source.count()


def test_an_empty_list_has_no_notes(tmp_path: Path) -> None:
    assert open_notes(write(tmp_path, "n.json", " [ ] ")).count() == 0


def test_lines_in_a_file_named_json_are_lines(tmp_path: Path) -> None:
    line = json.dumps({"note_id": "n", "patient_id": "p", "text": "x"})
    source = open_notes(write(tmp_path, "n.json", f"{line}\n\n{line}\n"))
    assert (source.unit, source.count()) == ("line", 2)
    assert [each.place for each in source.read()] == [0, 2]
    assert [each.message for each in source.read()] == [line.encode()] * 2


@pytest.mark.parametrize("name", ["n.json", "n.jsonl"])
def test_fields_of_json_have_the_names_that_are_stated(tmp_path: Path, name: str) -> None:
    item = {"ID": 5, "patient_id": "p", "BODY": "x", "WARD": "W", "known": {"names": ["Zyxwv"]}}
    written = json.dumps([item] if name == "n.json" else item)
    reading = Reading(columns={"note_id": "ID", "text": "BODY"}, keep=("WARD",))
    source = open_notes(write(tmp_path, name, written), reading)
    (note,) = notes(source)
    assert isinstance(note, RawNote)
    assert (note.note_id, note.text, note.known.names) == ("5", "x", ("Zyxwv",))
    assert [each.kept for each in source.read()] == [("W",)]
    with pytest.raises(InvalidSettings, match="not kept"):
        open_notes(tmp_path / name, Reading(keep=("text",)))


def test_rows_of_parquet_are_notes(tmp_path: Path) -> None:
    table = pa.table({"id": [1, 2], "subject_id": [7, None], "text": ["a", "b"], "w": [None, 1.5]})
    pq.write_table(table, tmp_path / "n.parquet")
    source = open_notes(tmp_path / "n.parquet", Reading(keep=("w",)))
    assert (source.unit, source.count()) == ("row", 2)
    assert notes(source) == [RawNote("1", "7", "a"), "MISSING_FIELD"]
    assert [each.kept for each in source.read()] == [(None,), (1.5,)]
    parts = tmp_path / "parts"
    parts.mkdir()
    for number in range(2):
        pq.write_table(table, parts / f"part-{number}.parquet")
    assert open_notes(parts).count() == 4
    pq.write_table(table.drop_columns(["w"]), parts / "part-2.parquet")
    with pytest.raises(MissingArtefact, match="other columns"):
        open_notes(parts)
    with pytest.raises(MissingArtefact, match="cannot be read"):
        open_notes(write(tmp_path, "bad.parquet", "no"))


def test_files_of_a_folder_are_notes(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "b").mkdir(parents=True)
    write(folder, "b/2.txt", "two".encode("utf-16"))
    write(folder, "a.html", "<p>one</p>")
    write(folder, "c.csv", ROWS)
    write(folder, "d.txt", " ")
    write(folder, "e.bz2", bz2.compress(b"x"))
    write(folder, ".hidden.txt", "x")
    source = open_notes(folder)
    assert (source.unit, source.count()) == ("file", 5)
    unknown, empty = AttachmentFault.UNKNOWN_TYPE, AttachmentFault.EMPTY
    one, two = RawNote("a.html", "a.html", "one"), RawNote("b/2.txt", "b/2.txt", "two")
    assert notes(source) == [one, two, unknown, empty, unknown]
    together = notes(open_notes(folder, Reading(by_folder=True)))
    assert [each.patient_id for each in together if isinstance(each, RawNote)] == [".", "b"]


def test_stdin_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def feed(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))

    feed(ROWS.encode())
    source = open_notes(Path("-"), Reading(form=InputForm.CSV))
    assert source.count() is None
    assert texts(source) == TEXTS
    feed(gzip.compress(ROWS.encode("cp1252")))
    assert texts(open_notes(Path("-"), Reading(form=InputForm.CSV)))[3] == "BAD_UTF8"
    feed(json.dumps(ITEMS[1]).encode())
    assert texts(open_notes(Path("-"))) == ["second"]


@pytest.mark.parametrize(
    ("name", "reading", "said"),
    [
        ("", Reading(columns={"text": "a"}), "a folder of files has no columns"),
        ("n.jsonl", Reading(by_folder=True), "--patients"),
        ("n.jsonl", Reading(encoding="utf-8"), "--encoding"),
        ("n.csv", Reading(columns={"text": "BODY"}), "no columns 'BODY'"),
        ("n.csv", Reading(keep=("NOTE_TEXT",)), "not kept"),
    ],
)
def test_what_a_form_has_not_is_refused(
    tmp_path: Path, name: str, reading: Reading, said: str
) -> None:
    write(tmp_path, "n.csv", ROWS)
    write(tmp_path, "n.jsonl", "{}\n")
    with pytest.raises(InvalidSettings, match=said):
        open_notes(tmp_path / name, reading)
