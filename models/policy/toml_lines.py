"""Parses a TOML file and says on which line a mistake is: ``tomllib`` keeps no line numbers."""

import json
import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from typing import cast

from deidstream.schemas.errors import InvalidPolicy

BOM = b"\xef\xbb\xbf"
"""Bytes that some editors write before the text: not part of a list, not allowed in TOML."""

KeyPath = tuple[str, ...]
"""The parts of a dotted key; a part may hold dots of its own."""

_LIKENESS = 0.65
"""Of a misspelt word and the one that is meant; ``SNN`` and ``SSN`` have 0.67."""
_TOKEN = re.compile(
    r'''
    """(?:[^\\]|\\.)*?"{3,5}      # strings of several lines
    | \'\'\'.*?'{3,5}
    | "(?:[^"\\\n]|\\[^\n])*"     # strings of one line
    | '[^'\n]*'
    | \#[^\n]*
    | [][{}\n]
    ''',
    re.DOTALL | re.VERBOSE,
)
_HEAD = re.compile(r"\s*(\[[^\n]*\]|[^=\n]*[^=\s])")
"""The head of a table, or the key of a statement."""
_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
"""How ``tomllib`` ends its messages."""


@dataclass(frozen=True, slots=True)
class TomlMistake:
    """A key of a TOML file and what is wrong with it; values are never quoted."""

    key: KeyPath
    message: str
    file: str = ""
    """Another file that the mistake is in, such as a list that the key names."""
    line: int = 0
    """Line in that other file, counted from 1; 0: the whole of it."""
    item: int = 0
    """Item of the list at the key, counted from 1; 0: the whole of it."""

    @property
    def place(self) -> KeyPath:
        """The key in ``key_lines``."""
        return (*self.key, str(self.item)) if self.item else self.key


