"""Every label has fillers, they are many, and the seed alone decides which."""

import csv
import json
import random
from pathlib import Path

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


def test_a_folder_of_lists_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="folder of name and place lists"):
        read_lists(tmp_path / "none")


@pytest.mark.slow
def test_a_folder_of_lists_adds_to_what_is_drawn(tmp_path: Path) -> None:
    write_folder(tmp_path)
    lists = read_lists(tmp_path)
    assert "St. Zebulon's Hospital of the Moor" in lists.words["hosp.real"]
    assert "Zebulon Springs" in lists.words["city.US"]
    assert [home.code for home in lists.homes] == ["AK"]
    assert lists.words["job"][-1] == "zeppelin tester"


def write_folder(folder: Path) -> None:
    tables = {
        "us_cities_29880.csv": {"STATE_CODE": "AK", "CITY": "Zebulon Springs", "COUNTY": "Zeb"},
        "cms_hospitals_2017.csv": {
            "Hospital Name": "ST. ZEBULON'S HOSPITAL OF THE MOOR",
            "Address": "9 ZEBULON RD",
        },
        "census_common_street_names.csv": {"name": "Zebulon"},
    }
    for name, row in tables.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, row.keys())
            writer.writeheader()
            writer.writerow(row)
    named = {
        "english_towns_cities.json": {"towns": ["Zebton"]},
        "occupations.json": {"occupations": ["zeppelin tester"]},
        "hospitals_wikipedia.json": {"hospitals": ["Zeb Hospital"]},
    }
    for name, content in named.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
