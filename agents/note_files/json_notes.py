"""Notes in JSON: one a line, or all in one list."""

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO, cast

import orjson

from deidstream.agents.note_files.input_files import is_read_once, open_input
from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.runtime.lines import split_lines
from deidstream.agents.tables.input_columns import InputColumns, encode_row
from deidstream.schemas.errors import MissingArtefact

_IDS = ("note_id", "patient_id")
_FIRST_CHARACTERS = 1 << 20
_MOST_CHARACTERS = 64 << 20
"""Of one note in a list: a list that is no list at all would be read to its end otherwise."""
_BLANKS = re.compile(r"\s*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class JsonLines:
    """A note on each line. Without ``columns``, a line is a message as it stands."""

    path: Path
    columns: InputColumns | None = None
    keep: Sequence[str] = ()
    unit: str = field(default="line", init=False)

    def count(self) -> int | None:
        """Count the lines that are not blank."""
        if is_read_once(self.path):
            return None
        with open_input(self.path) as file:
            return sum(1 for _ in split_lines(file))

    def read(self) -> Iterator[InputNote]:
        """Yield the lines that are not blank."""
        with open_input(self.path) as file:
            for number, line in split_lines(file):
                yield self._read_line(number, line)

    def _read_line(self, number: int, line: bytes) -> InputNote:
        if self.columns is None and not self.keep:
            return InputNote(number, line)
        try:
            parsed: object = orjson.loads(line)
        except ValueError:
            parsed = None
        if not isinstance(parsed, dict):
            return InputNote(number, line, (None,) * len(self.keep))
        fields = cast("Mapping[str, object]", parsed)
        kept = tuple(fields.get(name) for name in self.keep)
        return InputNote(number, _choose(fields, self.columns) or line, kept)


@dataclass(frozen=True, slots=True)
class JsonList:
    """One list of notes. Without ``columns``, each is a message, whose ids may be numbers."""

    path: Path
    columns: InputColumns | None = None
    keep: Sequence[str] = ()
    unit: str = field(default="note", init=False)

    def count(self) -> int | None:
        """Count the notes."""
        return None if is_read_once(self.path) else sum(1 for _ in self.read())

    def read(self) -> Iterator[InputNote]:
        """Yield the notes.

        Raises:
            MissingArtefact: It is no list; the place is that of the first note that is none.
        """
        with open_input(self.path) as file:
            text = io.TextIOWrapper(file, "utf-8-sig", "surrogateescape")
            try:
                for number, (written, value) in enumerate(_ListReader(text).read()):
                    yield self._read_item(number, written, value)
            except ValueError:
                msg = f"{self.path}: is no list of JSON"
                raise MissingArtefact(msg) from None
            finally:
                # Whoever opened the file closes it.
                text.detach()

    def _read_item(self, number: int, written: str, value: object) -> InputNote:
        message = written.encode("utf-8", "surrogateescape")
        if not isinstance(value, dict):
            return InputNote(number, message, (None,) * len(self.keep))
        fields = cast("Mapping[str, object]", value)
        kept = tuple(fields.get(name) for name in self.keep)
        chosen = _choose(fields, self.columns)
        if chosen is None and any(isinstance(fields.get(name), int | float) for name in _IDS):
            ids = {name: fields[name] for name in _IDS if name in fields}
            chosen = json.dumps({**fields, **orjson.loads(encode_row(ids))}).encode()
        return InputNote(number, chosen or message, kept)


def _choose(fields: Mapping[str, object], columns: InputColumns | None) -> bytes | None:
    """Return the message that chosen fields make; nothing where the note is one as it stands."""
    if columns is None:
        return None
    chosen = encode_row({name: fields.get(column) for name, column in columns.named().items()})
    if "known" not in fields:
        return chosen
    # It has an inner form, as no cell of a table has.
    return json.dumps({**json.loads(chosen), "known": fields["known"]}).encode()


@dataclass(slots=True)
class _ListReader:
    """Reads the values of a list, with as little of the file in memory as one of them needs."""

    text: TextIO
    _held: str = field(default="", repr=False)
    _at: int = 0
    """Where the reader is in what it holds."""

    def read(self) -> Iterator[tuple[str, object]]:
        """Yield each value, as it is written and as it reads.

        Raises:
            ValueError: It is no list, or a value is longer than a note can be.
        """
        wanted = "["
        while (sign := self._find_sign()) == wanted:
            self._at += 1
            if self._find_sign() == "]":
                return
            yield self._read_value()
            wanted = ","
        if (wanted, sign) != (",", "]"):
            raise ValueError

    def _find_sign(self) -> str:
        """Go to the next sign that is no blank, and return it.

        Raises:
            ValueError: There is none.
        """
        while True:
            self._at = _BLANKS.match(self._held, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._held):
                return self._held[self._at]
            self._read_more()

    def _read_value(self) -> tuple[str, object]:
        while True:
            try:
                value, end = cast("tuple[object, int]", _DECODER.raw_decode(self._held, self._at))
            except json.JSONDecodeError:
                end = len(self._held)
                value = None
            # A value that reaches the end of what was read may go on behind it.
            if end < len(self._held):
                start, self._at = self._at, end
                return self._held[start:end], value
            self._read_more()

    def _read_more(self) -> None:
        held = self._held[self._at :]
        more = self.text.read(max(_FIRST_CHARACTERS, len(held)))
        if not more or len(held) > _MOST_CHARACTERS:
            raise ValueError
        self._held, self._at = held + more, 0
