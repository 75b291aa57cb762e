"""Codes below the heading of their column."""

import pytest

from deidstream.models.detection.clinical.column_values import find_column_values
from support.clinical_values import texts_of


def codes(text: str) -> list[str]:
    return texts_of(text, find_column_values(text))


@pytest.mark.parametrize("sign", [",", ";", "|", "\t"])
def test_finds_the_codes_of_a_column(sign: str) -> None:
    rows = (("PT", "CPT", "DX1"), ("4417", "99214", "E78.5"), ("0920", "", "I10"))
    assert codes("\n".join(map(sign.join, rows))) == ["99214", "E78.5", "I10"]


def test_quotes_hold_the_signs_between_cells() -> None:
    assert codes('NAME,CPT,MRN\n"VANCE, ADA",G0439,118840') == ["G0439"]


def test_measures_below_their_heading_are_no_ages() -> None:
    rows = "who | presc | qty out | Age\nAda | Dr Low, CDT | ~~65~~ 32 | 41\nBen | OUT | 80 | 37"
    assert codes(rows) == [" ~~65~~ 32 ", " 80 "]
    assert codes("Ada | bed | 41\nBen | 12 | 37") == []


def test_finds_denials_and_amounts_with_a_comma() -> None:
    rows = "svc_date;ICD;net AED;denial\n14/07/25;E11.65;1,218.00;MNEC-003"
    assert codes(rows) == ["E11.65", "1,218.00", "MNEC-003"]
    assert codes("date | pt | qty out | bal\n01 Apr | Povey | 80 | 3,270") == [" 80 ", " 3,270"]


@pytest.mark.parametrize(
    "text",
    [
        "PT,MRN,PAYER\nVance,99214,SELF",
        "PT,CPT,MRN\nVance,refused,118840",
        "PT,CPT,MRN\n99214,118840",
        "CPT,MRN\n99214,118840",
        "99214,118840,55\nPT,CPT,MRN",
        "name;Dose;dx;4417\nQadir;20610;99214;4418",
    ],
)
def test_leaves_other_columns_and_lines_of_another_width(text: str) -> None:
    assert codes(text) == []
