"""Tells on which line of a policy file a key stands: ``tomllib`` keeps no places."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self, cast

from deidstream.models.policy.syntax import parsed, statements


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a TOML file that can be read, and where its statements begin."""

    lines: Sequence[str] = field(repr=False)
    starts: Sequence[int]
    """Number of the line, counted from 0, on which each statement begins."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Find the statements of a file."""
        lines = text.split("\n")
        return cls(lines, statements(lines))

    def line_of(self, key: str) -> int | None:
        """Return the line, counted from 1, of the statement that brings a dotted key in.

        A key that is nowhere has the line of the table that it belongs to, if that is somewhere.
        """
        return self.line_at(key.split("."))

    def line_at(self, path: Sequence[str]) -> int | None:
        """Return the same of a key by its parts, which may have dots of their own."""
        found = (self._first(path[:length]) for length in range(len(path), 0, -1))
        return next((line for line in found if line), None)

    def place(self, file: str, key: str) -> str:
        """Return the file, and the line of a key where there is one."""
        line = self.line_of(key)
        return f"{file}:{line}" if line else file

    def _first(self, path: Sequence[str]) -> int | None:
        place = bisect_left(range(len(self.starts)), 1, key=lambda n: self._has(n, path))
        return self.starts[place] + 1 if place < len(self.starts) else None

    def _has(self, statement: int, path: Sequence[str]) -> int:
        ends = [*self.starts, len(self.lines)]
        return int(_holds(parsed(self.lines[: ends[statement + 1]]) or {}, path))


def _holds(table: Mapping[str, object], path: Sequence[str]) -> bool:
    if not path or path[0] not in table:
        return False
    inner = table[path[0]]
    if len(path) == 1:
        return True
    return isinstance(inner, dict) and _holds(cast("Mapping[str, object]", inner), path[1:])
