"""Numbers of items, and medicines behind a dosage form."""

import pytest

from deidstream.models.detection.clinical.guard import cut_clinical_values
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span


def cut(text: str, found: str, label: PhiLabel) -> list[str]:
    start = text.index(found)
    span = Span(start, start + len(found), label, 0.99, "tagger")
    return [text[left.start : left.end] for left in cut_clinical_values(text, [span])]


def test_a_number_does_not_reach_to_the_item_of_the_next_line() -> None:
    assert cut("file 2024-0077120\n1. Legal", "2024-0077120\n1", PhiLabel.IDNUM) == ["2024-0077120"]
    assert cut("ph 555 0160\n5) tbc", "555 0160\n5", PhiLabel.PHONE) == ["555 0160"]


def test_a_date_does_not_reach_to_the_item_of_the_next_line() -> None:
    assert cut("in 09/2018.\n2. Paroxysmal", "09/2018.\n2", PhiLabel.DATE) == ["09/2018"]
    assert cut("on March\n3. He came", "March\n3", PhiLabel.DATE) == ["March\n3"]


def test_a_number_on_two_lines_stays_whole() -> None:
    assert cut("ph 07700\n900 123 x", "07700\n900 123", PhiLabel.PHONE) == ["07700\n900 123"]


@pytest.mark.parametrize("item", ["6. Kim", "2) Nurse", "4 | Namdev"])
def test_the_number_of_an_item_is_no_identifier(item: str) -> None:
    assert cut(f"x\n{item} came", item.split(" ", maxsplit=1)[0].strip(".)"), PhiLabel.IDNUM) == []


def test_a_day_that_begins_a_line_is_a_date() -> None:
    assert cut("x\n17. Funeral", "17", PhiLabel.DATE) == []
    assert cut("x\n3. April 2024", "3. April 2024", PhiLabel.DATE) == ["3. April 2024"]


def test_a_medicine_behind_its_dosage_form_is_no_name() -> None:
    assert cut("; T. Zorvex 10 mg", "T. Zorvex", PhiLabel.PATIENT) == []
    assert cut("Inj Zorvex stat", "Inj Zorvex", PhiLabel.DOCTOR) == []
    assert cut("Dr T. Okafor came", "T. Okafor", PhiLabel.DOCTOR) == ["T. Okafor"]
