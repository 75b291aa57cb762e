"""The shipped gazetteers are what their sources say."""

import pytest

from deidstream.models.phi.gazetteers import GAZETTEERS, Kind, gazetteers
from deidstream.models.text.word_files import read_data
from deidstream.study.lists import make_gazetteers as making


@pytest.mark.slow
def test_the_shipped_file_is_made_of_the_installed_sources() -> None:
    same = read_data(GAZETTEERS) == making.make_gazetteers()
    assert same, "make lists"


def test_a_term_has_all_its_kinds() -> None:
    assert gazetteers()["\0georgia\0"] == (Kind.GIVEN | Kind.SURNAME | Kind.STATE | Kind.COUNTRY)
    assert gazetteers()["\0obrien\0"] & Kind.SURNAME


def test_a_term_with_the_written_edge_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "_lists", lambda: [(Kind.CITY, ("Aix|en",))])
    with pytest.raises(ValueError, match="edge"):
        making.make_gazetteers()
