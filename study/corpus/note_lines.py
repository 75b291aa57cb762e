"""The notes of JSONL, or of a table, as lines of JSON: a table of any form may stand for a file."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from deidstream.agents.note_files.note_source import InputNote, NoteSource
from deidstream.agents.note_files.open_notes import (
    TABLES,
    InputForm,
    Reading,
    find_form,
    open_notes,
)
from deidstream.agents.runtime.lines import count_lines, read_lines

SPANS = "spans"
"""The column of a table that has the labelled spans: a list of records, or JSON."""


@dataclass(frozen=True, slots=True)
class NoteLines:
    """A file of notes that has been opened."""

    path: Path
    table: NoteSource | None = field(default=None, repr=False)
    """What reads it, if it is a table."""

    @classmethod
    def open(cls, path: Path, *, labelled: bool = False) -> "NoteLines":
        """Open a file, or the folder of a table.

        Args:
            path: JSONL, or CSV, TSV, Parquet or a Delta table.
            labelled: Whether a row of a table has spans.

        Raises:
            MissingArtefact: It cannot be read.
            InvalidSettings: A column is missing.
        """
        if find_form(path) not in TABLES | {InputForm.DELTA}:
            return cls(path)
        return cls(path, open_notes(path, Reading(keep=(SPANS,) if labelled else ())))

    def count(self) -> int | None:
        """Count the lines or rows; ``None`` where only reading them would tell.

        Raises:
            MissingArtefact: It cannot be read.
        """
        return count_lines(self.path) if self.table is None else self.table.count()

    def read(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines with their number from 0; a row that is no note is an empty one.

        Raises:
            MissingArtefact: It cannot be read.
        """
        if self.table is None:
            yield from read_lines(self.path)
            return
        for row in self.table.read():
            yield row.place, _write_line(row)


def _write_line(row: InputNote) -> bytes:
    if not isinstance(row.message, bytes):
        return b""
    if not row.kept:
        return row.message
    (spans,) = row.kept
    return orjson.dumps({**orjson.loads(row.message), SPANS: _read_spans(spans)})


def _read_spans(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    try:
        return orjson.loads(cell)
    except orjson.JSONDecodeError:
        return None
