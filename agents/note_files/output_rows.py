"""How the outcomes of notes are written: as records of a line each, or as the rows of a table.

A table has one row for each note that came in, in its order; records are of notes that passed.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import orjson

from deidstream.agents.note_files.delimited_notes import DelimitedNotes
from deidstream.agents.note_files.note_source import InputNote, NoteSource
from deidstream.agents.note_files.open_notes import (
    TABLES,
    InputForm,
    ParquetNotes,
    ending_of,
)
from deidstream.agents.tables.outcome_rows import OUTCOME_COLUMNS, outcome_row, refuse_taken
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import InvalidSettings, Rejected
from deidstream.schemas.extras import Extra, needing
from deidstream.schemas.outcome import Anonymized, Failed, Outcome, Retracted
from deidstream.schemas.wire import encode_anonymized, encode_retraction

if TYPE_CHECKING:
    from deidstream.agents.tables.parquet_outputs import ParquetOutputs

_RECORDS = frozenset({".jsonl", ".ndjson", ".json"})


class OutputEncoder(Protocol):
    """Makes bytes of outcomes, to be written one after another."""

    def begin(self) -> bytes:
        """Return what comes before all outcomes."""
        ...

    def encode(self, notes: Sequence[InputNote], outcomes: Sequence[Outcome]) -> bytes:
        """Return the outcomes of notes, in their order."""
        ...

    def finish(self, written: Path, fresh: Path) -> bool:
        """Make of all these bytes, in a file, another file, if need be; return whether it was."""
        ...


def choose_encoder(out: Path, source: NoteSource) -> OutputEncoder:
    """Return what writes outputs as the name of their file says, or else as the input is.

    Raises:
        InvalidSettings: A column is to be kept that has no place.
        MissingExtra: What writes Parquet is not installed.
    """
    form = output_form(out, source)
    if form is InputForm.PARQUET:
        return ParquetRows.of(source)
    if form in TABLES:
        delimiter = source.delimiter if isinstance(source, DelimitedNotes) else ","
        refuse_taken(source.keep)
        return DelimitedRows(source.keep, "\t" if form is InputForm.TSV else delimiter)
    if source.keep:
        msg = f"--keep: {out} is no table; name it .csv, .tsv or .parquet"
        raise InvalidSettings(msg)
    return WireRecords()


def output_form(out: Path, source: NoteSource) -> InputForm:
    """Return the form that the name of an output shows, or else that of the input."""
    ending = ending_of(out)
    for form in TABLES:
        if ending == f".{form}":
            return form
    if ending in _RECORDS:
        return InputForm.JSONL
    if isinstance(source, ParquetNotes):
        return InputForm.PARQUET
    return InputForm.CSV if isinstance(source, DelimitedNotes) else InputForm.JSONL


@dataclass(frozen=True, slots=True)
class WireRecords:
    """``notes.anonymized`` records."""

    def begin(self) -> bytes:
        """Return nothing."""
        return b""

    def encode(self, notes: Sequence[InputNote], outcomes: Sequence[Outcome]) -> bytes:  # noqa: ARG002 - as the protocol has it
        """Return a line for each note that is not in quarantine."""
        lines: list[bytes] = []
        for outcome in outcomes:
            if isinstance(outcome, Retracted):
                lines.append(encode_retraction(outcome) + b"\n")
            elif not isinstance(outcome, Failed):
                lines.append(encode_anonymized(outcome.note) + b"\n")
        return b"".join(lines)

    def finish(self, written: Path, fresh: Path) -> bool:  # noqa: ARG002 - as the protocol has it
        """Leave the file as it is."""
        return False


@dataclass(frozen=True, slots=True)
class ResourceLines:
    """FHIR resources as NDJSON, as they were de-identified; other notes have none."""

    def begin(self) -> bytes:
        """Return nothing."""
        return b""

    def encode(self, notes: Sequence[InputNote], outcomes: Sequence[Outcome]) -> bytes:  # noqa: ARG002 - as the protocol has it
        """Return a line for each resource that is not in quarantine."""
        made = (outcome.note.resource for outcome in outcomes if isinstance(outcome, Anonymized))
        return b"".join(resource + b"\n" for resource in made if resource)

    def finish(self, written: Path, fresh: Path) -> bool:  # noqa: ARG002 - as the protocol has it
        """Leave the file as it is."""
        return False


@dataclass(frozen=True, slots=True)
class DelimitedRows:
    """Rows of CSV or TSV, below a header."""

    keep: Sequence[str]
    delimiter: str = ","

    def begin(self) -> bytes:
        """Return the header."""
        names = [*self.keep, *(column.name for column in OUTCOME_COLUMNS)]
        return write_rows([names], self.delimiter)

    def encode(self, notes: Sequence[InputNote], outcomes: Sequence[Outcome]) -> bytes:
        """Return a row for each note."""
        rows = [
            [*note.kept, *outcome_row(outcome).values()]
            for note, outcome in zip(notes, outcomes, strict=True)
        ]
        return write_rows(rows, self.delimiter)

    def finish(self, written: Path, fresh: Path) -> bool:  # noqa: ARG002 - as the protocol has it
        """Leave the file as it is."""
        return False


@dataclass(frozen=True, slots=True)
class ParquetRows:
    """Rows of a Parquet file."""

    outputs: "ParquetOutputs"
    as_text: bool
    """Whether the cells that are kept become text: those of JSON have all types in one column."""

    @classmethod
    def of(cls, source: NoteSource) -> "ParquetRows":
        """Return what writes the outputs of an input.

        Raises:
            MissingExtra: What writes Parquet is not installed.
            InvalidSettings: A column that is kept has the name of one of ours.
        """
        with needing(Extra.ANALYTICS, "an output of Parquet"):
            from deidstream.agents.tables.parquet_outputs import (  # noqa: PLC0415  pyarrow
                ParquetOutputs,
            )
        if isinstance(source, ParquetNotes):
            return cls(ParquetOutputs(source.rows.keep_schema(source.keep)), as_text=False)
        return cls(ParquetOutputs.of_texts(source.keep), as_text=True)

    def begin(self) -> bytes:
        """Return the beginning of a stream of Arrow."""
        return self.outputs.begin()

    def encode(self, notes: Sequence[InputNote], outcomes: Sequence[Outcome]) -> bytes:
        """Return a batch of the stream."""
        kept = [note.kept for note in notes]
        if self.as_text:
            kept = [tuple(map(_text_or_none, cells)) for cells in kept]
        return self.outputs.encode(kept, outcomes)

    def finish(self, written: Path, fresh: Path) -> bool:
        """Make a file of Parquet of the stream."""
        self.outputs.finish(written, fresh)
        return True


@dataclass(frozen=True, slots=True)
class Crosswalk:
    """Rows of CSV that say which output is of which note: for those who may know."""

    def begin(self) -> bytes:
        """Return the header."""
        names = ("place", "input_note_id", "input_patient_id")
        return write_rows([[*names, "output_id", "note_id", "patient_id", "status"]])

    def encode(self, notes: Sequence[InputNote], outcomes: Sequence[Outcome]) -> bytes:
        """Return a row for each note; its place is counted from 1."""
        rows: list[list[object]] = []
        for note, outcome in zip(notes, outcomes, strict=True):
            row = outcome_row(outcome)
            made = [row[name] for name in ("output_id", "note_id", "patient_id", "status")]
            rows.append([note.place + 1, *_given_ids(note), *made])
        return write_rows(rows)

    def finish(self, written: Path, fresh: Path) -> bool:  # noqa: ARG002 - as the protocol has it
        """Leave the file as it is."""
        return False


def write_rows(rows: Sequence[Sequence[object]], delimiter: str = ",") -> bytes:
    """Return rows as CSV in UTF-8; a cell that looks like a formula stays what it is."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerows([_cell_text(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def _cell_text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return json.dumps(value, default=str, ensure_ascii=False)


def _text_or_none(value: object) -> str | None:
    return None if value is None else _cell_text(value)


def _given_ids(note: InputNote) -> Iterator[str]:
    """Yield the ids of note and patient as they came, if they can be read at all."""
    if isinstance(note.message, Failed):
        yield from (note.name, "")
        return
    try:
        read = read_message(note.message, limit_bytes=len(note.message))
    except Rejected:
        yield from _stated_ids(note.message)
    else:
        yield from (read.note_id, read.patient_id)


def _stated_ids(message: bytes) -> Iterator[str]:
    try:
        parsed: object = orjson.loads(message)
    except ValueError:
        parsed = None
    fields = cast("Mapping[str, object]", parsed) if isinstance(parsed, dict) else {}
    for name in ("note_id", "patient_id"):
        value = fields.get(name)
        yield value if isinstance(value, str) else ""
