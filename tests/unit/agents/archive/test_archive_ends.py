"""Where archives come from and go to: the rows are the same, and a shard is committed once."""

import json
import traceback
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from deidstream.agents.archive.delta_sink import DeltaSink
from deidstream.agents.archive.file_sinks import JSONL, PARQUET, FileSink
from deidstream.agents.archive.postgres_sink import PostgresSink
from deidstream.agents.archive.query_notes import QueryNotes
from deidstream.agents.archive.shard_rows import DUPLICATE, ShardRows
from deidstream.agents.archive.shard_sink import ShardSink
from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.note_files.open_notes import InputForm, find_form, open_notes
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from support.archives import make_rows
from support.output_records import SampleNote, changes_of
from support.postgres import Postgres

pytestmark = pytest.mark.slow
JOB = "0123456789abcdef"


def shard_rows(first: int) -> ShardRows:
    rows = ShardRows()
    changes = changes_of([SampleNote(number) for number in range(first, first + 4)])
    rows.notes = [change.row for change in changes if change.row is not None]
    rows.add([InputNote(first + 9, DUPLICATE)], [DUPLICATE])
    rows.add_superseded(first + 8)
    rows.finish()
    return rows


def assert_kept(sink: ShardSink) -> None:
    sink.prepare()
    sink.prepare()
    first, second = shard_rows(0), shard_rows(100)
    sink.commit(3, first)
    sink.commit(5, second)
    sink.commit(3, first)
    for shard, rows in ((3, first), (5, second)):
        read = sink.read(shard, [])
        assert sorted(str(row["note_id"]) for row in read.notes) == [
            row["note_id"] for row in rows.notes
        ]
        by_place = sorted(read.others, key=lambda row: str(row["place"]))
        assert [{**row} for row in by_place] == sorted(
            rows.others, key=lambda row: str(row["place"])
        )
        record = rows.record(shard, JOB, 0.0)
        again = ShardRows(notes=[*read.notes], others=[*read.others])
        assert again.record(shard, JOB, 0.0).digest == record.digest
    assert not sink.read(4, []).notes


@pytest.mark.parametrize("form", [PARQUET, JSONL], ids=["parquet", "jsonl"])
def test_files_keep_shards(tmp_path: Path, form: object) -> None:
    assert form in (PARQUET, JSONL)
    assert_kept(FileSink(tmp_path, JOB, PARQUET if form is PARQUET else JSONL))


def test_delta_keeps_shards_in_one_commit_each(tmp_path: Path) -> None:
    assert_kept(DeltaSink(tmp_path, JOB))
    assert DeltaTable(str(tmp_path / "notes")).version() == 2


@pytest.mark.parametrize("kind", ["files", "delta"])
def test_outputs_of_two_jobs_are_not_mixed(tmp_path: Path, kind: str) -> None:
    def open_sink(fingerprint: str) -> ShardSink:
        if kind == "delta":
            return DeltaSink(tmp_path, fingerprint)
        return FileSink(tmp_path, fingerprint, PARQUET)

    first = open_sink(JOB)
    first.prepare()
    first.commit(0, shard_rows(0))
    first.prepare()
    with pytest.raises(InvalidSettings, match="another job"):
        open_sink("f" * 16).prepare()


def test_another_delta_table_is_refused(tmp_path: Path) -> None:
    write_deltalake(str(tmp_path / "notes"), pa.table({"a": [1]}))
    with pytest.raises(InvalidSettings, match="another table"):
        DeltaSink(tmp_path, JOB).prepare()


@pytest.mark.postgres
def test_postgres_keeps_shards_and_not_those_of_two_jobs(postgres: Postgres) -> None:
    sink = PostgresSink.open(postgres.url, "archive", JOB)
    assert_kept(sink)
    sink.connection.close()
    other = PostgresSink.open(postgres.url, "archive", "other")
    with pytest.raises(InvalidSettings, match="another job"):
        other.commit(0, shard_rows(0))
    assert not other.read(0, []).others
    other.connection.close()


