"""Records of the output topics become parts of rows; what is no record is refused."""

from dataclasses import replace

import orjson
import pytest

from deidstream.agents.tables.note_columns import COLUMNS, NAMES
from deidstream.agents.tables.output_parts import InvalidRecord, PartKind, read_part
from support.output_records import SampleNote

NOTE = SampleNote(7)
PIPELINE = orjson.loads(NOTE.records()[PartKind.NOTE])["pipeline"]


def columns_of(kind: PartKind, note: SampleNote = NOTE) -> dict[str, object]:
    return read_part(kind, note.records()[kind]).columns


def test_the_parts_of_a_note_have_every_column_once() -> None:
    parts = [columns_of(kind) for kind in PartKind]
    assert sorted(name for part in parts for name in part) == sorted(NAMES)
    whole = parts[0] | parts[1] | parts[2]
    assert [c.name for c in COLUMNS if not c.nullable and whole[c.name] is None] == []


def test_the_rule_of_a_level_and_its_cuts_are_columns() -> None:
    columns = columns_of(PartKind.RISK)
    assert columns["rule"] == "share-of-type"
    assert columns["cuts"] == {"yellow": 0.25, "red": 0.625}


def test_a_level_of_a_record_without_a_rule_is_by_thresholds() -> None:
    record = orjson.loads(NOTE.records()[PartKind.RISK])
    del record["rule"], record["cuts"]
    columns = read_part(PartKind.RISK, orjson.dumps(record)).columns
    assert (columns["rule"], columns["cuts"]) == ("threshold", None)


@pytest.mark.parametrize(
    ("moment", "month"),
    [("2031-02-03", "2031-02"), ("2031-02-03T10:00:00Z", "2031-02"), (None, "unknown")],
)
def test_the_month_is_that_of_the_shifted_moment(moment: str | None, month: str) -> None:
    record = orjson.loads(NOTE.records()[PartKind.NOTE]) | {"authored_at": moment}
    assert read_part(PartKind.NOTE, orjson.dumps(record)).columns["month"] == month


def test_entities_are_counted_by_label_and_nothing_else_is_kept() -> None:
    spans = [{"label": label, "start": 5, "source": "x"} for label in ("DATE", "AGE", "DATE")]
    record = orjson.loads(NOTE.records()[PartKind.ENTITIES]) | {"replacements": spans}
    part = read_part(PartKind.ENTITIES, orjson.dumps(record))
    assert part.columns == {"entities": {"AGE": 1, "DATE": 2}}
    assert (part.output_id, part.note_id) == (NOTE.output_id, NOTE.note_id)


@pytest.mark.parametrize("kind", [PartKind.NOTE, PartKind.RISK])
def test_a_record_that_takes_a_note_back_has_no_columns(kind: PartKind) -> None:
    cancelled = replace(NOTE, cancelled=True)
    part = read_part(kind, cancelled.records()[kind])
    assert (part.cancelled, part.columns, part.note_id) == (True, {}, NOTE.note_id)


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"note_id": None},
        {"text": 5},
        {"text": "a\0b"},
        {"policy": []},
        {"pipeline": {"version": "1"}},
        {"output_id": ["x"]},
        {"note_id": ""},
        {"note_id": "0" * 3_000},
        {"pipeline": PIPELINE | {"epoch": 2**63}},
        {"pipeline": PIPELINE | {"key_version": True}},
    ],
)
def test_what_is_no_record_is_refused_without_a_word_of_it(change: dict[str, object]) -> None:
    record = orjson.loads(NOTE.records()[PartKind.NOTE]) | change
    with pytest.raises(InvalidRecord) as caught:
        read_part(PartKind.NOTE, orjson.dumps(record))
    assert str(caught.value) == ""
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("value", [None, b"", b"{", b"[]", b"null", b'"x"', b"\xff", b"{}"])
@pytest.mark.parametrize("kind", PartKind)
def test_what_is_not_even_an_object_is_refused(kind: PartKind, value: bytes | None) -> None:
    with pytest.raises(InvalidRecord):
        read_part(kind, value)


@pytest.mark.parametrize(
    "change",
    [
        {"measures": {"a\0b": 1}},
        {"measures": []},
        {"method_version": 2**63},
        {"score": "high"},
        {"rule": None},
        {"cuts": [0.1, 0.2]},
    ],
)
def test_a_risk_record_that_no_table_can_store_is_refused(change: dict[str, object]) -> None:
    record = orjson.loads(NOTE.records()[PartKind.RISK]) | change
    with pytest.raises(InvalidRecord):
        read_part(PartKind.RISK, orjson.dumps(record))
