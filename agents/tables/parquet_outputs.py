"""Outcomes as a Parquet file, which is written as a stream first.

A Parquet file can be read once its end has been written, and nothing can be added to it. So rows
are written as a stream of Arrow, whose beginning is whole at any time, and the file is made of it
last.
"""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from deidstream.agents.runtime.full_disk import raise_if_full
from deidstream.agents.tables.note_batches import join_outcomes, output_schema
from deidstream.schemas.outcome import Outcome

GROUP_ROWS = 4_096


@dataclass(frozen=True, slots=True)
class ParquetOutputs:
    """Encodes outcomes, and makes the file."""

    kept: pa.Schema
    """The columns that are kept, of the types of the input."""
    schema: pa.Schema = field(init=False)

    @classmethod
    def of_texts(cls, keep: Sequence[str]) -> "ParquetOutputs":
        """Return what keeps columns of an input without types."""
        return cls(pa.schema([(name, pa.string()) for name in keep]))

    def __post_init__(self) -> None:
        """Make the schema of the rows.

        Raises:
            InvalidSettings: A column that is kept has the name of one of ours.
        """
        object.__setattr__(self, "schema", output_schema(self.kept, self.kept.names))

    def begin(self) -> bytes:
        """Return how the stream begins."""
        return self.schema.serialize().to_pybytes()  # type: ignore[no-any-return]

    def encode(self, kept: Sequence[tuple[object, ...]], outcomes: Sequence[Outcome]) -> bytes:
        """Return rows as they continue the stream.

        Args:
            kept: The cells that are kept of each note.
            outcomes: Of the same notes.
        """
        cells = [[row[place] for row in kept] for place in range(len(self.kept))]
        columns = [_make_array(*each) for each in zip(cells, self.kept.types, strict=True)]
        batch = pa.RecordBatch.from_struct_array(
            pa.StructArray.from_arrays(columns, fields=list(self.kept))
            if columns
            else pa.array([{}] * len(outcomes), pa.struct([]))
        )
        joined = join_outcomes(batch, self.kept.names, outcomes)
        return joined.serialize().to_pybytes()  # type: ignore[no-any-return]

    def finish(self, written: Path, fresh: Path) -> None:
        """Make the file of its stream.

        Raises:
            OSError: It cannot be written.
        """
        try:
            with (
                pa.OSFile(str(written)) as source,
                pa.ipc.open_stream(source) as stream,
                pq.ParquetWriter(fresh, stream.schema, compression="zstd") as writer,
            ):
                for table in _group(stream):
                    writer.write_table(table, row_group_size=GROUP_ROWS)
        except pa.ArrowException as error:
            raise_if_full(error)
            raise


def _group(stream: pa.RecordBatchReader) -> Iterator[pa.Table]:
    waiting: list[pa.RecordBatch] = []
    for batch in stream:
        waiting.append(batch)
        if sum(each.num_rows for each in waiting) >= GROUP_ROWS:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def _make_array(cells: Sequence[object], kind: pa.DataType) -> pa.Array:
    if kind == pa.string():
        cells = [None if each is None else _make_text(each) for each in cells]
    try:
        return pa.array(cells, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        # A time with nanoseconds was read as text, for Python has no such time.
        texts = [None if each is None else str(each) for each in cells]
        return pa.array(texts, pa.string()).cast(kind)


def _make_text(cell: object) -> str:
    # What is no UTF-8 comes as bytes, or as half characters, which Arrow refuses.
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    return str(cell).encode("utf-8", "replace").decode()
