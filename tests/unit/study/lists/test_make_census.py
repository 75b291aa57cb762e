"""The shipped names of the census are what the census says."""

from deidstream.models.phi.names.name_lists import CENSUS
from deidstream.models.text.word_files import read_data
from deidstream.study.lists.make_census import make_census


def test_the_shipped_file_is_made_of_the_installed_source() -> None:
    same = read_data(CENSUS) == make_census()
    assert same, "make lists"
