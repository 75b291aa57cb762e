"""The rows of Parquet files, as messages."""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from deidstream.agents.tables.input_columns import InputColumns
from deidstream.agents.tables.note_batches import encode_rows, read_column
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.system_faults import say_why

BATCH_ROWS = 1_024


@dataclass(frozen=True, slots=True)
class ArrowRow:
    """One row: its message, and the cells that are kept, as values of Python."""

    message: bytes
    kept: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class ParquetRows:
    """The rows of a file, or of all files of a folder in the order of their names."""

    files: Sequence[Path]
    schema: pa.Schema

    @classmethod
    def open(cls, path: Path) -> "ParquetRows":
        """Open a file or a folder of such files.

        Raises:
            MissingArtefact: One cannot be read, or has other columns than the first.
        """
        files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
        schemas = [_read_schema(file) for file in files]
        for file, schema in zip(files, schemas, strict=True):
            if not schema.equals(schemas[0]):
                msg = f"{file}: has other columns than {files[0]}"
                raise MissingArtefact(msg)
        return cls(files, schemas[0])

    def keep_schema(self, keep: Sequence[str]) -> pa.Schema:
        """Return the schema of columns that the output keeps, each with the type that it has.

        What a dictionary packs is unpacked, for a stream would need the dictionary beside it.
        """
        return unpack_dictionaries([self.schema.field(name) for name in keep])

    def count(self) -> int:
        """Return the number of rows, which the ends of the files state."""
        return sum(pq.read_metadata(file).num_rows for file in self.files)

    def read(self, columns: InputColumns, keep: Sequence[str]) -> Iterator[ArrowRow]:
        """Yield the rows.

        Raises:
            MissingArtefact: A file is damaged.
        """
        wanted = sorted({*columns.named().values(), *keep})
        for path in self.files:
            try:
                with pq.ParquetFile(path) as file:
                    for batch in file.iter_batches(BATCH_ROWS, columns=wanted):
                        yield from read_batch(batch, columns, keep)
            except (OSError, pa.ArrowException) as error:
                raise _unreadable(path, error) from None


def unpack_dictionaries(fields: Sequence[pa.Field]) -> pa.Schema:
    """Return a schema in which what a dictionary packs has the type of its values."""
    plain = [
        each.with_type(each.type.value_type) if pa.types.is_dictionary(each.type) else each
        for each in fields
    ]
    return pa.schema(plain)


def read_batch(
    batch: pa.RecordBatch, columns: InputColumns, keep: Sequence[str]
) -> Iterator[ArrowRow]:
    """Yield the rows of a batch."""
    kept = [read_column(batch.column(name)) for name in keep]
    for place, message in enumerate(encode_rows(batch, columns)):
        yield ArrowRow(message, tuple(column[place] for column in kept))


def _read_schema(path: Path) -> pa.Schema:
    try:
        return pq.read_schema(path)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> MissingArtefact:
    return MissingArtefact(f"{path}: cannot be read: {say_why(error)}")
