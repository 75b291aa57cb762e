"""Tables of notes by the Python door: a row in, a row out."""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false

import subprocess
import sys
from collections.abc import Iterator

import pyarrow as pa
import pytest

from deidstream.agents import InputColumns
from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier
from deidstream.agents.runtime.local_service import LocalService
from deidstream.agents.tables import note_batches
from deidstream.agents.tables.outcome_rows import OUTCOME_COLUMNS
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.note import RawNote
from support.pipeline import service
from support.reversible_site import quick

TEXT = "Ms. Rosalind Achterberg was seen on 03/04/2024."
ROWS = {
    "id": [7, 8, None, 9, 10],
    "subject_id": [1, 1, 1, 2, None],
    "ward": ["A", "B", None, "D", "E"],
    "body": [TEXT, None, TEXT, f"{TEXT} She slept well.", TEXT],
}
STATUS = ["anonymized", "quarantined", "quarantined", "anonymized", "quarantined"]
REASONS = [None, "MISSING_FIELD", "MISSING_FIELD", None, "MISSING_FIELD"]


@pytest.fixture
def door() -> Iterator[Deidentifier]:
    """A door to a pipeline that runs no model on the note."""
    with Deidentifier(LocalService(service(quick()), batch_notes=2)) as opened:
        yield opened


def batch(**others: object) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(ROWS | others)


def test_each_row_has_a_row_in_its_place(door: Deidentifier) -> None:
    made = door.deidentify_batch(batch(), keep=["ward"])
    assert made.schema.names == ["ward", *(column.name for column in OUTCOME_COLUMNS)]
    assert made["ward"].to_pylist() == ROWS["ward"]
    assert made["status"].to_pylist() == STATUS
    assert made["reason"].to_pylist() == REASONS
    assert made["field"].to_pylist() == [None, "text", "note_id", None, "patient_id"]
    assert "slept well" in made["text"][3].as_py()
    assert "Achterberg" not in str(made.to_pylist())


def test_a_row_becomes_what_the_note_becomes(door: Deidentifier) -> None:
    (row, *_) = door.deidentify_batch(batch()).to_pylist()
    note = door.deidentify(RawNote("7", "1", TEXT))
    assert isinstance(note, DeidentifiedNote)
    for name in ("output_id", "note_id", "patient_id", "text", "language"):
        assert row[name] == getattr(note.record, name)
    assert (row["level"], row["score"]) == (note.risk.level, note.risk.score)
    assert note.risk.cuts is not None
    cuts = (note.risk.cuts.yellow, note.risk.cuts.red)
    assert (row["rule"], row["yellow_cut"], row["red_cut"]) == ("threshold", *cuts)


def test_a_row_may_take_a_note_back(door: Deidentifier) -> None:
    given = batch(state=["cancelled"] * 5)
    columns = InputColumns(note_id="id", patient_id="subject_id", text="body", status="state")
    made = door.deidentify_batch(given, columns).to_pylist()
    assert [row["status"] for row in made].count("retracted") == 3
    assert made[0]["note_id"]
    assert made[0]["text"] is None


def test_bytes_that_are_no_text_are_a_row(door: Deidentifier) -> None:
    raw = pa.array([TEXT.encode(), b"Fr\xfchling"] * 2 + [None], pa.binary())
    wrong = raw.view(pa.string())
    for body in (raw, wrong):
        made = door.deidentify_batch(batch(id=[1, 2, 3, 4, 5], subject_id=[1] * 5, body=body))
        assert made["reason"].to_pylist() == [None, "BAD_UTF8", None, "BAD_UTF8", "MISSING_FIELD"]


def test_a_time_with_nanoseconds_is_a_time(door: Deidentifier) -> None:
    when = pa.array([10**18 + 1] * 5, pa.timestamp("ns"))
    made = door.deidentify_batch(batch(charttime=when), keep=["charttime"])
    assert made["charttime"].equals(when)
    assert made["status"].to_pylist() == STATUS
    assert made["authored_at"][0].as_py()


def test_nothing_is_done_where_a_column_is_missing(
    door: Deidentifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(note_batches, "encode_rows", None)
    with pytest.raises(InvalidSettings, match="no columns 'note'"):
        door.deidentify_batch(batch(), InputColumns(note_id="id", patient_id="ward", text="note"))
    with pytest.raises(InvalidSettings, match="one of patient_id"):
        door.deidentify_table(pa.table({"id": [1], "text": ["x"]}))
    with pytest.raises(InvalidSettings, match="not kept"):
        door.deidentify_batch(batch(), keep=["body"])
    taken = batch(status=["a"] * 5)
    with pytest.raises(InvalidSettings, match="column 'status' of their own"):
        door.deidentify_batch(taken, keep=["status"])


def test_a_table_is_its_batches(door: Deidentifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(note_batches, "BATCH_ROWS", 2)
    whole = pa.table(ROWS)
    chunked = pa.concat_tables([whole[:1], whole[1:]])
    made = door.deidentify_table(chunked, keep=["ward"])
    assert made.to_pylist() == door.deidentify_batch(batch(), keep=["ward"]).to_pylist()
    assert door.deidentify_table(whole.to_reader()).num_rows == 5


def test_an_empty_table_has_all_columns(door: Deidentifier) -> None:
    empty = pa.table(ROWS)[:0]
    made = door.deidentify_table(empty, keep=["ward"])
    assert (made.num_rows, made.schema.names[0]) == (0, "ward")
    assert door.deidentify_batch(batch().slice(0, 0)).num_rows == 0


def test_whatever_has_the_stream_of_arrow_is_a_table(door: Deidentifier) -> None:
    class Frame:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return pa.table(ROWS).__arrow_c_stream__(requested_schema)

    assert door.deidentify_table(Frame())["status"].to_pylist() == STATUS
    with pytest.raises(TypeError, match="dict has no __arrow_c_stream__"):
        door.deidentify_table(ROWS)  # type: ignore[arg-type]


@pytest.mark.slow  # a process that imports the service
def test_without_pyarrow_the_extra_is_named() -> None:
    code = """
import sys
sys.modules["pyarrow"] = None
from deidstream.agents import Deidentifier
Deidentifier.deidentify_batch(None, None)
"""
    done = subprocess.run(  # noqa: S603  ours
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert "pip install 'deidstream[analytics]'" in done.stderr
