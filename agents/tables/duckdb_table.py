"""The table in a DuckDB file: rows and positions change in one transaction."""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false

from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from deidstream.agents.runtime.full_disk import raise_if_full
from deidstream.agents.tables.arrow_rows import arrow_table
from deidstream.agents.tables.note_columns import (
    COLUMNS,
    Column,
    ColumnForm,
    refuse_other_columns,
)
from deidstream.agents.tables.note_join import NoteState, RowChange, list_retractions
from deidstream.agents.tables.note_table import Positions, Written
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.outcome import Place

_TYPES = {
    ColumnForm.TEXT: "VARCHAR",
    ColumnForm.WHOLE: "BIGINT",
    ColumnForm.NUMBER: "DOUBLE",
    ColumnForm.TEXTS: "VARCHAR[]",
    ColumnForm.NUMBERS: "MAP(VARCHAR, DOUBLE)",
    ColumnForm.COUNTS: "MAP(VARCHAR, BIGINT)",
}
_MEMORY = "512MB"
"""Memory that DuckDB may use; what needs more goes to the disk."""


@dataclass(slots=True)
class DuckDbTable:
    """The tables ``notes``, ``retracted`` and ``positions`` of a file."""

    connection: duckdb.DuckDBPyConnection

    @classmethod
    def open(cls, path: Path) -> "DuckDbTable":
        """Open a file, or make it.

        Raises:
            InvalidSettings: It is no file of DuckDB, or another process has it open.
        """
        try:
            connection = duckdb.connect(str(path), config={"memory_limit": _MEMORY})
            connection.execute(_CREATE)
        except duckdb.Error as error:
            raise_if_full(error)
            msg = f"{path}: cannot be opened by DuckDB: {type(error).__name__}; is it in use?"
            raise InvalidSettings(msg) from None
        described = connection.execute("SELECT column_name FROM (DESCRIBE notes)").fetchall()
        try:
            refuse_other_columns(str(path), [name for (name,) in described])
        except InvalidSettings:
            connection.close()
            raise
        for column in COLUMNS:
            meaning = column.meaning.replace("'", "''")
            connection.execute(f"COMMENT ON COLUMN notes.{_quote(column)} IS '{meaning}'")
        return cls(connection)

    def positions(self, places: Collection[Place]) -> dict[Place, int]:
        """Return the positions that were stored with the rows."""
        rows = self.connection.execute("SELECT topic, part, position FROM positions").fetchall()
        stored = {(topic, part): at for topic, part, at in rows}
        return {place: at for place, at in stored.items() if place in places}

    def find(self, note_ids: Collection[str]) -> dict[str, NoteState]:
        """Return what the table has of each of these notes: its row, else that it is taken back."""
        found: dict[str, NoteState] = {}
        for table in ("retracted", "notes"):
            query = (
                f"SELECT note_id, output_id, precedence FROM {table} "  # noqa: S608 - our names
                "WHERE note_id IN (SELECT unnest(?))"
            )
            rows = self.connection.execute(query, [sorted(note_ids)]).fetchall()
            for note_id, output_id, precedence in rows:
                found[note_id] = NoteState(output_id, precedence, gone=table == "retracted")
        return found

    def apply(self, changes: Sequence[RowChange], positions: Positions) -> Written:
        """Write changes and positions in one transaction; rows that are the same stay.

        Raises:
            OSError: There is no room; nothing was written.
        """
        rows = arrow_table(change.row for change in changes if change.row is not None)
        gone = [change.note_id for change in changes if change.row is None]
        with self._transaction():
            written = Written(self._upsert(rows), self._delete(gone))
            self._remember(list_retractions(changes))
            self._store(positions)
        return written

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    @contextmanager
    def _transaction(self) -> Generator[None]:
        self.connection.execute("BEGIN")
        whole = False
        try:
            yield
            self.connection.execute("COMMIT")
            whole = True
        except duckdb.Error as error:
            raise_if_full(error)
            raise
        finally:
            # A commit that failed has ended the transaction.
            with suppress(duckdb.Error):
                if not whole:
                    self.connection.execute("ROLLBACK")

    def _upsert(self, rows: pa.Table) -> int:
        names = ", ".join(_quote(column) for column in COLUMNS)
        self.connection.register("incoming", rows)
        self.connection.execute(
            f"CREATE OR REPLACE TEMP TABLE fresh AS SELECT {names} FROM incoming "  # noqa: S608 - our names
            f"EXCEPT SELECT {names} FROM notes WHERE note_id IN (SELECT note_id FROM incoming)"
        )
        self.connection.unregister("incoming")
        self.connection.execute("DELETE FROM notes WHERE note_id IN (SELECT note_id FROM fresh)")
        inserted = self.connection.execute(
            f"INSERT INTO notes ({names}) SELECT {names} FROM fresh ORDER BY note_id"  # noqa: S608
        ).fetchone()
        return int(inserted[0]) if inserted else 0

    def _delete(self, note_ids: Sequence[str]) -> int:
        query = "DELETE FROM notes WHERE note_id IN (SELECT unnest(?))"
        deleted = self.connection.execute(query, [list(note_ids)]).fetchone()
        return int(deleted[0]) if deleted else 0

    def _remember(self, gone: Sequence[RowChange]) -> None:
        for change in gone:
            self.connection.execute("DELETE FROM retracted WHERE note_id = ?", [change.note_id])
            values = [change.note_id, change.output_id, change.precedence]
            self.connection.execute("INSERT INTO retracted VALUES (?, ?, ?)", values)

    def _store(self, positions: Positions) -> None:
        for (topic, part), at in sorted(positions.items()):
            place = [topic, part]
            self.connection.execute("DELETE FROM positions WHERE topic = ? AND part = ?", place)
            self.connection.execute("INSERT INTO positions VALUES (?, ?, ?)", [*place, at])


def _quote(column: Column) -> str:
    return f'"{column.name}"'


def _declare(column: Column) -> str:
    return f"{_quote(column)} {_TYPES[column.form]}{'' if column.nullable else ' NOT NULL'}"


# No index keeps note_id unique: one process writes, and deletes a row before it inserts it anew.
_CREATE = f"""
CREATE TABLE IF NOT EXISTS notes ({", ".join(map(_declare, COLUMNS))});
CREATE TABLE IF NOT EXISTS retracted (note_id VARCHAR, output_id VARCHAR, precedence VARCHAR);
CREATE TABLE IF NOT EXISTS positions (topic VARCHAR, part INTEGER, position BIGINT NOT NULL);
"""
