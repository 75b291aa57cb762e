"""Notes in CSV and TSV: one in each row, below a row with the names of the columns.

Quotes are those of RFC 4180. A row that has more or fewer cells than the header is torn, most often
by a quote or a line break of its text: it is quarantined, and so is one whose quotes do not close.
"""

import codecs
import csv
import io
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import BinaryIO, cast

from deidstream.agents.note_files.input_files import is_read_once, open_input
from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.tables.input_columns import InputColumns, encode_row
from deidstream.schemas.errors import MissingArtefact, Reason, Stage
from deidstream.schemas.outcome import Failed

TORN = Failed(Reason.WRONG_TYPE, Stage.DECODE)
"""The outcome of a row that is none of this table."""
UTF8, WINDOWS = "utf-8", "cp1252"
ENCODINGS = (UTF8, WINDOWS)
_DELIMITERS = ",;\t|"
_LONGEST_CELL = 16 << 20
"""Bytes: beyond them a quote that never closes would hold the rest of the file."""
_MARKS_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_Rows = Generator[list[str] | None]


@dataclass(slots=True)
class DelimitedNotes:
    """A file of rows, whose header has been read."""

    path: Path
    encoding: str | None
    """Stated: a row with other bytes is quarantined. ``None``: UTF-8, or the file is refused."""
    delimiter: str = ""
    """Of the header: that of those in use which it has most of."""
    names: Sequence[str] = ()
    columns: InputColumns = field(default_factory=InputColumns)
    keep: Sequence[str] = ()
    unit: str = field(default="row", init=False)
    _opened: _Rows | None = None
    """The rows of what cannot be read twice, behind the header."""

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        encoding: str | None,
        delimiter: str,
        stated: Mapping[str, str],
        keep: Sequence[str],
    ) -> "DelimitedNotes":
        """Read the header.

        Args:
            path: Of the file; ``-`` is stdin.
            encoding: One of ``ENCODINGS``, if it is stated.
            delimiter: Of the cells; if it is empty, the header shows it.
            stated: Columns by the field that they have; others are guessed.
            keep: Columns that the output has too.

        Raises:
            MissingArtefact: The file cannot be read, or is empty.
            InvalidSettings: A column is missing.
        """
        source = cls(path, encoding, delimiter)
        with ExitStack() as unless_kept:
            rows = unless_kept.enter_context(closing(source._rows()))
            header = next(rows, None)
            if header is None:
                msg = f"{path}: has no header: the first row must have the names of the columns"
                raise MissingArtefact(msg)
            source.names, source.keep = header, keep
            source.columns = InputColumns.guess(header, stated)
            source.columns.check(header, keep)
            if is_read_once(path):
                source._opened = rows
                unless_kept.pop_all()
        return source

    def count(self) -> int | None:
        """Count the rows.

        Raises:
            MissingArtefact: The file cannot be read, or is of an encoding that is not stated.
        """
        return None if self._opened else sum(1 for _ in self.read())

    def read(self) -> Iterator[InputNote]:
        """Yield the rows.

        Raises:
            MissingArtefact: The file cannot be read, or is of an encoding that is not stated.
        """
        places = {name: self.names.index(name) for name in self.names}
        fields = {field: places[column] for field, column in self.columns.named().items()}
        kept = [places[name] for name in self.keep]
        with closing(self._opened or self._rows()) as rows:
            if self._opened is None:
                next(rows)
            for number, row in enumerate(rows):
                if row is None or len(row) != len(self.names):
                    yield InputNote(number, TORN, (None,) * len(kept))
                    continue
                cells = {field: row[place] for field, place in fields.items()}
                yield InputNote(number, encode_row(cells), tuple(row[place] for place in kept))

    def _rows(self) -> _Rows:
        """Yield the header and the rows that are not blank; ``None``: one that is torn."""
        with (
            open_input(self.path) as file,
            closing(_decode_lines(self.path, file, self.encoding)) as lines,
        ):
            first = next(lines, "")
            self.delimiter = self.delimiter or max(_DELIMITERS, key=first.count)
            csv.field_size_limit(_LONGEST_CELL)
            reader = csv.reader(chain([first], lines), delimiter=self.delimiter, strict=True)
            while True:
                try:
                    row = next(reader, None)
                except csv.Error as error:
                    self._refuse_endless(error, reader.line_num)
                    yield None
                    continue
                if row is None:
                    return
                if row:
                    yield row

    def _refuse_endless(self, error: csv.Error, line: int) -> None:
        """Refuse a file if one of its cells has no end; the words of the error have no text."""
        if "field larger" in str(error):
            msg = f"{self.path}: a cell goes on beyond line {line}: is a quote left open before it?"
            raise MissingArtefact(msg)


def _decode_lines(path: Path, file: BinaryIO, encoding: str | None) -> Generator[str]:
    if cast("BufferedReader", file).peek(2)[:2] in _MARKS_16:
        msg = f"{path}: is UTF-16: save it as UTF-8"
        raise MissingArtefact(msg)
    # What cannot be read twice cannot be refused before the first output: its rows are.
    row_by_row = encoding is not None or is_read_once(path)
    errors = "surrogateescape" if row_by_row else "strict"
    codec = WINDOWS if encoding == WINDOWS else "utf-8-sig"
    text = io.TextIOWrapper(file, codec, errors, newline="")
    try:
        yield from iter(text.readline, "")
    except UnicodeDecodeError:
        msg = (
            f"{path}: is not UTF-8; say --encoding {WINDOWS} if Windows wrote it, or "
            f"--encoding {UTF8} to quarantine the rows that are not"
        )
        raise MissingArtefact(msg) from None
    finally:
        # Whoever opened the file closes it.
        text.detach()
