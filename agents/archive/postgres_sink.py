"""Outputs in PostgreSQL: the rows of a shard, and that it is done, in one transaction.

The tables are of a schema of their own. A view of them and of the table that ``deidstream export``
keeps is up to the analyst.
"""

import errno
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from deidstream.agents.archive.shard_rows import OTHER_COLUMNS, ShardRows
from deidstream.agents.archive.shard_sink import READ_BACK, CommittedRows
from deidstream.agents.tables.note_columns import COLUMNS, Column
from deidstream.agents.tables.output_parts import Row
from deidstream.agents.tables.postgres_table import column_value, declare_column
from deidstream.schemas.errors import InvalidSettings, Unavailable

NOTES, QUARANTINE, SHARDS = "archive_notes", "archive_quarantine", "archive_shards"
_COLUMNS: Mapping[str, Sequence[Column]] = MappingProxyType(
    {NOTES: COLUMNS, QUARANTINE: OTHER_COLUMNS}
)
_KEYS: Mapping[str, Sequence[str]] = MappingProxyType(
    {NOTES: ("note_id",), QUARANTINE: ("job", "place")}
)


@dataclass(frozen=True, slots=True)
class PostgresSink:
    """The tables of an archive in a schema."""

    connection: psycopg.Connection
    schema: str
    fingerprint: str

    @classmethod
    def open(cls, url: str, schema: str, fingerprint: str) -> "PostgresSink":
        """Connect.

        Raises:
            Unavailable: PostgreSQL cannot be reached, or refuses this user.
            InvalidSettings: The URL is none of PostgreSQL.
        """
        if not url.startswith("postgres"):
            msg = "DEIDSTREAM_EXPORT_POSTGRES_URL: must be postgresql://USER@HOST/DATABASE"
            raise InvalidSettings(msg)
        try:
            connection = psycopg.connect(
                url, autocommit=True, application_name="deidstream archive"
            )
        except psycopg.ProgrammingError:
            msg = "DEIDSTREAM_EXPORT_POSTGRES_URL: is not a URL of PostgreSQL"
            raise InvalidSettings(msg) from None
        except psycopg.OperationalError:
            away = "postgres, or it refuses the user, the password or the database"
            raise Unavailable(away) from None
        return cls(connection, schema, fingerprint)

    def prepare(self) -> None:
        """Create what is missing.

        Raises:
            Unavailable: The connection is lost.
            InvalidSettings: The user lacks a right.
        """
        shards = "job text, shard bigint, PRIMARY KEY (job, shard)"
        with self._reporting(), self.connection.transaction():
            self._execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}"), sql.Identifier(self.schema))
            self._execute(
                sql.SQL(f"CREATE TABLE IF NOT EXISTS {{}} ({shards})"), self._name(SHARDS)
            )
            for name, columns in _COLUMNS.items():
                declared = sql.SQL(", ").join(map(declare_column, columns))
                keys = sql.SQL(", ").join(map(sql.Identifier, _KEYS[name]))
                create = sql.SQL(
                    "CREATE TABLE IF NOT EXISTS {} (job text, shard bigint, {}, PRIMARY KEY ({}))"
                )
                self._execute(create, self._name(name), declared, keys)

    def commit(self, shard: int, rows: ShardRows) -> None:
        """Store the rows in one transaction, unless the shard is stored.

        Raises:
            Unavailable: The connection is lost; all is stored, or nothing.
            InvalidSettings: A row cannot be stored, such as that of a note which another job has
                stored.
        """
        once = sql.SQL("INSERT INTO {} VALUES (%s, %s) ON CONFLICT DO NOTHING")
        with self._reporting(), self.connection.transaction():
            added = self.connection.execute(
                once.format(self._name(SHARDS)), [self.fingerprint, shard]
            )
            if added.rowcount:
                for name, listed in ((NOTES, rows.notes), (QUARANTINE, rows.others)):
                    self._copy(name, shard, listed)

    def read(self, shard: int, note_ids: Sequence[str]) -> CommittedRows:
        """Read the rows of a shard.

        Raises:
            Unavailable: The connection is lost.
        """
        del note_ids
        others = [column.name for column in OTHER_COLUMNS]
        with self._reporting():
            return CommittedRows(
                self._read(NOTES, shard, READ_BACK), self._read(QUARANTINE, shard, others)
            )

    def _copy(self, name: str, shard: int, rows: Sequence[Row]) -> None:
        columns = _COLUMNS[name]
        names = sql.SQL(", ").join(
            sql.Identifier(each) for each in ("job", "shard", *(each.name for each in columns))
        )
        copy = sql.SQL("COPY {} ({}) FROM STDIN").format(self._name(name), names)
        with self.connection.cursor() as cursor, cursor.copy(copy) as target:
            for row in rows:
                values = [column_value(column, row) for column in columns]
                target.write_row([self.fingerprint, shard, *values])

    def _read(self, name: str, shard: int, columns: Sequence[str]) -> list[Row]:
        query = sql.SQL("SELECT {} FROM {} WHERE job = %s AND shard = %s").format(
            sql.SQL(", ").join(map(sql.Identifier, columns)), self._name(name)
        )
        with self.connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query, [self.fingerprint, shard]).fetchall()

    def _execute(self, statement: sql.SQL, *parts: sql.Composable) -> None:
        self.connection.execute(statement.format(*parts))

    def _name(self, table: str) -> sql.Identifier:
        return sql.Identifier(self.schema, table)

    @contextmanager
    def _reporting(self) -> Generator[None]:
        """Report errors in our own words: those of PostgreSQL may quote a row."""
        try:
            yield
        except psycopg.errors.DiskFull:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
        except psycopg.OperationalError:
            raise Unavailable("postgres") from None  # noqa: EM101
        except psycopg.errors.UniqueViolation:
            msg = f"postgres: schema {self.schema} has notes of this archive from another job"
            raise InvalidSettings(msg) from None
        except psycopg.Error as error:
            msg = f"postgres: refuses to write schema {self.schema}: {type(error).__name__}"
            raise InvalidSettings(msg) from None
