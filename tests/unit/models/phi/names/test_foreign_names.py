"""A name of no list is of the people of the names beside it, and keeps its order."""

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Identity, NameUse
from deidstream.models.phi.names.identity import FAMILY, GIVEN, identify_name, read_key
from deidstream.models.phi.names.name_lists import SHORT_NAMED, given_people, peoples
from deidstream.models.phi.names.name_use import NamedPlace, find_uses
from deidstream.models.phi.names.write_name import derive_name, name_identities, read_name


def identify(text: str) -> tuple[Identity, ...]:
    return name_identities(read_name(text, find_uses([NamedPlace(text)])))


@pytest.mark.parametrize(
    "text", ["Tan Wei Ling", "Lim Siew Hoon", "Ong Chee Keong", "Koh Ah Lian", "Ho Chin Teck"]
)
def test_the_syllables_behind_a_surname_are_given_names_of_its_people(text: str) -> None:
    surname, *syllables = identify(text)
    assert surname.kind == FAMILY
    for syllable in syllables:
        assert syllable.kind == GIVEN
        assert read_key(syllable.value).people in SHORT_NAMED


def test_a_surname_leads_a_rare_given_name_of_the_registers() -> None:
    assert [one.kind for one in identify("Yamamoto Kenji")] == [FAMILY, GIVEN]
    assert identify("Yamamoto Kenji") == identify("Kenji Yamamoto")[::-1]


def test_a_name_of_no_list_is_of_the_people_of_the_surname_beside_it() -> None:
    first = identify("Venkata Reddy")[0]
    assert read_key(first.value).people == "indian"
    drawn = {
        derive_name(first, Draws(Keyring(b"k" * 32, 1, "t"), scope)).split()[0].casefold()
        for scope in map(str, range(20))
    }
    assert drawn <= peoples().given.keys() | peoples().family.keys()


def test_a_frequent_given_name_does_not_tell_the_people_of_a_surname() -> None:
    assert read_key(identify("Rosa Quenbyhole")[1].value).people == "english"
    assert read_key(identify("Maria Quenbyhole")[1].value).people == "english"


def test_english_names_stay_in_order() -> None:
    for text in ("Kim Anne Smith", "Lee Ann Womack", "May Joy Harper"):
        assert [one.kind for one in identify(text)] == [GIVEN, GIVEN, FAMILY]


def test_capitals_before_a_comma_are_the_surname_alone() -> None:
    kinds = [one.kind for one in identify("CHIA Jia En, Faith")]
    assert kinds == [FAMILY, GIVEN, GIVEN, GIVEN]


@pytest.mark.parametrize(
    ("name", "people"),
    [("kiprono", "kenyan"), ("chebet", "kenyan"), ("leon", "english"), ("martin", "english")],
)
def test_a_given_name_of_no_list_of_given_names_is_of_the_people_of_the_surname(
    name: str, people: str
) -> None:
    assert given_people(name) == people


@pytest.mark.parametrize(
    ("name", "people"),
    [
        ("kwabena", "akan"),
        ("folashade", "yoruba"),
        ("emeka", "igbo"),
        ("busisiwe", "nguni"),
        ("fionnuala", "irish"),
        ("gwilym", "welsh"),
        ("wiremu", "polynesian"),
    ],
)
def test_peoples_that_one_pool_had_are_told_apart(name: str, people: str) -> None:
    key = identify_name(name, NameUse(given=True)).value
    assert (read_key(key).people or given_people(name)) == people
