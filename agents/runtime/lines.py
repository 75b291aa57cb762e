"""Read the lines of JSONL files, plain or packed by gzip, and write whole files."""

import gzip
import stat
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.system_faults import say_why

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
            yield from split_lines(unpack_gzip(plain))
    except (OSError, EOFError, zlib.error) as error:
        msg = f"{path}: cannot be read: {say_why(error)}"
        raise MissingArtefact(msg) from None


def split_lines(file: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, without their end, with their number from 0."""
    for number, line in enumerate(file):
        if line.strip():
            yield number, line.rstrip(b"\r\n")


def unpack_gzip(file: BufferedReader) -> BinaryIO:
    """Return what a file holds, which may be packed by gzip.

    A pipe cannot be read twice, so its first bytes are only peeked at.
    """
    packed = file.peek(len(GZIP))[: len(GZIP)] == GZIP
    return cast("BinaryIO", gzip.open(file) if packed else file)


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
        msg = f"{path}: cannot be read: {say_why(error)}"
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
