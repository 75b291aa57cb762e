"""Numbers and codes keep their shape, or take another of their label."""

import random

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.fillers.fill import read_lists
from deidstream.study.corpus.fillers.number_text import (
    like_code,
    like_login,
    like_network,
    like_phone,
    login_form,
    reform_code,
    reform_phone,
)
from deidstream.study.corpus.fillers.word_lists import Pen, Site

SEEDS = range(40)


def pen(seed: int = 1) -> Pen:
    return Pen(random.Random(seed), read_lists())


def shape(text: str) -> str:
    digits = "".join("9" if c.isdigit() else c for c in text)
    return "".join("a" if c.islower() else "A" if c.isupper() else c for c in digits)


@pytest.mark.parametrize("text", ["NF-44 0091", "wch55102", "4471-0938", "24/IP/0668"])
def test_a_code_keeps_its_shape(text: str) -> None:
    written = {like_code(pen(seed), Site(PhiLabel.MEDICALRECORD, text)) for seed in SEEDS}
    assert {shape(code or "") for code in written} == {shape(text)}
    assert len(written) > 30


def test_letters_that_lead_a_code_stay_in_about_half() -> None:
    written = [like_code(pen(s), Site(PhiLabel.BIOID, "FP-7714-X")) or "" for s in range(200)]
    assert 60 < sum(code.startswith("FP-") for code in written) < 140


@pytest.mark.parametrize("text", ["(508) 555-0146", "+44 7700 900833", "555.0143 x12", "2214"])
def test_a_phone_number_keeps_its_shape(text: str) -> None:
    for seed in SEEDS:
        assert shape(like_phone(pen(seed), Site(PhiLabel.PHONE, text))) == shape(text)


def test_trunk_zero_and_the_american_one_stay() -> None:
    for seed in SEEDS:
        assert like_phone(pen(seed), Site(PhiLabel.PHONE, "020 7946 0134"))[0] == "0"
        assert like_phone(pen(seed), Site(PhiLabel.PHONE, "1-800-555-0199"))[0] == "1"


def test_dictated_digits_are_dictated_again() -> None:
    said = like_phone(pen(), Site(PhiLabel.PHONE, "five five five oh one four five"))
    assert len(said.split()) == 7
    assert said.replace(" ", "").isalpha()


def test_an_extension_becomes_an_extension_and_a_number_a_number() -> None:
    for seed in SEEDS:
        short = reform_phone(pen(seed), Site(PhiLabel.PHONE, "2214"))
        whole = reform_phone(pen(seed), Site(PhiLabel.PHONE, "(508) 555-0146"))
        assert sum(map(str.isdigit, short)) < 6 <= sum(map(str.isdigit, whole))


def test_four_digits_of_a_social_security_number_stay_four() -> None:
    for seed in SEEDS:
        last = reform_code(pen(seed), Site(PhiLabel.SSN, "0417"))
        whole = reform_code(pen(seed), Site(PhiLabel.SSN, "900-12-0417"))
        assert (len(last), sum(map(str.isdigit, whole))) == (4, 9)


def test_what_hides_a_social_security_number_stays() -> None:
    assert (like_code(pen(), Site(PhiLabel.SSN, "XXX-XX-0417")) or "").startswith("XXX-XX-")


def test_a_login_follows_the_name_it_is_made_of() -> None:
    writer = pen()
    writer.memory["name", "okafor"] = "Ferrán"
    assert like_login(writer, Site(PhiLabel.USERNAME, "jokafor")) == "jferran"
    assert like_login(writer, Site(PhiLabel.EMAIL, "j.okafor@x.example")) == "j.ferran@x.example"


def test_a_login_of_nobody_known_is_drawn() -> None:
    assert like_login(pen(), Site(PhiLabel.USERNAME, "jokafor")) != "jokafor"


@pytest.mark.parametrize("text", ["10.88.3.41", "2001:db8::1a"])
def test_a_network_address_keeps_its_version(text: str) -> None:
    for seed in SEEDS:
        assert (":" in like_network(pen(seed), Site(PhiLabel.IPADDR, text))) == (":" in text)


@pytest.mark.parametrize("text", ["", "---", "7" * 400])
def test_what_is_no_code_is_kept(text: str) -> None:
    assert like_code(pen(), Site(PhiLabel.IDNUM, text)) is None


def test_names_are_written_as_logins_do() -> None:
    assert login_form("O'Briain-Núñez") == "obriainnunez"
