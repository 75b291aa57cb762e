"""The shipped names of towns are what their sources say."""

import pytest

from deidstream.models.phi.places.cities import cities, city_key
from deidstream.models.phi.places.place_pools import NAMESAKES, TOWN_FILE, TOWNS
from deidstream.models.text.word_files import cut_groups, read_data
from deidstream.study.lists.make_towns import make_towns
from deidstream.study.lists.plain_towns import is_plain_town


@pytest.mark.slow
def test_the_shipped_file_is_made_of_the_installed_sources() -> None:
    same = read_data(TOWN_FILE) == make_towns()
    assert same, "make lists"


def test_names_weigh_as_much_as_they_are_frequent() -> None:
    groups = dict(cut_groups(read_data(TOWN_FILE)))
    weights = {
        name: int(weight) for name, _, weight in (one.rpartition(" ") for one in groups[NAMESAKES])
    }
    assert weights["Franklin"] > weights["Butte"] > 0
    assert weights["Smith"] > weights["Atchison"]
    assert min(weights.values()) > 0


def test_a_town_of_the_list_lies_in_no_certain_state() -> None:
    groups = dict(cut_groups(read_data(TOWN_FILE)))
    names = [one.rpartition(" ")[0] for one in groups[TOWNS]]
    assert len(names) > 300
    assert all(city_key(name) not in cities().home for name in names)


@pytest.mark.parametrize(
    ("name", "people", "plain"),
    [
        ("Cut Bank", 3_000, False),
        ("George", 1_000, False),
        ("Normal", 50_000, False),
        ("Washington", 15_000, False),
        ("Lebanon", 30_000, False),
        ("San", 60_000, False),
        ("Rapid City", 75_000, True),
        ("Brockton", 20_000, True),
        ("Charlotte", 900_000, True),
    ],
)
def test_a_town_is_told_from_words_and_given_names(name: str, people: int, *, plain: bool) -> None:
    assert is_plain_town(name, people) is plain
