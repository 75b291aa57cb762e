"""Every label has fillers, they are many, and the seed alone decides which."""

import random

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.fillers.fill import Filler, read_lists
from deidstream.study.corpus.fillers.word_lists import Pen, Site

LISTS = read_lists()
FEW = {PhiLabel.AGE: 60, PhiLabel.STATE: 60, PhiLabel.COUNTRY: 60, PhiLabel.DATE: 150}


def drawn(label: PhiLabel, count: int = 300, seed: int = 5) -> list[str]:
    filler = Filler(random.Random(seed), LISTS)
    return [filler.fresh(label) for _ in range(count)]


@pytest.mark.parametrize("label", list(PhiLabel))
def test_every_label_has_many_values(label: PhiLabel) -> None:
    values = drawn(label)
    assert all(value.strip() == value and value for value in values)
    assert not any(mark in value for value in values for mark in "{}")
    assert len(set(values)) >= FEW.get(label, 180)


@pytest.mark.parametrize("label", list(PhiLabel))
def test_the_seed_alone_decides(label: PhiLabel) -> None:
    assert drawn(label, 20) == drawn(label, 20)


def test_a_value_can_be_drawn_by_another_source_of_chance() -> None:
    filler = Filler(random.Random(1), LISTS)
    first = filler.fill(PhiLabel.PATIENT, random.Random(9))
    assert Filler(random.Random(2), LISTS).fill(PhiLabel.PATIENT, random.Random(9)) == first


def test_a_value_that_touches_letters_keeps_its_form() -> None:
    filler = Filler(random.Random(4), LISTS, reformed=1.0)
    for seed in range(40):
        site = Site(PhiLabel.AGE, "58", "a ", "M with")
        new = filler.refill(Pen(random.Random(seed), LISTS), site)
        assert new is not None
        assert new.isdigit()


def test_names_are_of_every_form() -> None:
    names = drawn(PhiLabel.PATIENT, 2000)
    assert any(", " in name for name in names)
    assert any(name.isupper() and " " in name for name in names)
    assert any(name.islower() for name in names)
    assert any(not name.isascii() for name in names)
    assert any("-" in name for name in names)
    assert any(". " in name for name in names)
