"""What beside its places tells in which country a note was written."""

import pytest

from deidstream.models.phi.places.address import HOMES
from deidstream.models.phi.places.country_codes import country_names
from deidstream.models.surrogates.land_signs import count_land_signs
from deidstream.models.text.word_files import lines

SURELY = 2


@pytest.mark.parametrize(
    ("text", "lands"),
    [
        ("seen by the HSE, Tusla informed", {"IE": 2 * SURELY}),
        ("boda boda driver", {"KE": 1, "UG": 1}),
        ("no hse, he is in the nhs of the mind", {}),
        ("TALUK hospital", {"IN": SURELY}),
        ("Haemorrhage, oedema", {"US": -1}),
        ("Anemia, edema", {}),
    ],
)
def test_words_tell_the_country(text: str, lands: dict[str, int]) -> None:
    assert {land: n for land, n in count_land_signs(text).items() if n} == lands


@pytest.mark.parametrize(
    ("number", "lands"),
    [
        ("+353 61 555 0133", {"IE"}),
        ("00353 61 555 0133", {"IE"}),
        ("061 555 0133", {"IE", "ZA"}),
        ("(01) 555 0170", {"IE"}),
        ("0711 555 063", {"KE", "UG", "TZ", "ZW"}),
        ("0803 555 0119", {"NG"}),
        ("0113 496 0652", {"GB"}),
        ("(208) 555-0147", {"US"}),
        ("807-555-0144", {"CA"}),
        ("(800) 555-0147", set()),
        ("4418", set()),
    ],
)
def test_telephone_numbers_tell_the_country(number: str, lands: set[str]) -> None:
    assert {land for land, n in count_land_signs("", phones=[number]).items() if n} == lands


@pytest.mark.parametrize(
    ("link", "lands"),
    [
        ("a.byrne@clinic.example.ie", {"IE"}),
        ("https://www.trust.example.uk/referrals", {"GB"}),
        ("https://lab.example.co", set()),
        ("x@lab.example.org", set()),
    ],
)
def test_domains_tell_the_country(link: str, lands: set[str]) -> None:
    assert {land for land, n in count_land_signs("", links=[link]).items() if n} == lands


def test_the_language_of_a_note_tells_its_region() -> None:
    assert count_land_signs("", language="en-IE")["IE"] > SURELY
    assert not +count_land_signs("", language="en")


def test_institutions_that_are_called_after_towns_tell_the_country_of_those() -> None:
    assert count_land_signs("", institutions=["Nenagh General Hospital"])["IE"] == 1
    assert not +count_land_signs("", institutions=["Springfield Boston Clinic"])


def test_no_sign_of_a_number_is_counted_twice() -> None:
    numbers = ["+254 711 555 063", "+254 711 555 064"]
    assert count_land_signs("", phones=numbers)["KE"] == SURELY


def test_the_list_names_countries_and_each_home_has_signs() -> None:
    headings = {line.strip("[]") for line in lines("places.signs.txt") if line.startswith("[")}
    assert headings <= country_names().keys()
    assert set(HOMES) - headings == {"PR"}
