"""Tells on which line of a policy file a key stands: ``tomllib`` keeps no places."""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self, cast

from deidstream.schemas.errors import InvalidPolicy

_STARTS = re.compile(r"""\s*(?:\[|[\w."'-][^=]*=)""")
"""How a line looks on which a statement may begin."""
_SYNTAX = re.compile(r"(.*) \(at (?:line ([0-9]+), column [0-9]+|end of document)\)", re.DOTALL)
"""How ``tomllib`` words what it cannot read."""


def parse(source: bytes, file: str) -> Mapping[str, object]:
    """Parse a TOML file.

    Raises:
        InvalidPolicy: It is none; the message says where.
    """
    try:
        return tomllib.loads(source.decode())
    except UnicodeDecodeError as error:
        line, said = source.count(b"\n", 0, error.start) + 1, "it is no UTF-8"
    except (ValueError, RecursionError) as error:
        line, said = _syntax(str(error), source.count(b"\n") + 1)
    msg = f"{file}:{line}: not TOML: {said}"
    raise InvalidPolicy(msg)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a TOML file that can be read, and where its statements begin."""

    lines: Sequence[str] = field(repr=False)
    starts: Sequence[int]
    """Number of the line, counted from 0, on which each statement begins."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Find the statements of a file.

        A line begins a statement when all before it is TOML by itself: what stands within an array
        or a string of many lines never is.
        """
        lines = text.split("\n")
        maybe = (number for number, line in enumerate(lines) if _STARTS.match(line))
        return cls(lines, [number for number in maybe if _parsed(lines[:number]) is not None])

    def line_of(self, key: str) -> int | None:
        """Return the line, counted from 1, of the statement that brings a dotted key in.

        A key that is nowhere has the line of the table that it belongs to, if that is somewhere.
        """
        parts = key.split(".")
        while parts:
            path = tuple(parts)
            place = bisect_left(range(len(self.starts)), 1, key=lambda n: self._has(n, path))
            if place < len(self.starts):
                return self.starts[place] + 1
            parts.pop()
        return None

    def place(self, file: str, key: str) -> str:
        """Return the file, and the line of a key where there is one."""
        line = self.line_of(key)
        return f"{file}:{line}" if line else file

    def _has(self, statement: int, path: Sequence[str]) -> int:
        ends = [*self.starts, len(self.lines)]
        return int(_holds(_parsed(self.lines[: ends[statement + 1]]) or {}, path))


def _syntax(said: str, last_line: int) -> tuple[int, str]:
    found = _SYNTAX.fullmatch(said)
    if found is None:
        return 1, "it cannot be read"
    return int(found[2] or last_line), found[1]


def _parsed(lines: Sequence[str]) -> Mapping[str, object] | None:
    try:
        return tomllib.loads("\n".join([*lines, ""]))
    except (ValueError, RecursionError):
        return None


def _holds(table: Mapping[str, object], path: Sequence[str]) -> bool:
    if not path or path[0] not in table:
        return False
    inner = table[path[0]]
    if len(path) == 1:
        return True
    return isinstance(inner, dict) and _holds(cast("Mapping[str, object]", inner), path[1:])