def suggest(written: object, known: Iterable[str]) -> str:
    """Ask whether a known word is meant that is nearly the one written; it alone is named.

    >>> suggest("on_redd", ["on_red", "yellow"])
    ' (did you mean on_red?)'
    >>> suggest("colour", ["on_red", "yellow"])
    ''
    """
    words = {word.casefold(): word for word in known}
    near = []
    if isinstance(written, str):
        near = get_close_matches(written.casefold(), words, 1, _LIKENESS)
    return f" (did you mean {words[near[0]]}?)" if near else ""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a TOML file, with all its lines; or a comment or blank line."""

    line: int
    """Number of the first line, counted from 1."""
    start: int
    end: int
    """Offsets in the text."""


def parse(source: bytes, file: str) -> Mapping[str, object]:
    """Parse a TOML file.

    Args:
        source: The content of the file.
        file: Name of the file in messages.

    Raises:
        InvalidPolicy: The file is not TOML; the message says on which line and why.
    """
    if source.startswith(BOM):
        line, why = 1, "it begins with a byte order mark (BOM): save it without one"
    else:
        try:
            return tomllib.loads(source.decode())
        except UnicodeDecodeError as error:
            line, why = source.count(b"\n", 0, error.start) + 1, "it is not UTF-8"
        except (ValueError, RecursionError):
            line, why = _fault(source.decode())
    msg = f"{file}:{line}: not TOML: {why}"
    raise InvalidPolicy(msg)


def report(mistakes: Iterable[TomlMistake], source: bytes, file: str) -> str:
    """Write mistakes as lines ``file:line: key: message``, in the order of the file.

    A mistake whose key is not in the file has the line of its table or, without one, no line; those
    come first. Mistakes in other files come last, by file and line.

    Args:
        mistakes: Mistakes of a file that can be parsed.
        source: The content of the file.
        file: Name of the file in messages.
    """
    lines = key_lines(source.decode())
    rows = list[tuple[tuple[bool, str, float], str]]()
    for mistake in mistakes:
        line = mistake.line if mistake.file else _line_of(mistake.place, lines)
        place = f"{mistake.file or file}:{line}" if line else mistake.file or file
        without_line = inf if mistake.file else 0
        order = (bool(mistake.file), mistake.file, line or without_line)
        item = f"item {mistake.item}" if mistake.item else ""
        parts = [place, write_key(mistake.key), item, mistake.message]
        rows.append((order, ": ".join(filter(None, parts))))
    rows.sort(key=lambda row: row[0])
    return "\n".join(row for _, row in rows)


def write_key(key: KeyPath) -> str:
    """Write a key as in a TOML file.

    >>> write_key(("tenants", "st.anne"))
    'tenants."st.anne"'
    """
    return ".".join(
        part if _is_bare(part) else json.dumps(part, ensure_ascii=False) for part in key
    )


def _is_bare(part: str) -> bool:
    return part.isascii() and part.replace("-", "a").isidentifier()


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """Return the line, counted from 1, of the statement that first names each key.

    The texts of a list are there too, under its key and their number, each with its own line.

    Args:
        text: A TOML file that can be parsed.
    """
    lines = dict[KeyPath, int]()
    table: KeyPath = ()
    for statement in _statements(text):
        written = text[statement.start : statement.end]
        keys = list(_keys(tomllib.loads(written)))
        if written.lstrip().startswith("["):
            table = keys[-1]
        else:
            keys = [(*table, *key) for key in keys]
            for number, line in enumerate(_item_lines(written, statement.line), 1):
                lines.setdefault((*keys[-1], str(number)), line)
        for key in keys:
            lines.setdefault(key, statement.line)
    return lines


def _item_lines(statement: str, first: int) -> Iterator[int]:
    """Yield the line of each text in the list of a statement, which begins at line ``first``."""
    depth, line, read = 0, first, 0
    for token in _TOKEN.finditer(statement):
        if token[0] == "[":
            depth += 1
        elif token[0] == "]":
            depth -= 1
        elif depth == 1 and token[0][0] in "\"'":
            line += statement.count("\n", read, token.start())
            read = token.start()
            yield line


def _line_of(key: KeyPath, lines: Mapping[KeyPath, int]) -> int:
    for length in range(len(key), 0, -1):
        if key[:length] in lines:
            return lines[key[:length]]
    return 0


def _keys(table: Mapping[str, object]) -> Iterator[KeyPath]:
    for key, value in table.items():
        yield (key,)
        if isinstance(value, dict):
            for inner in _keys(cast("Mapping[str, object]", value)):
                yield (key, *inner)


def _statements(text: str) -> Iterator[Statement]:
    """Split a file at the line ends that are in no array, inline table or string."""
    depth, start, line = 0, 0, 1
    for token in _TOKEN.finditer(text):
        if token[0] in {"[", "{"}:
            depth += 1
        elif token[0] in {"]", "}"}:
            depth -= 1
        elif token[0] == "\n" and depth <= 0:
            yield Statement(line, start, token.end())
            line += text.count("\n", start, token.end())
            depth, start = 0, token.end()
    yield Statement(line, start, len(text))


def _fault(text: str) -> tuple[int, str]:
    """Return the line from which a file is not TOML, and why."""
    statements = list(_statements(text))
    first = bisect_left(statements, 1, key=lambda each: int(_refusal(text[: each.end]) != ""))
    faulty = statements[first]
    written = text[faulty.start : faulty.end]
    refusal = _refusal(written)
    if not refusal:  # right by itself, so it repeats something
        head = _HEAD.match(written)
        return faulty.line, f"{head[1] if head else 'a key'} is already defined"
    place = _AT_LINE.search(refusal)
    if place is None:
        return faulty.line, refusal
    within = int(place[1]) - 1 if place[1] else written.count("\n")
    return faulty.line + within, refusal[: place.start()]


def _refusal(text: str) -> str:
    """Return why a text is not TOML; empty if it is."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    except RecursionError:
        return "it is nested too deeply"
    except ValueError:
        return "a value cannot be read"
    return ""
