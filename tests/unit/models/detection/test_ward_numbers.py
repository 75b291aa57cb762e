import pytest

from deidstream.models.detection.ward_numbers import find_wards_alike
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span


def find(text: str, ward: str, score: float = 0.9) -> list[str]:
    start = text.index(ward)
    span = Span(start, start + len(ward), PhiLabel.HOSPITAL, score, "tagger")
    return [text[found.start : found.end] for found in find_wards_alike(text, [span])]


@pytest.mark.parametrize(
    ("text", "ward", "others"),
    [
        ("Mokoena T 54M W6 hernia, Botha 71F W11, Venter W12", "W6", ["W11", "W12"]),
        ("7C full; 8C has 2 beds", "7C", ["8C"]),
        ("PEDS 2 is full, PEDS 4 not", "PEDS 2", ["PEDS 4"]),
        ("Women's Pavilion 5A; he phoned 5A twice, 6A once", "Women's Pavilion 5A", ["5A"]),
        ("Ward 12A is full; to 12A when it has a bed, not 12B", "Ward 12A", ["12A"]),
    ],
)
def test_what_is_numbered_as_a_ward_is_one(text: str, ward: str, others: list[str]) -> None:
    assert find(text, ward) == others


@pytest.mark.parametrize(
    ("text", "ward"),
    [
        ("ward C4, fracture of C5", "C4"),
        ("W6 today, W11/40 and W7.5", "W6"),
        ("7C, 38.2C and 12C/min", "7C"),
        ("7C, grade 3B", "7C"),
    ],
)
def test_what_counts_something_else_is_none(text: str, ward: str) -> None:
    assert find(text, ward) == []


def test_a_doubtful_ward_shows_no_form() -> None:
    assert find("W6 and W11", "W6", score=0.4) == []
