"""Rows of notes as Arrow tables, for Parquet, DuckDB and Delta Lake."""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false

from collections.abc import Iterable, Mapping
from typing import cast

import pyarrow as pa

from deidstream.agents.tables.note_columns import COLUMNS, Column, ColumnForm
from deidstream.agents.tables.output_parts import Row

_MAPS = frozenset({ColumnForm.NUMBERS, ColumnForm.COUNTS})


def _type_of(form: ColumnForm) -> pa.DataType:
    types: dict[ColumnForm, pa.DataType] = {
        ColumnForm.TEXT: pa.string(),
        ColumnForm.WHOLE: pa.int64(),
        ColumnForm.NUMBER: pa.float64(),
        ColumnForm.TEXTS: pa.list_(pa.string()),
        ColumnForm.NUMBERS: pa.map_(pa.string(), pa.float64()),
        ColumnForm.COUNTS: pa.map_(pa.string(), pa.int64()),
    }
    return types[form]


def _field_of(column: Column) -> pa.Field:
    description = {"description": column.meaning}
    return pa.field(
        column.name, _type_of(column.form), nullable=column.nullable, metadata=description
    )


def make_schema(columns: Iterable[Column]) -> pa.Schema:
    """Return the schema of columns, each with its meaning as metadata."""
    return pa.schema([_field_of(column) for column in columns])


SCHEMA = make_schema(COLUMNS)
"""Every column of the table of notes."""


def arrow_table(rows: Iterable[Row], schema: pa.Schema = SCHEMA) -> pa.Table:
    """Return rows as a table; columns that the schema lacks are left out."""
    listed = list(rows)
    maps = {column.name for column in COLUMNS if column.form in _MAPS}
    columns = [
        pa.array([_pairs(row[name]) if name in maps else row[name] for row in listed], field.type)
        for name, field in zip(schema.names, schema, strict=True)
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _pairs(value: object) -> list[tuple[str, object]] | None:
    return None if value is None else list(cast("Mapping[str, object]", value).items())
