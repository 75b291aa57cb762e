"""Which columns of a site's table have the fields of a note, and how a row becomes a message."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Self

import orjson

from deidstream.schemas.errors import InvalidSettings, NoteField

_REQUIRED = (NoteField.NOTE_ID, NoteField.PATIENT_ID, NoteField.TEXT)
_NAMES: Mapping[NoteField, Sequence[str]] = MappingProxyType(
    {
        NoteField.NOTE_ID: ("noteid", "documentid", "docid", "reportid", "rowid", "id"),
        NoteField.PATIENT_ID: ("patientid", "subjectid", "personid", "patid", "patient", "mrn"),
        NoteField.TEXT: ("text", "notetext", "reporttext", "note", "body", "content", "report"),
        NoteField.TENANT: ("tenant",),
        NoteField.NOTE_TYPE: ("notetype", "documenttype", "reporttype", "category", "type"),
        NoteField.LANGUAGE: ("language",),
        NoteField.AUTHORED_AT: (
            "authoredat",
            "notedatetime",
            "notedate",
            "charttime",
            "chartdate",
            "datetime",
            "date",
        ),
        NoteField.SOURCE_TIME: ("sourcetime",),
        NoteField.CORRELATION: ("correlation",),
    }
)
"""Names that columns of notes usually have, in small letters and without signs, by what they hold;
the likeliest first. A ``status`` and a ``version`` are not guessed: most columns of these names
have words of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputColumns:
    """The names of the columns that have the fields of a note; ``None``: no column has it."""

    note_id: str = "note_id"
    patient_id: str = "patient_id"
    text: str = "text"
    tenant: str | None = None
    note_type: str | None = None
    language: str | None = None
    authored_at: str | None = None
    status: str | None = None
    version: str | None = None
    source_time: str | None = None
    correlation: str | None = None

    @classmethod
    def guess(cls, names: Sequence[str], stated: Mapping[str, str] | None = None) -> Self:
        """Find the columns by their names.

        Args:
            names: Of all columns. They are not quoted: without a header, they are a note.
            stated: Columns that somebody has stated, by the field that they have.

        Raises:
            InvalidSettings: No column has the id of the note, of the patient, or the text; or a
                stated field or column does not exist.
        """
        found = {**_guess(names), **(stated or {})}
        unknown = found.keys() - {each.name for each in fields(cls)}
        faults = [f"there is no field {name!r} of a note" for name in sorted(unknown)]
        for name in _REQUIRED:
            if name not in found:
                known = ", ".join(_NAMES[name])
                faults.append(f"no column is named as one of {name} ({known}); say which has it")
        if faults:
            raise InvalidSettings("\n".join(faults))
        columns = cls(**found)
        columns.check(names)
        return columns

    def named(self) -> dict[str, str]:
        """Return the columns that are named, by their field."""
        return {field: column for field, column in asdict(self).items() if column is not None}

    def check(self, names: Sequence[str], keep: Sequence[str] = ()) -> None:
        """Check that each column is there once, and that none which is kept has the text.

        Args:
            names: Of all columns.
            keep: Columns that are copied to the outputs.

        Raises:
            InvalidSettings: Every column that is missing or not the only one of its name, or may
                not be kept.
        """
        asked = [(f"of {field}", column) for field, column in self.named().items()]
        asked += [("to keep", column) for column in keep]
        faults = [
            f"the input has {names.count(column) or 'no'} columns {column!r} ({why})"
            for why, column in asked
            if names.count(column) != 1
        ]
        if self.text in keep:
            faults.append(f"the column {self.text!r} has the text of the notes: it is not kept")
        if faults:
            raise InvalidSettings("\n".join(faults))


def encode_row(cells: Mapping[str, object]) -> bytes:
    """Return the ``notes.raw`` record of a row; what is wrong with it is found when it is decoded.

    A whole number is an id as it is, and so is one that a library has made a float or a decimal.

    Args:
        cells: The values of a row by field of the note, as Arrow or a reader of files has them.
            Bytes that are no UTF-8 stand for themselves, as ``surrogateescape`` keeps them.
    """
    record = {field: _read_cell(field, value) for field, value in cells.items()}
    try:
        return orjson.dumps(record)
    except TypeError:
        # A lone surrogate: orjson does not write it. What is read again says what is wrong.
        pass
    try:
        return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return json.dumps(record).encode()


def _read_cell(field: str, value: object) -> object:
    """Return a text, nothing, or something that is of no type of a field."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return value if value or field in _REQUIRED else None
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return _read_number(value) if field != NoteField.TEXT else False
    return None if value is None else False


def _read_number(value: float | Decimal) -> str | bool | None:
    """Return a whole number as text; what is not a number is no value."""
    if not math.isfinite(value):
        return None
    return str(int(value)) if value == int(value) else False


def _guess(names: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    by_form = {re.sub("[^a-z0-9]", "", name.casefold()): name for name in reversed(names)}
    for field, forms in _NAMES.items():
        column = next((by_form[form] for form in forms if form in by_form), None)
        if column is not None:
            found[field] = column
    return found
