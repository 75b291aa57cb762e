"""A remark returns to an entry of a register by its number, or by the end of it."""

import re

import pytest

from deidstream.models.detection.entry_numbers import find_returns
from deidstream.models.detection.sweep import sweep
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

REGISTER = "0214 | Ada Okoro\n0215 | Bo Strand\n"
CALLS = "Ref RH-1228-03 sent.\nRef RH-1228-04 sent.\n"


def entries(text: str, label: PhiLabel = PhiLabel.IDNUM, score: float = 0.9) -> list[Span]:
    """Return the numbers of the first two lines."""
    first_lines = re.finditer(r"[0-9A-Z][0-9A-Z-]*[0-9]", "\n".join(text.split("\n")[:2]))
    return [Span(one.start(), one.end(), label, score, "tagger") for one in first_lines]


def returns(text: str, spans: list[Span]) -> list[str]:
    return [text[one.start : one.end] for one in find_returns(text, spans)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{REGISTER}0215 returned\n", ["0215"]),
        (f"{REGISTER}1915  0215: no answer, then 0214\n", ["0215", "0214"]),
        (f"{REGISTER}kept\t0214 kept\t(15) kept (214)\n", ["0214", "15"]),
        (f"{REGISTER}(15) left, (214) and (0214) stay\n", ["15", "0214"]),
        (f"{REGISTER}0216 x\n(16) y\nat 02:14, 0214/0215, 1.0214 or 0214%\n", []),
        (f"{CALLS}2147H  (03) arrived?\n2210  03 rang\n", ["03", "03"]),
        (f"{CALLS}03. oxygen\n04) aspirin\nbed 03, MRI 04\n", []),
        ("A-2024 in\nA-2025 in\nMRI 2024 and 2025\n", []),
    ],
)
def test_a_remark_begins_with_the_number_of_an_entry(text: str, expected: list[str]) -> None:
    assert returns(text, entries(text)) == expected


@pytest.mark.parametrize(
    "spans",
    [
        entries(REGISTER)[:1],
        entries(REGISTER, score=0.4),
        entries(REGISTER, PhiLabel.PHONE),
        [],
    ],
)
def test_neither_one_number_nor_doubtful_ones_make_a_register(spans: list[Span]) -> None:
    assert returns(f"{REGISTER}0214 returned\n0215 returned\n", spans) == []


def test_a_sure_entry_vouches_for_a_doubtful_one() -> None:
    first, second = entries(REGISTER)

    assert returns(f"{REGISTER}0215 returned\n", [first, second.scored(0.2)]) == ["0215"]


def test_the_sweep_adds_the_returns_to_an_entry() -> None:
    text = f"{REGISTER}(15) returned\n"

    added = [span for span in sweep(text, entries(text)) if span.source == "sweep"]

    assert [(text[span.start : span.end], span.label) for span in added] == [("15", PhiLabel.IDNUM)]
