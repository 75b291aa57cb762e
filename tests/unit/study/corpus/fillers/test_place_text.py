"""Places and institutions keep their kind and change their names."""

import random

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.fillers.fill import read_lists
from deidstream.study.corpus.fillers.place_text import (
    like_city,
    like_place,
    like_profession,
    like_state,
    reform_hospital,
    reform_organization,
    reform_place,
)
from deidstream.study.corpus.fillers.word_lists import Pen, Site

SEEDS = range(40)


def pen(seed: int) -> Pen:
    return Pen(random.Random(seed), read_lists())


def like(text: str, label: PhiLabel, seed: int = 1) -> str:
    return like_place(pen(seed), Site(label, text)) or ""


@pytest.mark.parametrize(
    ("label", "text", "kept"),
    [
        (PhiLabel.HOSPITAL, "Dry Creek Valley Medical Center", "Medical Center"),
        (PhiLabel.HOSPITAL, "KALLANG GENERAL HOSPITAL", "GENERAL HOSPITAL"),
        (PhiLabel.STREET, "415 Sel Rd, Apt 3", "Apt"),
        (PhiLabel.LOCATION_OTHER, "Larkmoor County", "County"),
        (PhiLabel.ORGANIZATION, "Monarch Pharmacy", "Pharmacy"),
    ],
)
def test_the_kind_stays_and_the_name_goes(label: PhiLabel, text: str, kept: str) -> None:
    for seed in SEEDS:
        written = like(text, label, seed)
        assert kept in written
        assert text.split(maxsplit=1)[0] not in written.split()


def test_a_name_agrees_between_the_mentions_of_a_note() -> None:
    writer = pen(2)
    whole = like_place(writer, Site(PhiLabel.HOSPITAL, "Whitecap Hospice")) or ""
    assert whole.startswith(like_place(writer, Site(PhiLabel.HOSPITAL, "Whitecap")) or "-")


def test_a_saint_becomes_a_saint_and_keeps_the_possessive() -> None:
    for seed in SEEDS:
        written = like("St. Osyth's Hospital", PhiLabel.HOSPITAL, seed)
        assert written.startswith("St. ")
        assert written.endswith("'s Hospital")


def test_an_ordinal_street_keeps_its_right_ending() -> None:
    for seed in SEEDS:
        written = like("12 42nd Street", PhiLabel.STREET, seed).split()[1]
        assert written.endswith("nd")
        assert written != "12nd"


def test_an_acronym_stays_one() -> None:
    assert len(like("DVS", PhiLabel.ORGANIZATION)) == 3


def test_a_place_without_a_name_of_its_own_is_kept() -> None:
    assert like_place(pen(1), Site(PhiLabel.LOCATION_OTHER, "the lake")) is None


@pytest.mark.parametrize("text", ["4 West", "Ward 7B", "6W", "Peds 2"])
def test_a_ward_becomes_a_ward(text: str) -> None:
    written = {reform_hospital(pen(seed), Site(PhiLabel.HOSPITAL, text)) for seed in SEEDS}
    assert not any("Medical Center" in name for name in written)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Larkhill Chemist", {"Pharmacy", "Drug", "Drugs", "Chemist", "Apothecary", "Rx"}),
        ("Rivergate PD", {"Police", "PD", "Sheriff", "Sheriff's", "Constabulary", "SO", "FD"}),
    ],
)
def test_an_organisation_stays_in_its_trade(text: str, words: set[str]) -> None:
    written = [
        reform_organization(pen(seed), Site(PhiLabel.ORGANIZATION, text)) or ""
        for seed in range(100)
    ]
    assert sum(not words.isdisjoint(name.split()) for name in written) > 50


def test_a_state_stays_as_long_or_short_and_in_its_country() -> None:
    for seed in SEEDS:
        assert len(like_state(pen(seed), Site(PhiLabel.STATE, "NH")) or "") == 2
        assert len(like_state(pen(seed), Site(PhiLabel.STATE, "Maharashtra")) or "") > 2
    assert like_state(pen(1), Site(PhiLabel.STATE, "Nowhereland")) is None


def test_a_town_keeps_its_case() -> None:
    assert like_city(pen(1), Site(PhiLabel.CITY, "MUSTANG GAP")).isupper()
    assert like_city(pen(1), Site(PhiLabel.CITY, "pittsburgh")).islower()
    assert reform_place(pen(1), Site(PhiLabel.STREET, "12 KILN ST")).isupper()


def test_an_occupation_keeps_its_case() -> None:
    assert like_profession(pen(1), Site(PhiLabel.PROFESSION, "fish gutter"))[0].islower()
    assert like_profession(pen(1), Site(PhiLabel.PROFESSION, "TUGBOAT DECKHAND")).isupper()
    assert like_profession(pen(1), Site(PhiLabel.PROFESSION, "Deckhand"))[0].isupper()
