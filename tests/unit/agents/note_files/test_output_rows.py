"""Outputs as tables: a row for each note that came in, beside columns of the input."""

import asyncio
import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.note_files.note_source import InputNote, NoteSource
from deidstream.agents.note_files.open_notes import InputForm, Reading, open_notes
from deidstream.agents.note_files.output_files import open_outputs
from deidstream.agents.note_files.output_rows import Crosswalk, choose_encoder, output_form
from deidstream.agents.tables.input_columns import encode_row
from deidstream.agents.tables.outcome_rows import OUTCOME_COLUMNS
from deidstream.schemas.errors import InvalidSettings, Reason, Stage
from deidstream.schemas.outcome import Failed, Outcome
from support.pipeline import service
from support.reversible_site import quick
from support.tenants import RULES

TEXT = 'Ms. Rosalind Achterberg said "no",\non 03/04/2024.'
CSV = "ID,PAT,WARD,BODY\n1,7,=A,{0}\n2,7,-B,\n3,,C,{0}\n4,7,D,{0}\n".format(
    '"' + TEXT.replace('"', '""') + '"'
)
NAMES = [column.name for column in OUTCOME_COLUMNS]
STATUS = ["anonymized", "quarantined", "quarantined", "anonymized"]
REASONS = [None, "EMPTY_TEXT", "MISSING_FIELD", None]


def opened(folder: Path, keep: Sequence[str] = ("WARD",)) -> NoteSource:
    (folder / "in.csv").write_text(CSV)
    reading = Reading(columns={"patient_id": "PAT"}, keep=keep)
    return open_notes(folder / "in.csv", reading)


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file, strict=True))


def outcomes_of(notes: Sequence[InputNote]) -> list[Outcome]:
    messages = [note.message for note in notes if isinstance(note.message, bytes)]
    return asyncio.run(service(quick()).run(messages))


def write(source: NoteSource, out: Path) -> Path:
    """Write the outputs of an input in two parts."""
    encoder = choose_encoder(out, source)
    with open_outputs([out], finish={out: encoder.finish}) as handles:
        handles[out].write(encoder.begin())
        notes = list(source.read())
        for part in (notes[:1], notes[1:]):
            handles[out].write(encoder.encode(part, outcomes_of(part)))
    return out


@pytest.mark.parametrize(
    ("name", "delimiter"), [("out.csv", ","), ("out.tsv", "\t"), ("out", ","), ("out.csv.gz", ",")]
)
def test_each_row_has_a_row_in_its_place(tmp_path: Path, name: str, delimiter: str) -> None:
    out = write(opened(tmp_path), tmp_path / name)
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", name}
    written = out.read_bytes()
    text = (gzip.decompress(written) if name.endswith(".gz") else written).decode()
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    assert list(rows[0]) == ["WARD", *NAMES]
    assert [row["WARD"] for row in rows] == ["=A", "-B", "C", "D"]
    assert [row["status"] for row in rows] == STATUS
    assert [row["reason"] or None for row in rows] == REASONS
    assert '"no",\non' in rows[3]["text"]
    assert "Achterberg" not in text


def test_a_parquet_file_has_the_same_rows(tmp_path: Path) -> None:
    source = opened(tmp_path)
    table = pq.read_table(write(source, tmp_path / "out.parquet"))
    assert table.schema.names == ["WARD", *NAMES]
    assert table["WARD"].to_pylist() == ["=A", "-B", "C", "D"]
    assert table["status"].to_pylist() == STATUS
    assert table["reason"].to_pylist() == REASONS
    rows = read_csv(write(source, tmp_path / "out.csv"))
    assert [row["text"] or None for row in rows] == table["text"].to_pylist()
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", "out.csv", "out.parquet"}


def test_columns_of_parquet_keep_their_types(tmp_path: Path) -> None:
    kept = {
        "at": pa.array([10**18 + 1, None], pa.timestamp("ns")),
        "kind": pa.array(["a", "b"]).dictionary_encode(),
        "codes": pa.array([["x"], []]),
        "count": pa.array([1, None]),
    }
    given = pa.table({"note_id": [1, 2], "patient_id": [1, 1], "text": [TEXT, None], **kept})
    pq.write_table(given, tmp_path / "in.parquet")
    source = open_notes(tmp_path / "in.parquet", Reading(keep=tuple(kept)))
    made = pq.read_table(write(source, tmp_path / "out.parquet"))
    for name, column in kept.items():
        assert made[name].slice(1).to_pylist() == column.slice(1).to_pylist(), name
    assert made["at"].type == pa.timestamp("ns")
    assert made["at"].cast(pa.int64())[0].as_py() == 10**18 + 1
    assert made["codes"].to_pylist() == [["x"], []]
    rows = read_csv(write(source, tmp_path / "out.csv"))
    assert [rows[0][name] for name in ("kind", "codes", "count")] == ["a", '["x"]', "1"]


