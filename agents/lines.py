"""Lines of JSONL files, with a progress bar on stderr."""

import gzip
import stat
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

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


def progress(unit: str = "notes") -> Progress:
    """Return a progress bar on stderr; it shows nothing unless stderr is a terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(unit),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    return Progress(*columns, console=console, disable=not sys.stderr.isatty())


class _Rate(ProgressColumn):
    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed or 0:.1f} {self._unit}/s")


def say(text: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(text + "\n")
