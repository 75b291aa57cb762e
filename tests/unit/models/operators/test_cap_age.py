import pytest

from deidstream.models.mention import Mention
from deidstream.models.operators.cap_age import CapAge
from deidstream.schemas.label import PhiLabel


def capped(text: str, cap: int = 89) -> str:
    return CapAge(cap).render(Mention(text, PhiLabel.AGE), {})


@pytest.mark.parametrize(
    "text",
    [
        "89", "0", "4O", "EIGHTY-NINE", "80s", "eighties", "8 years 4 months", "15-month", "14/12",
        "6 m 4 d", "3y 9m", "4y2m", "200 days", "40 weeks", "68 y/o", "45 y.o.", "21st", "2\u00bd",
        "nine-year-old", "octogenarian", "999 months", "19 h", "9\u00bd", "9.5 years", "92/12",
        "40 to 45", "8 years 95 days", "45F", "18M", "36m", "89M",
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
        ("85 to 92", "90 or older"),
        ("90 or older", "90 or older"),
        ("over 95", "90 or older"),
        ("92F", "90-or-older F"),
        ("93M", "90-or-older M"),
        ("93 m", "90-or-older m"),
        ("97 y/o F", "90-or-older F"),
        ("92 male", "90-or-older male"),
        ("91Y 8M", "90 or older"),
    ],
)
def test_higher_ages_become_one_class(text: str, written: str) -> None:
    assert capped(text) == written


@pytest.mark.parametrize(
    ("text", "after", "written"),
    [
        ("92", "-year-old man", "90-or-older"),
        ("92", " y.o. man", "90-or-older"),
        ("92", " years old.", "90-or-older"),
        ("92", "F with", "90-or-older"),
        ("90", "-j\u00e4hrige", "90-or-older"),
        ("92", " last week", "90 or older"),
        ("92", ", male", "90 or older"),
        ("91 years 8 months", " old", "90 or more years"),
        ("93-year", "-old", "90-or-more-year"),
        ("Nonagenarian", " patient", "90-or-older"),
        ("nonagenarian", " with", "person aged 90 or older"),
    ],
)
def test_the_class_reads_well_before_what_follows(text: str, after: str, written: str) -> None:
    assert CapAge().render(Mention(text, PhiLabel.AGE, after=after), {}) == written


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("43", "40-44"),
        ("43-year-old", "40-to-44-year-old"),
        ("forty-three-year-old", "40-to-44-year-old"),
        ("43 y/o", "40-44 years old"),
        ("43 years", "40-44 years"),
        ("43rd", "40th-44th"),
        ("8 months", "0-4 years"),
        ("14/12", "0-4 years"),
        ("8 years 4 months", "5-9 years"),
        ("40-46", "40-49"),
        ("43F", "40-44 F"),
        ("43M", "40-44 M"),
        ("18m", "0-4 years"),
        ("88", "85-89"),
        ("80s", "80s"),
        ("octogenarian", "octogenarian"),
        ("93", "90 or older"),
        ("Smith", "[AGE]"),
    ],
)
def test_lower_ages_become_bands_where_asked(text: str, band: str) -> None:
    assert CapAge(89, 5).render(Mention(text, PhiLabel.AGE), {}) == band


def test_no_band_reaches_over_the_cap() -> None:
    assert CapAge(89, 20).render(Mention("81", PhiLabel.AGE), {}) == "80-89"
    assert CapAge(89, 20).render(Mention("80s", PhiLabel.AGE), {}) == "80-89"


def test_the_cap_is_the_policys() -> None:
    assert capped("72", 70) == "71 or older"
    assert capped("70", 70) == "70"


@pytest.mark.parametrize("text", ["old", "Smith", "12345678", "ninety Smith", "-", "\u4e5d\u5341"])
def test_what_cannot_be_read_is_redacted(text: str) -> None:
    assert capped(text) == "[AGE]"
