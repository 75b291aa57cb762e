"""Numbers of rows, which read as ages."""

from deidstream.models.detection.clinical.row_numbers import find_row_numbers
from support.clinical_values import texts_of

REGISTER = """61 | Okoro | 70
62 | Wife of 61, Dije | 55
63 | Bawa | 41
65 | CANCELLED, same as 63; mother of 7
"""


def test_rows_counted_by_one_and_what_returns_to_them_are_no_ages() -> None:
    found = texts_of(REGISTER, find_row_numbers(REGISTER))
    assert found == ["61", "62", "63", "65", "61", "63"]


def test_numbers_that_do_not_count_tell_nothing() -> None:
    text = REGISTER.replace("62 |", "70 |").replace("63 |", "12 |")
    assert not list(find_row_numbers(text))
    assert not list(find_row_numbers("61 | Okoro\n62 | Wife of 61"))
