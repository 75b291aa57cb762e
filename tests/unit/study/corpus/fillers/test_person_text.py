"""Parts of a person's name agree within a note, and forms are kept or changed as asked."""

import random

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.fillers.fill import read_lists
from deidstream.study.corpus.fillers.person_text import fresh_person, like_person, reform_person
from deidstream.study.corpus.fillers.word_lists import Pen, Site

SEEDS = range(30)


def pen(seed: int) -> Pen:
    return Pen(random.Random(seed), read_lists())


def like(writer: Pen, text: str, before: str = "") -> str:
    return like_person(writer, Site(PhiLabel.PATIENT, text, before))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_surname_alone_agrees_with_the_full_name(seed: int) -> None:
    writer = pen(seed)
    full = like(writer, "Jane Okafor")
    assert full.endswith(like(writer, "Okafor", "seen by Mrs. "))
    assert full.startswith(like(writer, "Jane"))


@pytest.mark.parametrize("seed", SEEDS)
def test_last_and_first_keep_their_places(seed: int) -> None:
    writer = pen(seed)
    family, given = like(writer, "Okafor, Jane").split(", ")
    assert like(writer, "Jane Okafor") == f"{given} {family}"
    assert like(writer, "OKAFOR^JANE").casefold() == f"{family}^{given}".upper().casefold()


@pytest.mark.parametrize("seed", SEEDS)
def test_case_is_kept_part_by_part(seed: int) -> None:
    family, given = like(pen(seed), "VAN DER BERG, Johannes").split(", ")
    assert family.isupper()
    assert not given.isupper()
    assert like(pen(seed), "okafor, jane").islower()


@pytest.mark.parametrize("seed", SEEDS)
def test_initials_agree_with_the_name_that_is_known(seed: int) -> None:
    writer = pen(seed)
    full = like(writer, "Jane Okafor")
    assert like(writer, "J.O.")[0] == full[0].upper()


def test_a_name_after_a_word_of_kinship_is_a_given_name() -> None:
    kin, titled = like(pen(3), "Rainwater", "his wife "), like(pen(3), "Rainwater", "Mr. ")
    assert kin != titled


def test_a_double_surname_agrees_with_its_halves() -> None:
    for seed in SEEDS:
        writer = pen(seed)
        whole = like(writer, "Amina Bello-Hart")
        assert like(writer, "Hart", "Ms. ") in whole


def test_a_name_alone_has_no_other_form() -> None:
    assert reform_person(pen(1), Site(PhiLabel.DOCTOR, "Okafor", "Dr. ")) is None


def test_no_comma_parts_a_name_after_a_title() -> None:
    site = Site(PhiLabel.DOCTOR, "Jane Okafor", "seen by Dr. ")
    written = [reform_person(pen(seed), site) for seed in range(200)]
    assert not any("," in name for name in written if name)


def test_a_name_in_a_field_takes_many_forms() -> None:
    site = Site(PhiLabel.PATIENT, "Jane Okafor", "Name: ")
    written = [reform_person(pen(seed), site) or "" for seed in range(300)]
    assert any(", " in name for name in written)
    assert any(". " in name for name in written)
    assert any("-" in name for name in written)


@pytest.mark.parametrize("text", ["", "...", "4711", "Dr.", "van der", "J0hn", "\u738b"])
def test_what_is_hardly_a_name_does_no_harm(text: str) -> None:
    like(pen(1), text)


def test_fresh_names_differ() -> None:
    writer = pen(1)
    assert len({fresh_person(writer) for _ in range(500)}) > 450
