"""Outputs as two tables of Delta Lake, to each of which a shard adds one commit.

The commit states the shard as an application transaction (Delta protocol, "Transaction
Identifiers"): a shard that is done again after a crash adds nothing to the table that has it.
"""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, QueryBuilder, Transaction, write_deltalake
from deltalake.exceptions import CommitFailedError, DeltaError

from deidstream.agents.archive.file_sinks import NOTES, OTHER_SCHEMA, QUARANTINE
from deidstream.agents.archive.shard_rows import OTHER_COLUMNS, ShardRows
from deidstream.agents.archive.shard_sink import READ_BACK, CommittedRows
from deidstream.agents.runtime.full_disk import raise_if_full
from deidstream.agents.tables.arrow_rows import SCHEMA, arrow_table
from deidstream.agents.tables.output_parts import Row
from deidstream.schemas.errors import InvalidSettings, MissingArtefact, Unavailable

SHARD_COLUMN = "shard"
_VERSION = 1
"""Of the application transaction: a shard is committed once."""


def _nullable(schema: pa.Schema) -> pa.Schema:
    fields = [field.with_nullable(nullable=True) for field in schema]
    return pa.schema([*fields, pa.field(SHARD_COLUMN, pa.int64())])


_SCHEMAS: Mapping[str, pa.Schema] = MappingProxyType(
    {NOTES: _nullable(SCHEMA), QUARANTINE: _nullable(OTHER_SCHEMA)}
)


@dataclass(frozen=True, slots=True)
class DeltaSink:
    """The tables ``notes`` and ``quarantine`` of a folder."""

    folder: Path
    fingerprint: str

    def prepare(self) -> None:
        """Create the tables.

        Raises:
            InvalidSettings: They cannot be created, have other columns, or are of another job.
        """
        for name, schema in _SCHEMAS.items():
            path = str(self.folder / name)
            try:
                table = DeltaTable.create(
                    path, schema=schema, mode="ignore", name=name, description=self.fingerprint
                )
            except (DeltaError, OSError) as error:
                raise_if_full(error)
                msg = f"{path}: cannot be a Delta table: {type(error).__name__}"
                raise InvalidSettings(msg) from None
            if [field.name for field in table.schema().fields] != schema.names:
                msg = f"{path}: is another table, or another version wrote it"
                raise InvalidSettings(msg)
            if table.metadata().description != self.fingerprint:
                msg = f"{path}: has outputs of another job; name another folder"
                raise InvalidSettings(msg)

    def commit(self, shard: int, rows: ShardRows) -> None:
        """Add the rows to each table that has not got them.

        Raises:
            OSError: There is no room; the shard is committed by the next run.
            Unavailable: Too many commits came between.
            InvalidSettings: The table refuses the rows.
        """
        for name, listed in ((QUARANTINE, rows.others), (NOTES, rows.notes)):
            try:
                self._commit(name, shard, listed)
            except CommitFailedError:
                away = "the end of the Delta log"
                raise Unavailable(away) from None
            except OSError as error:
                raise_if_full(error)
                raise
            except DeltaError as error:
                raise_if_full(error)
                # Its message may quote a row.
                msg = f"{self.folder / name}: refuses the rows: {type(error).__name__}"
                raise InvalidSettings(msg) from None

    def read(self, shard: int, note_ids: Sequence[str]) -> CommittedRows:
        """Read the rows of a shard.

        Raises:
            MissingArtefact: A table cannot be read.
        """
        del note_ids
        others = [column.name for column in OTHER_COLUMNS]
        return CommittedRows(
            self._read(NOTES, shard, READ_BACK), self._read(QUARANTINE, shard, others)
        )

    def _commit(self, name: str, shard: int, rows: Sequence[Row]) -> None:
        path = str(self.folder / name)
        transaction = json.dumps(["deidstream archive", self.fingerprint, shard])
        if DeltaTable(path).transaction_version(transaction) is not None:
            return
        schema = _SCHEMAS[name]
        write_deltalake(
            path,
            arrow_table([row | {SHARD_COLUMN: shard} for row in rows], schema),
            mode="append",
            commit_properties=CommitProperties(
                app_transactions=[Transaction(transaction, _VERSION)]
            ),
        )

    def _read(self, name: str, shard: int, columns: Sequence[str]) -> list[Row]:
        listed = ", ".join(f'"{column}"' for column in columns)
        query = f"SELECT {listed} FROM kept WHERE {SHARD_COLUMN} = {shard}"  # noqa: S608 - our names
        try:
            builder = QueryBuilder().register("kept", DeltaTable(str(self.folder / name)))
            read = pa.RecordBatchReader.from_stream(builder.execute(query)).read_all()
        except (DeltaError, OSError, pa.ArrowException) as error:
            msg = f"{self.folder / name}: cannot be read: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        rows: list[Row] = read.to_pylist()
        return rows
