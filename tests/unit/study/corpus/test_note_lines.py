"""A table stands for JSONL: what measures it comes to the same figures."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pytest
from deltalake import write_deltalake

from deidstream.agents.cli.main import main
from deidstream.study.corpus.note_lines import NoteLines
from support.archives import write_csv, write_parquet

TEXT = "Mr. Quentin Vanterpool was seen in Zell."
NOTES: Sequence[dict[str, Any]] = [
    {
        "note_id": f"n{number}",
        "patient_id": f"p{number}",
        "text": f"{TEXT} Day {number}.",
        "spans": [{"start": 4, "end": 22, "type": "PATIENT"}],
    }
    for number in range(5)
]
PREDICTED = [{"note_id": "n1", "spans": [{"start": 4, "end": 22, "label": "PATIENT"}]}]


def write_lines(path: Path, rows: Sequence[object]) -> Path:
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def write_jsonl(folder: Path) -> Path:
    return write_lines(folder / "gold.jsonl", NOTES)


def write_delta(folder: Path) -> Path:
    write_deltalake(str(folder / "gold"), pa.Table.from_pylist([*NOTES]))
    return folder / "gold"


def write_csv_rows(folder: Path) -> Path:
    rows = [note | {"spans": json.dumps(note["spans"])} for note in NOTES]
    return write_csv(folder / "gold.csv", rows)


TABLES: dict[str, Callable[[Path], Path]] = {
    "parquet": lambda folder: write_parquet(folder / "gold.parquet", NOTES),
    "delta": write_delta,
    "csv": write_csv_rows,
}


def figures(folder: Path, gold: Path) -> dict[str, Any]:
    predicted = write_lines(folder / "spans.jsonl", PREDICTED)
    out = folder / "figures.json"
    words = ["evaluate", str(gold), "--predictions", str(predicted), "--json", str(out)]
    assert main(words) == 0
    read: dict[str, Any] = orjson.loads(out.read_bytes())
    return {name: value for name, value in read.items() if "gold" not in name}


@pytest.mark.parametrize("form", TABLES)
def test_a_table_is_scored_as_lines_are(tmp_path: Path, form: str) -> None:
    wanted = figures(tmp_path, write_jsonl(tmp_path))
    assert figures(tmp_path, TABLES[form](tmp_path)) == wanted


@pytest.mark.parametrize("form", TABLES)
def test_a_table_is_attacked_as_lines_are(tmp_path: Path, form: str) -> None:
    found: list[Any] = []
    for originals in (write_jsonl(tmp_path), TABLES[form](tmp_path)):
        out = tmp_path / "attack.json"
        assert main(["attack", "jaccard", str(originals), str(originals), "--json", str(out)]) == 0
        found.append(orjson.loads(out.read_bytes())["found_at_1"])
    assert found[0] == found[1]


def test_a_table_without_spans_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = [{name: note[name] for name in ("note_id", "patient_id", "text")} for note in NOTES]
    table = write_parquet(tmp_path / "notes.parquet", bare)
    predicted = write_lines(tmp_path / "spans.jsonl", PREDICTED)
    assert main(["evaluate", str(table), "--predictions", str(predicted)]) == 78
    assert "no columns 'spans'" in capsys.readouterr().err


def test_rows_that_are_no_note_are_named_by_their_place(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("ID,MRN,TEXT\n1,7\n2,7,Seen.\n")
    torn, other = NoteLines.open(path).read()
    assert torn == (0, b"")
    assert (other[0], orjson.loads(other[1])["text"]) == (1, "Seen.")


def test_spans_that_are_no_json_cost_their_note_alone(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    path.write_text("note_id,patient_id,text,spans\n1,7,Seen.,no json\n2,7,Seen.,[]\n")
    lines = [orjson.loads(line) for _, line in NoteLines.open(path, labelled=True).read()]
    assert [line["spans"] for line in lines] == [None, []]
    assert NoteLines.open(path, labelled=True).count() == 2
