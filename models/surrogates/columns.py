"""Pad surrogates in tables, so that the columns behind them stay where they are.

A cell whose surrogate is longer than its original moves the rest of its line; the next cell of the
line whose surrogate is shorter makes up for it. Text between spans is never changed, and a label is
never padded: others look for it as it is.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from deidstream.models.operators.redact import is_label
from deidstream.schemas.span import Replacement

_GAP = re.compile(r" *\||  +(?=[^ \n])")
"""Behind a cell: what separates it from the next one."""
_FARTHEST = 2
"""Lines above and below in which the next column must be seen as well."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a note."""

    texts: list[str] = field(repr=False)

    def have_column(self, number: int, column: int) -> bool:
        """Return whether a line near that of ``number`` has a cell that begins at ``column``."""
        near = self.texts[max(0, number - _FARTHEST) : number + _FARTHEST + 1]
        others = (line for line in near if line is not self.texts[number])
        return any(_begins_cell(line, column) for line in others)


def _begins_cell(line: str, column: int) -> bool:
    two = line[column - 1 : column + 1]
    return two[-1:] == "|" or (len(two) > 1 and two[0] in " -|" and two[1] != " ")


def keep_columns(text: str, replacements: Iterable[Replacement]) -> Iterator[Replacement]:
    """Yield the replacements, those followed by a column that a line near by has too padded.

    Args:
        text: The original.
        replacements: Disjoint and in order.
    """
    lines = _Lines(text.split("\n"))
    number = begin = drift = read = 0
    for one in replacements:
        span = one.span
        between = text.count("\n", read, span.start)
        if between:
            number, drift = number + between, 0
            begin = text.rindex("\n", 0, span.start) + 1
        read = span.start
        drift += len(one.text) - (span.end - span.start)
        gap = _GAP.match(text, span.end)
        broken = "\n" in one.text + text[span.start : span.end]
        if gap is None or drift >= 0 or broken or is_label(one.text, span):
            yield one
            continue
        # A bar begins its column, the character behind white space its own.
        next_cell = gap.end() - text[gap.end() - 1].count("|") - begin
        if lines.have_column(number, next_cell):
            yield replace(one, text=one.text + " " * -drift)
            drift = 0
        else:
            yield one
