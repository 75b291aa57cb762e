"""What commands show: a progress bar and lines on stderr, and tables of aligned columns."""

import sys
from collections.abc import Sequence

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

Row = tuple[str, ...]


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


def align_columns(heads: Row, rows: Sequence[Row]) -> str:
    """Lay a table out: the first column to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return "\n".join(_line(row, widths) for row in (heads, *rows))


def _line(row: Row, widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    cells = (first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others))
    return "  ".join(cells).rstrip()
