"""Read the lines of a file of an attack, and name a wrong one by its number, never by its text."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from deidstream.agents.runtime.lines import read_lines
from deidstream.schemas.errors import InvalidNote, Refused
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import decode

Record = TypeVar("Record")


def read_records(path: Path, read: Callable[[bytes], Record]) -> list[Record]:
    """Read the records of a file, at least one.

    Args:
        path: JSONL.
        read: Reads one line; raises InvalidNote.

    Raises:
        MissingArtefact: The file cannot be read.
        Refused: A line cannot be read, or the file holds no note.
    """
    records: list[Record] = []
    for number, line in read_lines(path):
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
