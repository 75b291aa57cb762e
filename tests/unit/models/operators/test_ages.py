import pytest

from deidstream.models.operators.ages import CapAge
from deidstream.models.operators.operator import Mention
from deidstream.schemas.label import PhiLabel


def capped(text: str, cap: int = 89) -> str:
    return CapAge(cap).render(Mention(text, PhiLabel.AGE), {})


@pytest.mark.parametrize(
    "text",
    [
        "89", "0", "4O", "EIGHTY-NINE", "80s", "eighties", "8 years 4 months", "15-month", "14/12",
        "6 m 4 d", "3y 9m", "4y2m", "200 days", "40 weeks", "68 y/o", "45 y.o.", "21st", "2\u00bd",
        "nine-year-old", "octogenarian", "999 months", "19 h",
    ],
)  # fmt: skip
def test_ages_up_to_the_cap_stay(text: str) -> None:
    assert capped(text) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("90", "90 or older"),
        ("91", "90 or older"),
        ("104 y/o", "90 or older"),
        ("ninety-one", "90 or older"),
        ("NINETY ONE", "90 OR OLDER"),
        ("one hundred and four", "90 or older"),
        ("91 years 8 months", "90 or older"),
        ("93-year-old", "90-or-older"),
        ("ninety-one-year-old", "90-or-older"),
        ("93rd", "90th or later"),
        ("90s", "90s or older"),
        ("nineties", "90s or older"),
        ("nonagenarian", "person aged 90 or older"),
        ("85-92", "90 or older"),
        ("9l", "90 or older"),
        ("1200 months", "90 or older"),
    ],
)
def test_higher_ages_become_one_class(text: str, written: str) -> None:
    assert capped(text) == written


def test_the_cap_is_the_policys() -> None:
    assert capped("72", 70) == "71 or older"
    assert capped("70", 70) == "70"


@pytest.mark.parametrize("text", ["old", "Smith", "12345678", "ninety Smith", "-", "\u4e5d\u5341"])
def test_what_cannot_be_read_is_redacted(text: str) -> None:
    assert capped(text) == "[AGE]"
