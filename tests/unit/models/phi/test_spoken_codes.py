"""Codes that were dictated character by character."""

import pytest

from deidstream.models.phi.codes.spoken_codes import read_spoken_code, write_spoken_code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("five five oh one", "5501"),
        ("four eight five triple seven oh three double six one", "48577703661"),
        ("sierra three six, nine x-ray tango", "s369xt"),
        ("R as in Robert, five five", "r55"),
        ("sixty one forty four", "6144"),
        ("one oh uh one dash two", "1012"),
        ("five five 01", None),
        ("five milligrams daily", None),
        ("double", None),
        ("A B C", None),
        ("O/A/A", None),
    ],
)
def test_a_dictated_code_is_read(text: str, code: str | None) -> None:
    assert read_spoken_code(text) == code


def test_another_code_is_said_as_the_first_was() -> None:
    said = "S as in Sam, two four stroke double nine, zulu"
    assert write_spoken_code(said, "k3518b") == "K, three five stroke one eight, bravo"
