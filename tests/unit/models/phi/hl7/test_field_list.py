"""One row says everything of a field: whether it passes, what it is, and what is looked for."""

from collections.abc import Callable, Iterator
from unittest.mock import Mock

import pytest

from deidstream.models.messages.hl7.known_values import gather_known
from deidstream.models.messages.hl7.message import read_message
from deidstream.models.messages.hl7.passed_fields import keep_passed
from deidstream.models.phi.hl7 import field_list as module
from deidstream.models.phi.hl7.field_list import (
    FieldKind,
    FieldRow,
    Mark,
    SegmentFields,
    field_list,
)
from deidstream.models.phi.hl7.message_grammar import read_hl7
from deidstream.models.phi.hl7.message_values import read_values
from deidstream.models.text.word_files import lines
from deidstream.schemas.label import PhiLabel

ROWS = [line.split(maxsplit=3) for line in lines("hl7.fields.txt") if line[3:4] == "-"]
HEAD = "MSH|^~\\&|A|GH|||20240311||ADT^A01|1|P|2.5\rPID|1||4410"


def test_every_field_has_one_row_in_order_with_its_name() -> None:
    places = [row[0] for row in ROWS]
    assert len(places) == len(set(places))
    assert [row for row in ROWS if len(row) < 4] == []
    for fields in field_list().listed.values():
        assert list(fields.rows) == sorted(fields.rows)


def test_people_are_looked_for_wherever_they_are_named() -> None:
    """A name that is not looked for stays in the free text of its message."""
    unmarked = [
        (segment, number)
        for segment, fields in field_list().listed.items()
        for number, row in fields.rows.items()
        if row.kind in {FieldKind.NAME, FieldKind.STAFF}
        and row.marks.isdisjoint({Mark.KNOWN, Mark.NAMES})
    ]
    assert unmarked == []


@pytest.mark.parametrize(
    "kind", ["nome", "name", "id", "name:PATIANT", "staff:DOCTOR", "text:NAME"]
)
def test_a_wrong_kind_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match=r"is not a valid|have a label"):
        FieldRow.of_kind(kind)


def test_a_wrong_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a valid Mark"):
        FieldRow.of_kind("code", "pass,knwon")


def test_what_has_no_row_is_free_text_and_does_not_pass() -> None:
    assert field_list().fields_of("ZPV") == SegmentFields()
    assert field_list().fields_of("PID").row(99) == FieldRow(FieldKind.TEXT)
    assert field_list().fields_of("SFT").row(6).kind is FieldKind.KEPT


@pytest.fixture
def add_row(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    shipped = lines("hl7.fields.txt")

    def add(row: str) -> None:
        monkeypatch.setattr(module, "lines", Mock(return_value=(*shipped, row)))
        field_list.cache_clear()

    yield add
    monkeypatch.undo()
    field_list.cache_clear()


def test_a_field_more_is_one_row(add_row: Callable[[str], None]) -> None:
    text = f"{HEAD}\rCON|1||||Shaw^Ann\rmore of it"
    message = read_message(f"{HEAD}\rCON|1||||Shaw^Ann")
    assert "Shaw" not in keep_passed(message).write()
    assert "Ann Shaw" not in gather_known(message).names
    assert [each.label for each in read_values(read_hl7(text)[2], text)] == [None] * 3

    add_row("CON-5  name:PATIENT  pass,known,lines  Who has agreed")
    assert "Shaw^Ann" in keep_passed(message).write()
    assert "Ann Shaw" in gather_known(message).names
    named = [each.label for each in read_values(read_hl7(text)[2], text)]
    assert named == [None, PhiLabel.PATIENT, PhiLabel.PATIENT]
    assert read_message(text).segments[2].field(5) == r"Shaw^Ann\.br\more of it"
    assert [each.name for each in read_hl7("CON|1||||Shaw^Ann\nCON|2|||Bo")] == ["CON", "CON"]
