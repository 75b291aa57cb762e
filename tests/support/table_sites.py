"""Every kind of table of notes, and how an analyst reads it."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import duckdb
import psycopg
from deltalake import DeltaTable

from deidstream.agents.tables.delta_table import DeltaNotes
from deidstream.agents.tables.duckdb_table import DuckDbTable
from deidstream.agents.tables.note_columns import NAMES
from deidstream.agents.tables.note_table import NoteTable
from deidstream.agents.tables.parquet_table import ParquetTable
from deidstream.agents.tables.postgres_table import PostgresTable
from support.postgres import Postgres

Rows = list[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class TableSite:
    """Where a table is, and how somebody else reads it."""

    words: tuple[str, ...]
    """What ``deidstream export`` is told."""
    open: Callable[[], NoteTable]
    read: Callable[[], Rows]
    """All rows as an analyst reads them, sorted by note; columns as in ``NAMES``."""
    digest: Callable[[], str]
    """Of all bytes of the rows, or of all that PostgreSQL and DuckDB know of when they changed."""


def files_digest(folder: Path, *patterns: str) -> str:
    files = sorted(path for pattern in patterns for path in folder.glob(pattern))
    told = [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files]
    return sha256(repr(told).encode()).hexdigest()


def by_duckdb(query: str) -> Rows:
    return duckdb.connect().execute(query).fetchall()


def parquet_site(folder: Path) -> TableSite:
    names = ", ".join(f'"{name}"' for name in NAMES)
    source = f"read_parquet('{folder}/notes/*/*.parquet', hive_partitioning = true)"

    def read() -> Rows:
        some = any(folder.glob("notes/*/*.parquet"))
        query = f"SELECT {names} FROM {source} ORDER BY note_id"  # noqa: S608 - our own names
        return by_duckdb(query) if some else []

    return TableSite(
        ("parquet", str(folder)),
        lambda: ParquetTable.open(folder),
        read,
        lambda: files_digest(folder, "notes/*/*"),
    )


def duckdb_site(folder: Path) -> TableSite:
    def read() -> Rows:
        with duckdb.connect(str(folder / "t.duckdb"), read_only=True) as connection:
            return connection.execute("SELECT * FROM notes ORDER BY note_id").fetchall()

    return TableSite(
        ("duckdb", str(folder / "t.duckdb")),
        lambda: DuckDbTable.open(folder / "t.duckdb"),
        read,
        lambda: sha256(repr(read()).encode()).hexdigest(),
    )


def delta_site(folder: Path) -> TableSite:
    def read() -> Rows:
        table = DeltaTable(str(folder)).to_pyarrow_table(columns=list(NAMES))
        rows = table.sort_by("note_id").to_pylist()
        return [tuple(row.values()) for row in rows]

    return TableSite(
        ("delta", str(folder)),
        lambda: DeltaNotes.open(folder),
        read,
        lambda: files_digest(folder, "*/*.parquet"),
    )


def postgres_site(server: Postgres) -> TableSite:
    schema = f"s{uuid4().hex}"

    def query(text: str) -> Rows:
        with psycopg.connect(server.url) as connection:
            return connection.execute(f"{text} {schema}.notes ORDER BY note_id".encode()).fetchall()

    return TableSite(
        ("postgres", schema),
        lambda: PostgresTable.open(server.url, schema),
        lambda: query("SELECT * FROM"),
        lambda: repr(query("SELECT xmin, ctid, * FROM")),
    )


@contextmanager
def opened(site: TableSite) -> Generator[NoteTable]:
    """The table, closed afterwards."""
    table = site.open()
    try:
        yield table
    finally:
        table.close()


def outputs(rows: Rows) -> dict[object, object]:
    """The output of each note; a note has one row."""
    by_name = [dict(zip(NAMES, row, strict=True)) for row in rows]
    assert len({row["note_id"] for row in by_name}) == len(by_name)
    return {row["note_id"]: row["output_id"] for row in by_name}
