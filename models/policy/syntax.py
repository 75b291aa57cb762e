"""Parses TOML, and says where and why a file is none: ``tomllib`` is written for programmers."""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from deidstream.schemas.errors import InvalidPolicy

BOM = b"\xef\xbb\xbf"
_WORDED = re.compile(r"(.*) \(at (?:line ([0-9]+), column [0-9]+|end of document)\)", re.DOTALL)
"""How ``tomllib`` words what it cannot read."""
_TWICE = re.compile(r"Cannot (?:declare|mutate|redefine|overwrite)\b")
"""How it words that something stands there a second time."""
_KEY = re.compile(r"""\s*(\[[^\]]*\]+|(?:"[^"]*"|'[^']*'|[^="'])+)""")
"""The head of a table, or the key of a statement."""
_STARTS = re.compile(r"""\s*(?:\[|[\w."'-][^=]*=)""")
"""How a line looks on which a statement may begin."""


def parse(source: bytes, file: str) -> Mapping[str, object]:
    """Parse a TOML file.

    Raises:
        InvalidPolicy: It is none; the message says where.
    """
    try:
        return _parsed(source)
    except UnicodeDecodeError as error:
        line, said = source.count(b"\n", 0, error.start) + 1, "it is no UTF-8"
    except RecursionError:
        line, said = _unplaced(source.decode()), "it is nested too deeply"
    except ValueError as error:
        line, said = _placed(str(error), source.decode())
    msg = f"{file}:{line}: not TOML: {said}"
    raise InvalidPolicy(msg)


def parsed(lines: Sequence[str]) -> Mapping[str, object] | None:
    """Parse lines; nothing where they are no TOML by themselves."""
    try:
        return tomllib.loads("\n".join([*lines, ""]))
    except (ValueError, RecursionError):
        return None


def statements(lines: Sequence[str]) -> list[int]:
    """Number the lines, counted from 0, on which statements begin.

    A line begins a statement when all before it is TOML by itself: what stands within an array or a
    string of many lines never is.
    """
    return [number for number in range(len(lines)) if _begins(lines, number)]


def _begins(lines: Sequence[str], number: int) -> bool:
    return bool(_STARTS.match(lines[number])) and parsed(lines[:number]) is not None


def _parsed(source: bytes) -> Mapping[str, object]:
    if source.startswith(BOM):
        msg = "it begins with a byte order mark (BOM): save it without one (at line 1, column 1)"
        raise ValueError(msg)
    return tomllib.loads(source.decode())


def _placed(said: str, text: str) -> tuple[int, str]:
    found = _WORDED.fullmatch(said)
    if found is None:
        return _unplaced(text), "a value cannot be read"
    lines = text.split("\n")
    line = int(found[2] or len(lines))
    return _doubled(lines[:line]) if _TWICE.match(found[1]) else (line, found[1])


def _doubled(lines: Sequence[str]) -> tuple[int, str]:
    """Name what the last statement of some lines repeats, which may be of several lines."""
    start = next(number for number in reversed(range(len(lines))) if _begins(lines, number))
    key = _KEY.match(lines[start])
    return start + 1, f"{key[1].strip() if key else 'a key'} is there already"


def _unplaced(text: str) -> int:
    """Find the first line with which a file cannot be read, whatever may come after it."""
    lines = text.split("\n")
    counts = range(1, len(lines) + 1)
    return min(len(lines), bisect_left(counts, 1, key=lambda n: _breaks(lines[:n])) + 1)


def _breaks(lines: Sequence[str]) -> int:
    try:
        tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return 0
    except (ValueError, RecursionError):
        return 1
    return 0
