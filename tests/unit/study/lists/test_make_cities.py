"""The shipped cities are what GeoNames says."""

import pytest

from deidstream.models.phi.places.cities import CITIES, cities
from deidstream.models.text.word_files import read_data
from deidstream.study.lists import make_cities as making
from deidstream.study.lists.make_cities import City


@pytest.mark.slow
def test_the_shipped_file_is_made_of_the_installed_source() -> None:
    same = read_data(CITIES) == making.make_cities()
    assert same, "make lists"


def test_the_shipped_file_is_read_whole() -> None:
    assert cities().home["brockton"] == "US.MA"
    assert "Brockton" in cities().pool["US.MA"]
    assert "Brockton" in cities().pool["US"]
    assert "brockton" in cities().names
    assert len(cities().home) > 30_000
    assert cities().pool["US.IL"]["Chicago"] > 2_000
    assert min(min(pool.values()) for pool in cities().pool.values()) >= 15


def test_a_name_that_two_places_share_lies_in_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [City("Kirkby", "GB", "ENG", 40_000), City("Kirkby", "AU", "02", 39_000)]
    rows += [City("Selby", "GB", "ENG", 20_000)]
    monkeypatch.setattr(making, "read_cities", lambda: rows)
    monkeypatch.setattr(making, "_read_villages", frozenset)
    text = making.make_cities()
    assert "[home GB.ENG]\nselby\n" in text
    assert "[pool GB]\nKirkby 40\nSelby 20\n" in text
    assert "[names]\nkirkby\nselby\n" in text


def test_a_small_city_abroad_is_uncertain_beside_a_village_at_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [City("George", "ZA", "", 150_000), City("Toronto", "CA", "08", 2_700_000)]
    monkeypatch.setattr(making, "read_cities", lambda: rows)
    monkeypatch.setattr(making, "_read_villages", lambda: frozenset({"george", "toronto"}))
    text = making.make_cities()
    assert "[home ZA]" not in text
    assert "[home CA.08]\ntoronto\n" in text