def test_a_line_of_jsonl_has_the_columns_of_the_table(tmp_path: Path) -> None:
    sink = FileSink(tmp_path, JOB, JSONL)
    sink.prepare()
    rows = shard_rows(0)
    sink.commit(0, rows)
    lines = sink.path("notes", 0).read_text().splitlines()
    assert [json.loads(line) for line in lines] == json.loads(json.dumps(rows.notes))


def test_a_delta_table_is_read_as_it_is_when_it_is_opened(tmp_path: Path) -> None:
    path, rows = tmp_path / "table", make_rows(5)
    write_deltalake(str(path), pa.Table.from_pylist(rows[:3]))
    write_deltalake(str(path), pa.Table.from_pylist(rows[3:]), mode="append")
    DeltaTable(str(path)).delete("note_id = 'note-1'")
    assert find_form(path) is InputForm.DELTA
    source = open_notes(path)
    write_deltalake(str(path), pa.Table.from_pylist(rows[:1]), mode="append")
    read = [json.loads(note.message) for note in source.read() if isinstance(note.message, bytes)]
    assert source.count() == 4
    assert sorted(read, key=lambda row: str(row["note_id"])) == [rows[0], *rows[2:]]


def test_the_rows_of_a_query_are_notes(tmp_path: Path) -> None:
    path, rows = tmp_path / "ehr.duckdb", make_rows(3)
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE docs (id VARCHAR, patient VARCHAR, body VARCHAR)")
        connection.executemany(
            "INSERT INTO docs VALUES (?, ?, ?)", [[*row.values()] for row in rows]
        )
    source = QueryNotes.open(path, "SELECT * FROM docs ORDER BY id", {"note_id": "id"})
    read = [json.loads(note.message) for note in source.read() if isinstance(note.message, bytes)]
    assert source.count() == 3
    assert read == rows


def test_a_query_that_is_refused_is_not_quoted(tmp_path: Path) -> None:
    path = tmp_path / "ehr.duckdb"
    duckdb.connect(str(path)).close()
    with pytest.raises(InvalidSettings, match="refuses it: CatalogException"):
        QueryNotes.open(path, "SELECT * FROM achterberg", {})
    with pytest.raises(MissingArtefact, match="cannot be opened"):
        QueryNotes.open(tmp_path / "none.duckdb", "SELECT 1", {})


def test_a_value_that_a_query_cannot_convert_is_not_quoted(tmp_path: Path) -> None:
    path = tmp_path / "notes.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE docs AS SELECT 'Seen by Ann Achterberg.' AS body")
    query = "SELECT 1 AS note_id, 2 AS patient_id, CAST(body AS INTEGER) AS text FROM docs"
    source = QueryNotes.open(path, query, {})
    with pytest.raises(InvalidSettings) as refused:
        list(source.read())
    assert "Achterberg" not in "".join(traceback.format_exception(refused.value))


@pytest.mark.postgres
def test_the_rows_of_postgres_are_notes(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "PGHOST": "127.0.0.1",
        "PGPORT": str(postgres.port),
        "PGUSER": "owner",
        "PGDATABASE": "postgres",
    }.items():
        monkeypatch.setenv(name, value)
    query = "SELECT n AS id, 7 AS patient_id, 'Seen by Dr. Ann Jones.' AS body "
    query += "FROM generate_series(1, 3) AS n;"
    source = QueryNotes.open(Path("postgres"), query, {})
    read = [json.loads(note.message) for note in source.read() if isinstance(note.message, bytes)]
    assert source.count() == 3
    assert [(row["note_id"], row["patient_id"]) for row in read] == [
        ("1", "7"),
        ("2", "7"),
        ("3", "7"),
    ]
    wrong = "SELECT 1 AS id, 7 AS patient_id, ('Seen by Ann Achterberg. ' || n)::int AS body "
    source = QueryNotes.open(Path("postgres"), wrong + "FROM generate_series(1, 3) AS n", {})
    with pytest.raises(InvalidSettings) as refused:
        list(source.read())
    assert "Achterberg" not in "".join(traceback.format_exception(refused.value))
