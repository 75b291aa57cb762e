"""Columns of a site's table: guessed, stated and refused; and cells that are not text."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from deidstream.agents.tables.input_columns import InputColumns, encode_row
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import InvalidNote, InvalidSettings, NoteField, Reason

MIMIC = ["note_id", "subject_id", "hadm_id", "note_type", "charttime", "text"]


def test_columns_are_guessed_by_their_names() -> None:
    found = InputColumns.guess(MIMIC)
    assert found == InputColumns(
        note_id="note_id",
        patient_id="subject_id",
        text="text",
        note_type="note_type",
        authored_at="charttime",
    )
    named = InputColumns.guess(["ID", "Patient ID", "NOTE_TEXT", "status"]).named()
    assert named == {"note_id": "ID", "patient_id": "Patient ID", "text": "NOTE_TEXT"}


def test_what_is_stated_comes_before_a_guess() -> None:
    names = ["ROW_ID", "PAT", "BODY", "TEXT"]
    found = InputColumns.guess(names, {"text": "BODY", "patient_id": "PAT"})
    assert (found.note_id, found.patient_id, found.text) == ("ROW_ID", "PAT", "BODY")


def test_a_guess_that_fails_quotes_no_name() -> None:
    # A table without a header has a note in its place.
    with pytest.raises(InvalidSettings) as refused:
        InputColumns.guess(["17", "Rosalind Achterberg", "Seen today."])
    assert len(str(refused.value).splitlines()) == 3
    assert "Achterberg" not in str(refused.value)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"text": "BODY"}, "no columns 'BODY'"),
        ({"txt": "text"}, "no field 'txt'"),
        ({"note_id": "hadm_id", "note_type": "twice"}, "2 columns 'twice'"),
    ],
)
def test_a_stated_column_that_does_not_exist_is_refused(stated: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidSettings, match=said):
        InputColumns.guess([*MIMIC, "twice", "twice"], stated)


def test_the_text_is_not_kept() -> None:
    columns = InputColumns.guess(MIMIC)
    columns.check(MIMIC, ["hadm_id", "subject_id"])
    with pytest.raises(InvalidSettings, match="not kept"):
        columns.check(MIMIC, ["text"])
    with pytest.raises(InvalidSettings, match="no columns 'ward'"):
        columns.check(MIMIC, ["ward"])


@pytest.mark.parametrize("given", [17, 17.0, Decimal(17), "17", b"17"])
def test_a_whole_number_is_an_id(given: object) -> None:
    note = read_message(encode_row({"note_id": given, "patient_id": 2**70, "text": "x"}))
    assert (note.note_id, note.patient_id) == ("17", str(2**70))


@pytest.mark.parametrize(
    ("cells", "reason", "field"),
    [
        ({"note_id": None}, Reason.MISSING_FIELD, NoteField.NOTE_ID),
        ({"note_id": float("nan")}, Reason.MISSING_FIELD, NoteField.NOTE_ID),
        ({"note_id": float("inf")}, Reason.MISSING_FIELD, NoteField.NOTE_ID),
        ({"note_id": " "}, Reason.MISSING_FIELD, NoteField.NOTE_ID),
        ({"patient_id": 1.5}, Reason.WRONG_TYPE, NoteField.PATIENT_ID),
        ({"patient_id": True}, Reason.WRONG_TYPE, NoteField.PATIENT_ID),
        ({"text": None}, Reason.MISSING_FIELD, NoteField.TEXT),
        ({"text": 17}, Reason.WRONG_TYPE, NoteField.TEXT),
        ({"text": ["a"]}, Reason.WRONG_TYPE, NoteField.TEXT),
        ({"text": ""}, Reason.EMPTY_TEXT, NoteField.TEXT),
        ({"text": b"Fr\xfchling"}, Reason.BAD_UTF8, None),
        ({"text": "a \ud83d b"}, Reason.BAD_UNICODE, None),
    ],
)
def test_what_is_wrong_with_a_cell_is_said_of_the_note(
    cells: dict[str, object], reason: Reason, field: NoteField | None
) -> None:
    with pytest.raises(InvalidNote) as refused:
        read_message(encode_row({"note_id": "n", "patient_id": "p", "text": "x"} | cells))
    assert (refused.value.reason, refused.value.field) == (reason, field)


def test_times_are_written_and_empty_cells_are_left_out() -> None:
    written = json.loads(
        encode_row({"authored_at": datetime(2031, 4, 2, 7, tzinfo=UTC), "note_type": ""})
    )
    assert written == {"authored_at": "2031-04-02T07:00:00+00:00", "note_type": None}
    assert json.loads(encode_row({"authored_at": date(2031, 4, 2)}))["authored_at"] == "2031-04-02"
