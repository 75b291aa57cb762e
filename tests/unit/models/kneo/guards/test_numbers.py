import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.kneo.guards.numbers import read_numbers
from deidstream.models.kneo.guards.tokens import tokens_of


def numbers(text: str) -> list[str]:
    return list(read_numbers(tokens_of(text)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.5 g", "500mg"),
        ("2.50 cm", "25 mm"),
        ("two weeks", "14 days"),
        ("2,5 ml", "2.5 cc"),
        ("1,000 ml", "1 liter"),
        ("one year", "12 months"),
        ("98 %", "98 percent"),
    ],
)
def test_equal_quantities_are_equal(one: str, other: str) -> None:
    assert numbers(one) == numbers(other) != []


@pytest.mark.parametrize(
    ("one", "other"), [("5 mg", "5 ml"), ("5 mg", "5"), ("1.0", "10"), ("1,234", "1.234")]
)
def test_others_are_not(one: str, other: str) -> None:
    assert numbers(one) != numbers(other)


def test_codes_keep_their_letters() -> None:
    assert numbers("L4 and B12, not 4") == ["l4", "b12", "4 "]


def test_words_that_may_be_no_number_need_a_unit() -> None:
    assert numbers("one of them, one day") == ["24 hour"]


@given(st.text(alphabet="0123456789.,:/ -mgx\u0661", max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    assert all(numbers(text))
