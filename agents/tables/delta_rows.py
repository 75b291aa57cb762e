"""The rows of a Delta Lake table, as messages."""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from deltalake import DeltaTable, QueryBuilder
from deltalake.exceptions import DeltaError

from deidstream.agents.tables.input_columns import InputColumns
from deidstream.agents.tables.parquet_rows import ArrowRow, read_batch, unpack_dictionaries
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.system_faults import say_why


@dataclass(frozen=True, slots=True)
class DeltaRows:
    """The rows of one version of a table, whatever is written to it meanwhile."""

    path: Path
    version: int
    schema: pa.Schema

    @classmethod
    def open(cls, path: Path) -> "DeltaRows":
        """Open the present version of the table of a folder.

        Raises:
            MissingArtefact: It cannot be read.
        """
        try:
            table = DeltaTable(str(path))
            empty = QueryBuilder().register("notes", table).execute("SELECT * FROM notes LIMIT 0")
            schema = pa.RecordBatchReader.from_stream(empty).schema
        except (DeltaError, OSError, pa.ArrowException) as error:
            raise _unreadable(path, error) from None
        return cls(path, table.version(), _plain(schema))

    def keep_schema(self, keep: Sequence[str]) -> pa.Schema:
        """Return the schema of columns that the output keeps, each with the type that it has."""
        return unpack_dictionaries([self.schema.field(name) for name in keep])

    def count(self) -> int:
        """Return the number of rows.

        Raises:
            MissingArtefact: The table cannot be read.
        """
        (batch,) = self._query("count(*) AS rows")
        return int(batch.column("rows")[0].as_py())

    def read(self, columns: InputColumns, keep: Sequence[str]) -> Iterator[ArrowRow]:
        """Yield the rows.

        Raises:
            MissingArtefact: The table cannot be read.
        """
        wanted = sorted({*columns.named().values(), *keep})
        for batch in self._query(", ".join(map(_quote, wanted))):
            names = batch.schema.names
            plain = pa.schema([self.schema.field(name) for name in names])
            yield from read_batch(batch.cast(plain), columns, keep)

    def _query(self, selected: str) -> Iterator[pa.RecordBatch]:
        try:
            table = DeltaTable(str(self.path), version=self.version)
            query = QueryBuilder().register("notes", table)
            found = query.execute(f"SELECT {selected} FROM notes")  # noqa: S608 - quoted names
            yield from pa.RecordBatchReader.from_stream(found)
        except (DeltaError, OSError, pa.ArrowException) as error:
            raise _unreadable(self.path, error) from None


def _plain(schema: pa.Schema) -> pa.Schema:
    """Return a schema without the types of text that only queries have."""
    fields = [
        field.with_type(pa.string()) if pa.types.is_string_view(field.type) else field
        for field in schema
    ]
    return pa.schema(fields)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _unreadable(path: Path, error: Exception) -> MissingArtefact:
    return MissingArtefact(f"{path}: cannot be read: {say_why(error)}")
