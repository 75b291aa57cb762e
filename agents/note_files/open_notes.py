"""Find the form of an input, and open it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from deidstream.agents.note_files.delimited_notes import DelimitedNotes
from deidstream.agents.note_files.input_files import is_read_once, open_input
from deidstream.agents.note_files.json_notes import JsonLines, JsonList
from deidstream.agents.note_files.note_source import InputNote, NoteSource
from deidstream.agents.note_files.text_folder import ALONE, TextFolder
from deidstream.agents.runtime.terminal import say
from deidstream.agents.tables.input_columns import InputColumns
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.extras import Extra, needing

if TYPE_CHECKING:
    from deidstream.agents.tables.delta_rows import DeltaRows
    from deidstream.agents.tables.parquet_rows import ParquetRows

PACKED = frozenset({".gz", ".zst"})


class InputForm(StrEnum):
    """What an input is made of."""

    JSONL = "jsonl"
    """A note on each line."""
    JSON = "json"
    """One list of notes."""
    CSV = "csv"
    """A header, and a note in each row; the delimiter is seen from the header."""
    TSV = "tsv"
    """The same, with tabs."""
    PARQUET = "parquet"
    """A note in each row, of a file or of all files of a folder."""
    DELTA = "delta"
    """A note in each row of a Delta Lake table, as it is when it is opened."""
    FOLDER = "folder"
    """A note in each file."""


TABLES = frozenset({InputForm.CSV, InputForm.TSV, InputForm.PARQUET})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How an input is to be read, as far as somebody has stated it."""

    form: InputForm | None = None
    """By default, that which its name shows, and else ``jsonl``."""
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Columns by the field that they have; others are guessed by name."""
    encoding: str | None = None
    keep: Sequence[str] = ()
    """Columns that the output has too."""
    by_folder: bool = False
    """Whether the files of one folder are about one patient."""


def open_notes(path: Path, reading: Reading | None = None) -> NoteSource:
    """Open an input and say which columns are read, where it has columns.

    Args:
        path: Of a file or folder; ``-`` is stdin.
        reading: How it is read.

    Raises:
        MissingArtefact: It cannot be read.
        InvalidSettings: A column is missing, or something is stated that this form has not.
    """
    reading = reading or Reading()
    form = reading.form or find_form(path)
    _refuse_unused(reading, form)
    if form is InputForm.FOLDER:
        return TextFolder(path, reading.by_folder)
    if form in {InputForm.JSONL, InputForm.JSON}:
        return _open_json(path, form, reading)
    if form in {InputForm.PARQUET, InputForm.DELTA}:
        opened: ParquetNotes | DelimitedNotes = ParquetNotes.open(path, form, reading)
        delimiter = ""
    else:
        opened = DelimitedNotes.open(
            path,
            encoding=reading.encoding,
            delimiter="\t" if form is InputForm.TSV else "",
            stated=reading.columns,
            keep=reading.keep,
        )
        delimiter = f"; cells end at {opened.delimiter!r}"
    columns = ", ".join(f"{name}={column}" for name, column in opened.columns.named().items())
    say(f"columns: {columns}{delimiter} (--columns states others)")
    return opened


def find_form(path: Path) -> InputForm:
    """Return the form that the name of an input shows.

    A file named ``.json`` is a list if it begins as one. Other files have a note on each line.

    Raises:
        MissingArtefact: It cannot be read.
    """
    if path.is_dir():
        if (path / "_delta_log").is_dir():
            return InputForm.DELTA
        has_tables = next(path.rglob("*.parquet"), None) is not None
        return InputForm.PARQUET if has_tables else InputForm.FOLDER
    ending = ending_of(path)
    if ending == ".json" and not is_read_once(path):
        with open_input(path) as file:
            first = file.read(4_096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        return InputForm.JSON if first == b"[" else InputForm.JSONL
    if ending in ALONE:
        return InputForm.FOLDER
    named = {f".{form}": form for form in TABLES}
    return named.get(ending, InputForm.JSONL)


def ending_of(path: Path) -> str:
    """Return the ending that shows the form, in small letters: ``.csv`` of ``a.csv.gz``."""
    bare = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return bare.suffix.lower()


@dataclass(frozen=True, slots=True)
class ParquetNotes:
    """The rows of Parquet files, or of a table that consists of such files."""

    rows: "ParquetRows | DeltaRows"
    columns: InputColumns
    keep: Sequence[str]
    unit: str = field(default="row", init=False)

    @classmethod
    def open(cls, path: Path, form: InputForm, reading: Reading) -> "ParquetNotes":
        """Read the columns.

        Raises:
            MissingArtefact: A file cannot be read.
            MissingExtra: What reads Parquet is not installed.
            InvalidSettings: A column is missing.
        """
        rows = _open_delta(path) if form is InputForm.DELTA else _open_parquet(path)
        columns = InputColumns.guess(rows.schema.names, reading.columns)
        columns.check(rows.schema.names, reading.keep)
        return cls(rows, columns, reading.keep)

    def count(self) -> int | None:
        """Return the number of rows, which the files state."""
        return self.rows.count()

    def read(self) -> Iterator[InputNote]:
        """Yield the rows."""
        for number, row in enumerate(self.rows.read(self.columns, self.keep)):
            yield InputNote(number, row.message, row.kept)


def _open_parquet(path: Path) -> "ParquetRows":
    with needing(Extra.ANALYTICS, "a file of Parquet"):
        from deidstream.agents.tables.parquet_rows import ParquetRows  # noqa: PLC0415  pyarrow
    return ParquetRows.open(path)


def _open_delta(path: Path) -> "DeltaRows":
    with needing(Extra.ANALYTICS, "a table of Delta Lake"):
        from deidstream.agents.tables.delta_rows import DeltaRows  # noqa: PLC0415  deltalake
    return DeltaRows.open(path)


def _open_json(path: Path, form: InputForm, reading: Reading) -> NoteSource:
    columns = None
    if reading.columns:
        # A note in JSON names its fields itself: those that are not stated have their own names.
        own = [each.name for each in fields(InputColumns)]
        names = [*dict.fromkeys([*own, *reading.columns.values()])]
        columns = InputColumns.guess(names, {"status": "status", **reading.columns})
    text = columns.text if columns else "text"
    if text in reading.keep:
        msg = f"the field {text!r} has the text of the notes: it is not kept"
        raise InvalidSettings(msg)
    opened = JsonList if form is InputForm.JSON else JsonLines
    return opened(path, columns, reading.keep)


def _refuse_unused(reading: Reading, form: InputForm) -> None:
    faults: list[str] = []
    if form is InputForm.FOLDER and (reading.columns or reading.keep):
        faults.append("--columns, --keep: a folder of files has no columns")
    if form is not InputForm.FOLDER and reading.by_folder:
        faults.append("--patients: only the files of a folder are told apart by it")
    if form not in {InputForm.CSV, InputForm.TSV} and reading.encoding:
        faults.append("--encoding: is of CSV and TSV; others are UTF-8, or say it themselves")
    if faults:
        raise InvalidSettings("\n".join(faults))
