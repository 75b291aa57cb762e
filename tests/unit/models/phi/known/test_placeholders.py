import pytest

from deidstream.models.phi.known.placeholders import drop_placeholders, is_placeholder
from deidstream.schemas.note import KnownIdentifiers


@pytest.mark.parametrize(
    "value",
    [
        "", " ", "A", "1", "0", "-", "Unknown", "UNKNOWN, UNKNOWN", "N/A", "none", "Not given",
        "000-00-0000", "9999999999", "xxxxx", "Test Patient", "same as above", "No fixed abode",
    ],
)  # fmt: skip
def test_what_says_nothing_is_a_placeholder(value: str) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize("value", ["Ng", "Bo", "No, Kim", "Grant Unknown", "4471", "1111", "May"])
def test_what_says_something_is_none(value: str) -> None:
    assert not is_placeholder(value)


def test_placeholders_are_dropped_from_every_field() -> None:
    values = ("Unknown", "Quill 4471")
    known = KnownIdentifiers(values, values, values, values, values, values)
    kept = values[1:]
    assert drop_placeholders(known) == KnownIdentifiers(kept, kept, kept, kept, kept, kept)
