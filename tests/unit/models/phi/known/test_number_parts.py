import pytest

from deidstream.models.phi.known.number_parts import StatedNumbers, find_number_parts
from deidstream.schemas.label import PhiLabel

STATED = StatedNumbers.of_numbers(
    (
        (PhiLabel.IDNUM, "447-10-9381"),
        (PhiLabel.IDNUM, "417"),
        (PhiLabel.IDNUM, "K7Q"),
        (PhiLabel.PHONE, "(410) 555-0163 x212"),
    )
)


def found(text: str) -> set[str]:
    return {text[one.start : one.end] for one in find_number_parts(text, STATED)}


@pytest.mark.parametrize(
    "form",
    [
        "xxx-xx-9381", "***-**-9381", "XXXXX9381", "\u2022\u2022\u2022\u2022 9381", "\u20269381",
        "447-10-xxxx", "410-555-****", "ext 212", "x212", "417", "k7q",
        "nine three eight one", "four four seven one oh", "nine, three\neight one",
    ],
)  # fmt: skip
def test_what_is_left_of_a_number_is_found(form: str) -> None:
    assert form in found(f"it is {form}.")


@pytest.mark.parametrize(
    "text",
    [
        "card ending in 9381", "last 4: 9381", "last four digits of SSN are 9381", "SSN 9381",
        "phone ends 0163"
    ],
)  # fmt: skip
def test_last_digits_are_found_after_a_word_for_them(text: str) -> None:
    assert found(text) == {text[-4:]}


def test_what_last_four_counts_is_no_digit() -> None:
    assert found("last four nine three eight one") == {"nine three eight one"}


@pytest.mark.parametrize(
    "text",
    [
        "9381", "x 9382", "ending in 9380", "xxx-xx-1234", "4.17 1,417 417% 417/80 12:417",
        "x 81 doses", "last 3 of 382 mL", "447-10-9", "nine three eight", "ext 213", "two of four",
    ],
)  # fmt: skip
def test_other_numbers_are_left(text: str) -> None:
    assert found(text) == set()


def test_without_numbers_nothing_is_found() -> None:
    assert find_number_parts("xxx-xx-9381 417", StatedNumbers.of_numbers(())) == []


def test_a_short_number_beside_it_hides_no_part_of_another() -> None:
    text = "ref ****9381, 100 % sure; card ending in 9381/2"
    alone = StatedNumbers.of_numbers([(PhiLabel.IDNUM, "447-10-9381")])
    beside = StatedNumbers.of_numbers([(PhiLabel.IDNUM, "447-10-9381"), (PhiLabel.IDNUM, "417")])
    parts = find_number_parts(text, alone)
    assert len(parts) == 2
    assert find_number_parts(text, beside) == parts


@pytest.mark.parametrize(
    ("text", "match"), [("chart 881.", {"881"}), ("chart 0881, 88 or 8810", set())]
)
def test_a_number_is_found_without_the_zeros_before_it(text: str, match: set[str]) -> None:
    stated = StatedNumbers.of_numbers(((PhiLabel.IDNUM, "0000881"),))
    assert {text[one.start : one.end] for one in find_number_parts(text, stated)} == match
