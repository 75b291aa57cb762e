"""The rows of a query as notes: of a file of DuckDB, or of PostgreSQL."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import duckdb
import psycopg

from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.runtime.terminal import say
from deidstream.agents.tables.input_columns import InputColumns, encode_row
from deidstream.schemas.errors import InvalidSettings, MissingArtefact, Unavailable

POSTGRES = Path("postgres")
"""Stands for the database that PGHOST, PGUSER, PGPASSWORD, PGSERVICE and so on name."""
_ROWS = 1_024


class QueryRows(Protocol):
    """The rows of a query, as values of Python."""

    @property
    def names(self) -> Sequence[str]:
        """The names of its columns."""
        ...

    def count(self) -> int:
        """Return the number of rows."""
        ...

    def read(self) -> Iterator[Sequence[object]]:
        """Yield the rows."""
        ...


@dataclass(frozen=True, slots=True)
class QueryNotes:
    """A note in each row of a query."""

    rows: QueryRows
    columns: InputColumns
    keep: Sequence[str] = ()
    unit: str = field(default="row", init=False)

    @classmethod
    def open(cls, path: Path, query: str, stated: Mapping[str, str]) -> "QueryNotes":
        """Ask for the columns.

        Args:
            path: A file of DuckDB, or ``POSTGRES``.
            query: In SQL.
            stated: Columns by the field that they have; others are guessed.

        Raises:
            InvalidSettings: The query is refused, or a column is missing.
            MissingArtefact: The file cannot be read.
            Unavailable: PostgreSQL cannot be reached.
        """
        in_postgres = path == POSTGRES
        rows: QueryRows = PostgresRows.open(query) if in_postgres else DuckDbRows.open(path, query)
        columns = InputColumns.guess(rows.names, stated)
        columns.check(rows.names)
        named = ", ".join(f"{name}={column}" for name, column in columns.named().items())
        say(f"columns: {named} (--columns states others)")
        return cls(rows, columns)

    def count(self) -> int | None:
        """Return the number of rows."""
        return self.rows.count()

    def read(self) -> Iterator[InputNote]:
        """Yield the rows."""
        places = {name: at for at, name in enumerate(self.rows.names)}
        fields = {name: places[column] for name, column in self.columns.named().items()}
        for number, row in enumerate(self.rows.read()):
            yield InputNote(number, encode_row({name: row[at] for name, at in fields.items()}))


@dataclass(frozen=True, slots=True)
class DuckDbRows:
    """The rows of a query to a file of DuckDB."""

    path: Path
    query: str
    names: Sequence[str]

    @classmethod
    def open(cls, path: Path, query: str) -> "DuckDbRows":
        """Ask for the columns.

        Raises:
            MissingArtefact: The file cannot be read.
            InvalidSettings: The query is refused.
        """
        with _querying_duckdb(path) as connection:
            described = connection.execute(f"DESCRIBE {query}").fetchall()
        return cls(path, query, [str(row[0]) for row in described])

    def count(self) -> int:
        """Return the number of rows.

        Raises:
            MissingArtefact: The file cannot be read.
            InvalidSettings: The query is refused.
        """
        with _querying_duckdb(self.path) as connection:
            # The query is that of whoever runs the command.
            counted = connection.execute(f"SELECT count(*) FROM ({self.query})").fetchone()  # noqa: S608
        return int(counted[0]) if counted else 0

    def read(self) -> Iterator[Sequence[object]]:
        """Yield the rows.

        Raises:
            MissingArtefact: The file cannot be read.
            InvalidSettings: The query is refused, as by a value that cannot be converted.
        """
        with _querying_duckdb(self.path) as connection:
            found = connection.execute(self.query)
            while rows := found.fetchmany(_ROWS):
                yield from rows


@dataclass(frozen=True, slots=True)
class PostgresRows:
    """The rows of a query to PostgreSQL, all of one snapshot."""

    query: str
    names: Sequence[str]

    @classmethod
    def open(cls, query: str) -> "PostgresRows":
        """Ask for the columns.

        Raises:
            Unavailable: PostgreSQL cannot be reached.
            InvalidSettings: The query is refused.
        """
        with _querying_postgres() as connection:
            found = connection.execute(_inner("SELECT * FROM ({}) AS notes LIMIT 0", query))
            return cls(query, [column.name for column in found.description or []])

    def count(self) -> int:
        """Return the number of rows.

        Raises:
            Unavailable: PostgreSQL cannot be reached.
            InvalidSettings: The query is refused.
        """
        with _querying_postgres() as connection:
            counted = connection.execute(_inner("SELECT count(*) FROM ({}) AS notes", self.query))
            return int(str((counted.fetchone() or (0,))[0]))

    def read(self) -> Iterator[Sequence[object]]:
        """Yield the rows.

        Raises:
            Unavailable: The connection is lost.
            InvalidSettings: The query is refused, as by a value that cannot be converted.
        """
        with _querying_postgres() as connection, connection.cursor("archive") as cursor:
            cursor.itersize = _ROWS
            cursor.execute(_inner("{}", self.query))
            yield from cursor


@contextmanager
def _querying_duckdb(path: Path) -> Generator[duckdb.DuckDBPyConnection]:
    """Connect, and report errors in our own words: those of the database may quote a row."""
    try:
        connection = duckdb.connect(str(path), read_only=True)
    except duckdb.Error as error:
        msg = f"{path}: cannot be opened by DuckDB: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    with closing(connection):
        try:
            yield connection
        except duckdb.Error as error:
            raise _refuse_query(error) from None


@contextmanager
def _querying_postgres() -> Generator[psycopg.Connection[tuple[object, ...]]]:
    """Connect, and report errors in our own words: those of the database may quote a row."""
    try:
        with psycopg.connect("", application_name="deidstream archive") as connection:
            yield connection
    except psycopg.OperationalError:
        away = "postgres, as PGHOST, PGUSER and so on name it"
        raise Unavailable(away) from None
    except psycopg.Error as error:
        raise _refuse_query(error) from None


def _inner(outer: str, query: str) -> bytes:
    # The query is that of whoever runs the command, with the rights of their database user.
    return outer.format(query.rstrip().rstrip(";")).encode()


def _refuse_query(error: Exception) -> InvalidSettings:
    return InvalidSettings(f"--query: the database refuses it: {type(error).__name__}")