def test_no_columns_and_no_rows_make_a_table_too(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("note_id,patient_id,text\n")
    made = pq.read_table(write(open_notes(tmp_path / "e.csv"), tmp_path / "out.parquet"))
    assert (made.num_rows, made.schema.names) == (0, NAMES)
    table = pq.read_table(write(opened(tmp_path, ()), tmp_path / "out.parquet"))
    assert table.num_rows == 4


def test_fields_of_json_are_kept_as_text(tmp_path: Path) -> None:
    items = [{"note_id": "n", "patient_id": "p", "text": TEXT, "w": w} for w in ("A", 2, [1], None)]
    (tmp_path / "in.json").write_text(json.dumps(items))
    source = open_notes(tmp_path / "in.json", Reading(keep=("w",)))
    made = pq.read_table(write(source, tmp_path / "out.parquet"))
    assert made["w"].to_pylist() == ["A", "2", "[1]", None]
    with pytest.raises(InvalidSettings, match="no table"):
        choose_encoder(tmp_path / "out", source)


def test_the_name_of_an_output_shows_its_form(tmp_path: Path) -> None:
    source = opened(tmp_path)
    forms = {"a.jsonl": InputForm.JSONL, "a.TSV": InputForm.TSV, "a": InputForm.CSV}
    assert {name: output_form(Path(name), source) for name in forms} == forms
    lines = open_notes(Path("-"))
    assert output_form(Path("a"), lines) is InputForm.JSONL
    with pytest.raises(InvalidSettings, match="no table"):
        choose_encoder(Path("a.jsonl"), source)


def test_a_column_with_a_name_of_ours_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("note_id,patient_id,text,status\n")
    source = open_notes(tmp_path / "in.csv", Reading(keep=("status",)))
    for name in ("out.csv", "out.parquet"):
        with pytest.raises(InvalidSettings, match="'status' of their own"):
            choose_encoder(tmp_path / name, source)


def test_a_crosswalk_joins_ids_to_pseudonyms() -> None:
    notes = [
        InputNote(0, encode_row({"note_id": 1, "patient_id": 7, "text": TEXT})),
        InputNote(1, encode_row({"note_id": 2, "patient_id": 7, "text": None})),
        InputNote(2, b'{"resourceType": "Patient", "id": "x", "birthDate": "1951-07-19"}'),
        InputNote(3, b"no"),
    ]
    unread = InputNote(4, Failed(Reason.UNSCANNABLE_ATTACHMENT, Stage.DECODE), name="b/scan.pdf")
    outcomes = outcomes_of(notes)
    made = Crosswalk().encode(
        [*notes, unread], [*outcomes, Failed(Reason.STAGE_FAILED, Stage.KNEO)]
    )
    rows = list(csv.DictReader(io.StringIO((Crosswalk().begin() + made).decode())))
    assert [row["place"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert [row["input_note_id"] for row in rows] == ["1", "2", "Patient/x", "", "b/scan.pdf"]
    assert [bool(row["output_id"]) for row in rows] == [True, False, True, False, False]
    assert rows[0]["input_patient_id"] == "7"
    assert "Achterberg" not in made.decode()


def test_the_command_writes_a_table_and_a_crosswalk_of_its_owner(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(CSV)
    (tmp_path / "policy.toml").write_text(RULES.format("redact"))
    (tmp_path / "who.csv").write_text("before")
    words = [str(tmp_path / "in.csv"), "--policy", str(tmp_path / "policy.toml")]
    words += ["--columns", "patient_id=PAT", "--keep", "WARD", "--out", str(tmp_path / "out")]
    assert main(["deidentify", *words, "--crosswalk", str(tmp_path / "who.csv")]) == 1
    assert (tmp_path / "who.csv").stat().st_mode & 0o777 == 0o600
    who, rows = read_csv(tmp_path / "who.csv"), read_csv(tmp_path / "out")
    assert [row["input_note_id"] for row in who] == ["1", "2", "3", "4"]
    assert [row["note_id"] for row in rows] == [row["note_id"] for row in who]
    assert [row["status"] for row in rows] == STATUS
