"""Read the lines of a source: JSON objects, whose fields have the names that a site gave them."""

import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, cast

import orjson

from deidstream.agents.runtime.lines import read_lines
from deidstream.models.policy.toml_lines import BOM
from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.study.corpus.sources import Source


@dataclass(frozen=True, slots=True)
class Row:
    """One line."""

    place: str
    """File and line, for messages."""
    fields: dict[str, object] = field(repr=False)

    def find(self, name: str) -> object:
        """Return the value of a field, nothing if there is none; a dot leads into an object."""
        value: object = self.fields
        for part in name.split("."):
            if not isinstance(value, dict):
                return None
            value = value.get(part)
        return value

    def text(self, name: str) -> str:
        """Return a field that is text, as long as it is, every line end a line feed.

        Raises:
            Refused: The field is not there, or is no text.
        """
        value = self.find(name)
        if not isinstance(value, str):
            self.refuse(f"the field {name} must be a string")
        return value.replace("\r\n", " \n").replace("\r", "\n")

    def key(self, name: str) -> str:
        """Return a field that is text or a whole number.

        Raises:
            Refused: The field is not there, or is neither.
        """
        value = self.find(name)
        if not isinstance(value, str | int):
            self.refuse(f"the field {name} must be a string or a whole number")
        return str(value)

    def refuse(self, why: str) -> NoReturn:
        """Say that the line cannot be used.

        Raises:
            Refused: In any case; the message names the line.
        """
        msg = f"{self.place}: {why}"
        raise Refused(msg)


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the lines of a file, plain or packed with gzip or xz.

    Raises:
        MissingArtefact: The file cannot be read.
        Refused: A line is not a JSON object.
    """
    for number, line in _read_packed(path) if path.suffix == ".xz" else read_lines(path):
        place = f"{path}: line {number + 1}"
        try:
            fields: object = orjson.loads(line.removeprefix(BOM))
        except orjson.JSONDecodeError:
            fields = None
        if not isinstance(fields, dict):
            msg = f"{place}: must be a JSON object"
            raise Refused(msg)
        yield Row(place, cast("dict[str, object]", fields))


def read_source_rows(source: Source) -> Iterator[Row]:
    """Yield the lines of the files of a source that are to be read.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line is not a JSON object, or lacks a field.
    """
    for path in source.path:
        for row in read_rows(path):
            if all(row.key(name) in values for name, values in source.only.items()):
                yield row


def _read_packed(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with lzma.open(path) as lines:
            yield from ((number, line) for number, line in enumerate(lines) if line.strip())
    except (OSError, EOFError, lzma.LZMAError) as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
