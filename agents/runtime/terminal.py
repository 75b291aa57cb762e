"""What commands show: lines on stderr, and tables of aligned columns."""

import sys
from collections.abc import Sequence

Row = tuple[str, ...]


def say(text: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(text + "\n")


def count_notes(number: int) -> str:
    """Say how many notes there are.

    >>> [count_notes(number) for number in (0, 1, 1206)]
    ['0 notes', '1 note', '1,206 notes']
    """
    return f"{number:,} note" if number == 1 else f"{number:,} notes"


def align_columns(heads: Row, rows: Sequence[Row]) -> str:
    """Lay a table out: the first column to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return "\n".join(_line(row, widths) for row in (heads, *rows))


def _line(row: Row, widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    cells = (first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others))
    return "  ".join(cells).rstrip()
