"""Read the lines of JSONL files, plain or packed by gzip, and write whole files."""

import gzip
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path

from deidstream.schemas.errors import MissingArtefact

GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""


def count_lines(path: Path) -> int:
    """Count the lines that are not blank.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    return sum(1 for _ in read_lines(path))


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their number from 0; gzip is unpacked.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    try:
        with path.open("rb") as plain:
            # A pipe cannot be read twice, so its first bytes are only peeked at.
            packed = plain.peek(2)[:2] == GZIP
            with gzip.open(plain) if packed else plain as file:
                for number, line in enumerate(file):
                    if line.strip():
                        yield number, line.rstrip(b"\r\n")
    except (OSError, EOFError, zlib.error) as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def check_input(path: Path) -> None:
    """Check that a file can be read; a pipe is not touched, for it can be read only once.

    Raises:
        MissingArtefact: It is missing, a folder, or may not be read.
    """
    try:
        if stat.S_ISFIFO(path.stat().st_mode):
            return
        path.open("rb").close()
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file as a whole.

    Raises:
        MissingArtefact: It cannot be written.
    """
    try:
        path.write_bytes(content)
    except OSError as error:
        msg = f"{path}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None
