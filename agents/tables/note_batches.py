"""Batches of rows in, batches of rows out, in the memory layout of Arrow."""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false

from collections.abc import Iterator, Sequence
from typing import Protocol

import pyarrow as pa

from deidstream.agents.tables.arrow_rows import arrow_table, make_schema
from deidstream.agents.tables.input_columns import InputColumns, encode_row
from deidstream.agents.tables.outcome_rows import OUTCOME_COLUMNS, outcome_row, refuse_taken
from deidstream.schemas.outcome import Outcome

BATCH_ROWS = 4_096
"""Rows of a table that are in work together; their messages are in memory beside them."""
_OUTCOMES = make_schema(OUTCOME_COLUMNS)


class ArrowStream(Protocol):
    """What gives its rows by the C stream interface of Arrow.

    Tables and readers of pyarrow, frames of polars and of pandas 2.2 and later, and results of
    DuckDB do.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with the stream."""
        ...


def output_schema(schema: pa.Schema, keep: Sequence[str] = ()) -> pa.Schema:
    """Return the schema of the outputs of a table: the columns that are kept, then ours.

    Raises:
        InvalidSettings: A column that is kept has the name of one of ours.
    """
    refuse_taken(keep)
    return pa.schema([*(schema.field(name) for name in keep), *_OUTCOMES])


def encode_rows(batch: pa.RecordBatch, columns: InputColumns) -> list[bytes]:
    """Return a ``notes.raw`` message of each row."""
    named = columns.named()
    cells = [read_column(_cut_nanoseconds(batch.column(name))) for name in named.values()]
    return [encode_row(dict(zip(named, row, strict=True))) for row in zip(*cells, strict=True)]


def join_outcomes(
    batch: pa.RecordBatch, keep: Sequence[str], outcomes: Sequence[Outcome]
) -> pa.RecordBatch:
    """Return a row for each row: its columns that are kept, and its outcome."""
    made = arrow_table(map(outcome_row, outcomes), _OUTCOMES)
    columns = [*(batch.column(name) for name in keep)]
    columns += [column.combine_chunks() for column in made.columns]
    return pa.RecordBatch.from_arrays(columns, schema=output_schema(batch.schema, keep))


def make_table(batches: Sequence[pa.RecordBatch], schema: pa.Schema) -> pa.Table:
    """Return the rows of batches as a table, also if there are none."""
    return pa.Table.from_batches(batches, schema=schema)


def read_batches(data: ArrowStream) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """Return the schema of a table, and its rows in batches.

    Raises:
        TypeError: It has not the interface.
    """
    if not hasattr(data, "__arrow_c_stream__"):
        msg = f"{type(data).__name__} has no __arrow_c_stream__: give a table of Arrow"
        raise TypeError(msg)
    reader = pa.RecordBatchReader.from_stream(data)
    return reader.schema, _slice_batches(reader)


def join_patients(batches: Iterator[pa.RecordBatch], patient_id: str) -> Iterator[pa.RecordBatch]:
    """Yield rows that are sorted by patient in batches that have all rows of their patients."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        if not batch.num_rows:
            continue
        patients = batch.column(patient_id)
        start = _start_of_last(patients)
        if start or (held and patients[0] != held[-1].column(patient_id)[-1]):
            yield from _join_batches([*held, batch.slice(0, start)])
            held = []
        held.append(batch.slice(start))
    yield from _join_batches(held)


def _join_batches(batches: Sequence[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    if batches:
        yield from pa.Table.from_batches(batches).combine_chunks().to_batches()


def _start_of_last(column: pa.Array) -> int:
    """Return where the rows of the last patient begin."""
    start = max(0, len(column) - 1)
    while start and column[start - 1] == column[-1]:
        start -= 1
    return start


def _slice_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH_ROWS):
            yield batch.slice(start, BATCH_ROWS)


def _cut_nanoseconds(column: pa.Array) -> pa.Array:
    """Return times as Python has them, and other columns as they are."""
    if not pa.types.is_timestamp(column.type):
        return column
    return column.cast(pa.timestamp("us", column.type.tz), safe=False)


def read_column(column: pa.Array) -> list[object]:
    """Return the values of a column; text that is no UTF-8 comes as bytes."""
    try:
        return list(column.to_pylist())
    except (UnicodeDecodeError, ValueError):
        # One cell that cannot be read makes no other unreadable.
        return [_read_scalar(scalar) for scalar in column]


def _read_scalar(scalar: pa.Scalar) -> object:
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return scalar.cast(pa.binary()).as_py()
    except ValueError:
        # A time with nanoseconds, which Python has not: as text it stays exact.
        return scalar.cast(pa.string()).as_py()
