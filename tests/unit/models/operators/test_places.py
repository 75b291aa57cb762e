import re
from collections.abc import Callable

import pytest

from deidstream.models.operators.places import ReplacePlace
from deidstream.models.operators.professions import ReplaceProfession
from deidstream.models.operators.regions import ReplaceRegion, cities, states
from deidstream.models.operators.table import INSTITUTIONS, PLACES, STREETS
from deidstream.models.operators.wordlists import lines
from deidstream.schemas.label import PhiLabel

Replace = Callable[..., str]
REGION, PROFESSION = ReplaceRegion(), ReplaceProfession()


@pytest.mark.parametrize(
    ("label", "kept", "text", "form"),
    [
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Dry Creek Medical Center", r"\w+ \w+ Medical Center"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "St. Osyth's Hospital", r"St\. \w+'s Hospital"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "4 West", r"[1-9] West"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Ward 7B", r"Ward [1-9][A-Z]"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "KAURI BAY GENERAL", r"[A-Z]+ BAY GENERAL"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "MGH", r"[A-Z]{3}"),
        (PhiLabel.ORGANIZATION, INSTITUTIONS, "Harrow & Fitch LLP", r"\w+ & \w+ LLP"),
        (PhiLabel.STREET, STREETS, "415 Larkspur Rd, Apt 2R", r"[1-9]\d\d \w+ Rd, Apt [1-9][A-Z]"),
        (PhiLabel.STREET, STREETS, "P.O. Box 31", r"P\.O\. Box [1-9]\d"),
        (PhiLabel.STREET, STREETS, "12 11th Ave NE", r"[1-9]\d [1-9]\d(st|nd|rd|th) Ave NE"),
        (PhiLabel.LOCATION_OTHER, PLACES, "Lake Tillery", r"Lake \w+"),
        (PhiLabel.LOCATION_OTHER, PLACES, "Route 9 truck stop", r"Route [1-8] truck stop"),
    ],
)
def test_the_kind_of_place_stays(
    replace: Replace, label: PhiLabel, kept: str, text: str, form: str
) -> None:
    for scope in map(str, range(10)):
        written = replace(ReplacePlace(kept), label, text, scope=scope)
        assert re.fullmatch(form, written)
        assert written != text


def test_a_mere_description_gets_a_name(replace: Replace) -> None:
    written = replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, "Women's Health Center")
    assert re.fullmatch(r"\w+ \w+ Center", written)


def test_the_proper_name_agrees_between_labels(replace: Replace) -> None:
    whole = replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, "Kerrow Ridge Hospital")
    alone = replace(ReplacePlace(PLACES), PhiLabel.LOCATION_OTHER, "kerrow ridge")
    assert replace(ReplacePlace(INSTITUTIONS), PhiLabel.ORGANIZATION, "Kerrow Ridge") in whole
    assert alone.islower()


def test_no_word_of_the_proper_name_comes_back(replace: Replace) -> None:
    for scope in map(str, range(50)):
        written = replace(
            ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, "Cedar Creek Clinic", scope=scope
        )
        assert not {"Cedar", "Creek"} & set(written.split())


def test_a_city_becomes_one_of_its_country(replace: Replace) -> None:
    written = replace(REGION, PhiLabel.CITY, "Leicester")
    assert written in cities().pool["GB"]
    assert replace(REGION, PhiLabel.CITY, "Nowhere Gap") in cities().pool["US"]
    assert replace(REGION, PhiLabel.CITY, "LEICESTER") == written.upper()


def test_a_state_is_written_as_long_as_it_was(replace: Replace) -> None:
    full = replace(REGION, PhiLabel.STATE, "New Hampshire")
    state = states()[full.lower()]
    assert state.group == "US"
    assert replace(REGION, PhiLabel.STATE, "NH") == state.code
    assert replace(REGION, PhiLabel.STATE, "nh") == state.code.lower()
    assert replace(REGION, PhiLabel.STATE, "N.H.") == (state.older or full)
    assert replace(REGION, PhiLabel.STATE, "Lagos State").endswith(" State")
    assert replace(REGION, PhiLabel.STATE, "Zubrowka").lower() in states()


def test_a_country_becomes_another(replace: Replace) -> None:
    assert replace(REGION, PhiLabel.COUNTRY, "Kenya") != "Kenya"
    assert not replace(REGION, PhiLabel.COUNTRY, "U.S.").isupper()


def test_an_occupation_shares_no_word_with_the_original(replace: Replace) -> None:
    for scope in map(str, range(100)):
        assert "driver" not in replace(
            PROFESSION, PhiLabel.PROFESSION, "delivery driver", scope=scope
        )


@pytest.mark.parametrize(
    ("text", "case"), [("ROOFER", str.isupper), ("roofer", str.islower), ("Roofer", str.istitle)]
)
def test_the_case_of_an_occupation_stays(
    replace: Replace, text: str, case: Callable[[str], bool]
) -> None:
    assert case(replace(PROFESSION, PhiLabel.PROFESSION, text))


def test_there_are_enough_occupations() -> None:
    assert len(set(lines("professions.txt"))) >= 300
