import csv
import json
from pathlib import Path

import pytest

from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.study.corpus.fillers.fill import read_lists
from deidstream.study.corpus.fillers.real_lists import read_real_homes, read_real_words
from deidstream.study.corpus.sources import CityList, RealLists, ValueList


def write_csv(path: Path, *rows: dict[str, str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture
def cities(tmp_path: Path) -> CityList:
    path = write_csv(
        tmp_path / "cities.csv",
        {"STATE": "AK", "CITY": "Zebulon Springs", "COUNTY": "Zeb"},
        {"STATE": "AK", "CITY": "Abton", "COUNTY": "Zeb"},
    )
    return CityList(path=path, city="CITY", state="STATE", county="COUNTY")


def test_cities_of_a_state_are_together(cities: CityList) -> None:
    real = RealLists(us_cities=(cities,))
    words = read_real_words(real)
    assert words["city.US"] == ("Zebulon Springs", "Abton")
    assert words["county.us"] == ("Zeb",)
    (home,) = read_real_homes(real)
    assert (home.code, home.cities) == ("AK", ("Abton", "Zebulon Springs"))


def test_values_are_read_from_tables_lists_and_lines(tmp_path: Path) -> None:
    table = write_csv(tmp_path / "a.csv", {"Name": "ST. ZEB'S HOSPITAL OF THE MOOR"})
    listed, lines = tmp_path / "b.json", tmp_path / "c.txt"
    listed.write_text(json.dumps({"all": ["Zeb Hospital", "{Zeb} House"]}), "utf-8")
    lines.write_text("\ufeffZeb Infirmary\n\nMoor Clinic\n", "utf-8")
    hospitals = (
        ValueList(path=table, field="Name", in_capitals=True),
        ValueList(path=listed, field="all"),
        ValueList(path=lines),
    )
    assert read_real_words(RealLists(hospitals=hospitals))["hosp.real"] == (
        "St. Zeb's Hospital of the Moor",
        *("Zeb Hospital", "Zeb House", "Zeb Infirmary", "Moor Clinic"),
    )


@pytest.mark.slow
def test_real_lists_add_to_what_is_drawn(cities: CityList, tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.txt"
    jobs.write_text("zeppelin tester\n")
    plain = read_lists()
    lists = read_lists(RealLists(us_cities=(cities,), occupations=(ValueList(path=jobs),)))
    assert lists.words["job"] == (*plain.words["job"], "zeppelin tester")
    assert lists.words["city.US"][-1] == "Abton"
    assert [home.code for home in lists.homes] == ["AK"]
    assert lists.words["hosp.real"] == plain.words["hosp.real"]
    assert read_lists(RealLists()) == plain


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.csv", "Other\nx\n", "a.csv: has no column 'all'"),
        ("a.csv", "", "a.csv: has no column 'all'"),
        ("a.json", "{", "a.json: must be a JSON object with a list of strings under 'all'"),
        ("a.json", "[]", "a.json: must be a JSON object"),
        ("a.json", '{"all": [1]}', "a.json: must be a JSON object"),
    ],
)
def test_a_list_of_another_form_is_refused(
    tmp_path: Path, name: str, content: str, why: str
) -> None:
    (tmp_path / name).write_text(content)
    real = RealLists(occupations=(ValueList(path=tmp_path / name, field="all"),))
    with pytest.raises(Refused, match=why):
        read_real_words(real)


def test_a_list_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe")
    for name, why in (("a.txt", "UnicodeDecodeError"), ("none.txt", "FileNotFoundError")):
        real = RealLists(street_names=(ValueList(path=tmp_path / name),))
        with pytest.raises(MissingArtefact, match=f"{name}: cannot be read: {why}"):
            read_real_words(real)
