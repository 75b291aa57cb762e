"""Read the lines of a file of an attack; a wrong one is named by its number, never by its text."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from deidstream.schemas.errors import InvalidNote, Refused
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import decode
from deidstream.study.corpus.note_lines import NoteLines

Record = TypeVar("Record")


def read_records(
    path: Path, read: Callable[[bytes], Record], *, labelled: bool = False
) -> list[Record]:
    """Read the records of a file, at least one.

    Args:
        path: JSONL, or a table (CSV, TSV, Parquet, Delta).
        read: Reads one line; raises InvalidNote.
        labelled: Whether rows of a table have spans.

    Raises:
        MissingArtefact: The file cannot be read.
        Refused: A line cannot be read, or the file holds no note; a table lacks a column.
    """
    records: list[Record] = []
    for number, line in NoteLines.open(path, labelled=labelled).read():
        try:
            records.append(read(line))
        except InvalidNote as invalid:
            where = f", field {invalid.field}" if invalid.field else ""
            raise wrong_line(path, number, f"{invalid}{where}") from None
    if not records:
        msg = f"{path}: holds no note"
        raise Refused(msg)
    return records


def read_note(line: bytes) -> RawNote:
    """Read a note of any length.

    Raises:
        InvalidNote: The line is not a note.
    """
    return decode(line, limit_bytes=len(line))


def wrong_line(path: Path, number: int, why: str) -> Refused:
    """Return the error of a line; lines are numbered from 0 and said from 1."""
    return Refused(f"{path}: line {number + 1}: {why}")
