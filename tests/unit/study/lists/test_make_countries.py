"""The shipped countries are what GeoNames says."""

from deidstream.models.phi.places.country_codes import COUNTRIES, countries, country_names
from deidstream.models.text.word_files import read_data
from deidstream.study.lists.make_countries import make_countries


def test_the_shipped_file_is_made_of_the_installed_source() -> None:
    same = read_data(COUNTRIES) == make_countries()
    assert same, "make lists"


def test_only_larger_countries_are_drawn() -> None:
    assert country_names()["NR"] == "Nauru"
    assert "Nauru" not in countries()
    assert "Ghana" in countries()
