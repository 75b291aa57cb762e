"""The table in PostgreSQL: rows and positions change in one transaction."""

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import LiteralString, cast

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from deidstream.agents.tables.note_columns import (
    COLUMNS,
    NAMES,
    Column,
    ColumnForm,
    refuse_other_columns,
)
from deidstream.agents.tables.note_join import NoteState, RowChange, list_retractions
from deidstream.agents.tables.note_table import Positions, Written
from deidstream.agents.tables.output_parts import Row
from deidstream.schemas.errors import DeidError, InvalidSettings, Unavailable
from deidstream.schemas.outcome import Place

_TYPES: Mapping[ColumnForm, LiteralString] = {
    ColumnForm.TEXT: "text",
    ColumnForm.WHOLE: "bigint",
    ColumnForm.NUMBER: "double precision",
    ColumnForm.TEXTS: "text[]",
    ColumnForm.NUMBERS: "jsonb",
    ColumnForm.COUNTS: "jsonb",
}
_MAPS = frozenset({ColumnForm.NUMBERS, ColumnForm.COUNTS})
_COMMENT = "De-identified notes, one row each; written by 'deidstream export postgres'."
_LOCK = 0x64656964
"""First key of the advisory lock that lets one process write; the second is the schema's hash."""


@dataclass(slots=True)
class PostgresTable:
    """The tables ``notes``, ``retracted`` and ``positions`` of a schema."""

    connection: psycopg.Connection
    schema: str

    @classmethod
    def open(cls, url: str, schema: str) -> "PostgresTable":
        """Connect, and create what is missing.

        Raises:
            Unavailable: PostgreSQL cannot be reached, or refuses this user.
            InvalidSettings: The user lacks a right, or another process writes the table.
        """
        try:
            connection = psycopg.connect(url, autocommit=True, application_name="deidstream")
        except psycopg.ProgrammingError:
            msg = "DEIDSTREAM_EXPORT_POSTGRES_URL: is not a URL of PostgreSQL"
            raise InvalidSettings(msg) from None
        except psycopg.OperationalError:
            away = "postgres, or it refuses the user, the password or the database"
            raise Unavailable(away) from None
        table = cls(connection, schema)
        try:
            with table._reporting():
                # Locked first: two processes that start together would both create the tables.
                table._lock()
                table._create()
                table._check()
        except DeidError:
            connection.close()
            raise
        return table

    def positions(self, places: Collection[Place]) -> dict[Place, int]:
        """Return the positions that were stored with the rows.

        Raises:
            Unavailable: The connection is lost.
        """
        query = sql.SQL("SELECT topic, partition, position FROM {}").format(self._name("positions"))
        with self._reporting():
            stored = {(topic, part): at for topic, part, at in self.connection.execute(query)}
        return {place: at for place, at in stored.items() if place in places}

    def find(self, note_ids: Collection[str]) -> dict[str, NoteState]:
        """Return what the table has of each of these notes: its row, else that it is taken back.

        Raises:
            Unavailable: The connection is lost.
        """
        found: dict[str, NoteState] = {}
        for table in ("retracted", "notes"):
            query = sql.SQL(
                "SELECT note_id, output_id, precedence FROM {} WHERE note_id = ANY(%s)"
            ).format(self._name(table))
            with self._reporting():
                fetched = self._fetch(query, [sorted(note_ids)])
            rows = cast("Sequence[tuple[str, str, str | None]]", fetched)
            found |= {row[0]: NoteState(*row[1:], gone=table == "retracted") for row in rows}
        return found

    def apply(self, changes: Sequence[RowChange], positions: Positions) -> Written:
        """Write changes and positions in one transaction.

        Raises:
            Unavailable: The connection is lost; nothing was written, or all of it.
            InvalidSettings: The user lacks a right, or the tables were changed.
        """
        rows = [change.row for change in changes if change.row is not None]
        gone = [change.note_id for change in changes if change.row is None]
        with self._reporting(), self.connection.transaction():
            written = Written(self._upsert(rows), self._delete(gone))
            self._remember(list_retractions(changes))
            self._store(positions)
        return written

    def close(self) -> None:
        """Disconnect, which also unlocks the table."""
        self.connection.close()

    @contextmanager
    def _reporting(self) -> Generator[None]:
        """Report errors in our own words: those of PostgreSQL may quote a row."""
        try:
            yield
        except psycopg.OperationalError:
            raise Unavailable("postgres") from None  # noqa: EM101
        except psycopg.errors.InsufficientPrivilege:
            msg = f"postgres: the user lacks a right on schema {self.schema} (docs/analytics.md)"
            raise InvalidSettings(msg) from None
        except psycopg.Error as error:
            msg = f"postgres: refuses to write schema {self.schema}: {type(error).__name__}"
            raise InvalidSettings(msg) from None

    def _name(self, table: str) -> sql.Identifier:
        return sql.Identifier(self.schema, table)

    def _fetch(self, query: sql.Composed, values: Sequence[object]) -> Sequence[object]:
        return self.connection.execute(query, values).fetchall()

    def _upsert(self, rows: Sequence[Row]) -> int:
        """Write rows; those that are the same already are left as they are."""
        if not rows:
            return 0
        names = sql.SQL(", ").join(map(sql.Identifier, NAMES))
        incoming = sql.SQL("CREATE TEMP TABLE incoming (LIKE {}) ON COMMIT DROP")
        self.connection.execute(incoming.format(self._name("notes")))
        copy = sql.SQL("COPY incoming ({}) FROM STDIN").format(names)
        with self.connection.cursor() as cursor, cursor.copy(copy) as sink:
            for row in rows:
                sink.write_row([column_value(column, row) for column in COLUMNS])
        others = [sql.Identifier(name) for name in NAMES if name != "note_id"]
        update = sql.SQL(
            "INSERT INTO {table} AS kept ({names}) SELECT {names} FROM incoming ORDER BY note_id "
            "ON CONFLICT (note_id) DO UPDATE SET ({others}) = ROW({news}) "
            "WHERE ROW({olds}) IS DISTINCT FROM ROW({news})"
        ).format(
            table=self._name("notes"),
            names=names,
            others=sql.SQL(", ").join(others),
            news=sql.SQL(", ").join(sql.SQL("excluded.{}").format(name) for name in others),
            olds=sql.SQL(", ").join(sql.SQL("kept.{}").format(name) for name in others),
        )
        return self.connection.execute(update).rowcount

    def _delete(self, note_ids: Sequence[str]) -> int:
        query = sql.SQL("DELETE FROM {} WHERE note_id = ANY(%s)").format(self._name("notes"))
        return self.connection.execute(query, [list(note_ids)]).rowcount if note_ids else 0

    def _remember(self, gone: Sequence[RowChange]) -> None:
        query = sql.SQL(
            "INSERT INTO {} (note_id, output_id, precedence) VALUES (%s, %s, %s) ON CONFLICT "
            "(note_id) DO UPDATE SET output_id = excluded.output_id, "
            "precedence = excluded.precedence"
        ).format(self._name("retracted"))
        with self.connection.cursor() as cursor:
            cursor.executemany(
                query, [(one.note_id, one.output_id, one.precedence) for one in gone]
            )

    def _store(self, positions: Positions) -> None:
        query = sql.SQL(
            "INSERT INTO {} (topic, partition, position) VALUES (%s, %s, %s) "
            "ON CONFLICT (topic, partition) DO UPDATE SET position = excluded.position"
        ).format(self._name("positions"))
        values = [(topic, part, at) for (topic, part), at in sorted(positions.items())]
        with self.connection.cursor() as cursor:
            cursor.executemany(query, values)

    def _create(self) -> None:
        """Create schema and tables with their comments, where they are missing."""
        name = self._name("notes").as_string(self.connection)
        found = self.connection.execute("SELECT to_regclass(%s)", [name]).fetchone()
        if found and found[0] is not None:
            return
        columns = sql.SQL(", ").join(map(declare_column, COLUMNS))
        retracted = "note_id text PRIMARY KEY, output_id text NOT NULL, precedence text"
        positions = "topic text, partition integer, position bigint NOT NULL"
        statements = [
            sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(self.schema)),
            sql.SQL("CREATE TABLE {} ({}, PRIMARY KEY (note_id))").format(
                self._name("notes"), columns
            ),
            sql.SQL(f"CREATE TABLE {{}} ({positions}, PRIMARY KEY (topic, partition))").format(
                self._name("positions")
            ),
            sql.SQL(f"CREATE TABLE {{}} ({retracted})").format(self._name("retracted")),
            sql.SQL("COMMENT ON TABLE {} IS {}").format(self._name("notes"), sql.Literal(_COMMENT)),
            *(self._comment(column) for column in COLUMNS),
        ]
        with self.connection.transaction():
            for statement in statements:
                self.connection.execute(statement)

    def _check(self) -> None:
        query = sql.SQL("SELECT * FROM {} LIMIT 0").format(self._name("notes"))
        described = self.connection.execute(query).description or []
        refuse_other_columns(
            f"postgres: table {self.schema}.notes", [one.name for one in described]
        )

    def _comment(self, column: Column) -> sql.Composed:
        name = sql.Identifier(self.schema, "notes", column.name)
        return sql.SQL("COMMENT ON COLUMN {} IS {}").format(name, sql.Literal(column.meaning))

    def _lock(self) -> None:
        locked = self.connection.execute(
            "SELECT pg_try_advisory_lock(%s, hashtext(%s))", [_LOCK, self.schema]
        ).fetchone()
        if not (locked and locked[0]):
            msg = f"postgres: another process writes the tables of schema {self.schema}"
            raise InvalidSettings(msg)


def declare_column(column: Column) -> sql.Composed:
    """Return a column as ``CREATE TABLE`` declares it."""
    needed = sql.SQL("") if column.nullable else sql.SQL(" NOT NULL")
    kind = sql.SQL(_TYPES[column.form])
    return sql.SQL("{} {}{}").format(sql.Identifier(column.name), kind, needed)


def column_value(column: Column, row: Row) -> object:
    """Return the value of a column as PostgreSQL takes it."""
    value = row[column.name]
    return Jsonb(value) if column.form in _MAPS and value is not None else value
