"""Registered given names that the other lists lack, with the sex that the births tell."""

import gzip
from pathlib import Path

from deidstream.models.phi.names.name_lists import births, census, peoples
from deidstream.models.text.word_files import cut_groups
from deidstream.study.lists.make_births import make_births

_ROWS = """\
first_name,sex,count,year_of_birth
Tamsin,f,60,1999
Tamsin,f,80,2004
Xanthor,m,99,1950
Emberlin,f,70,2010
Emberlin,m,60,2010
Rosalind,f,900,1950
Kowalczyk,m,500,1950
"""


def test_names_of_enough_births_are_listed_by_sex_and_listed_ones_left_out(tmp_path: Path) -> None:
    source = tmp_path / "counts.csv.gz"
    source.write_bytes(gzip.compress(_ROWS.encode()))
    assert dict(cut_groups("\n" + make_births(source))) == {
        "f": ["tamsin"],
        "m": [""],
        "n": ["emberlin"],
    }


def test_no_registered_name_is_one_that_is_drawn() -> None:
    lists = census()
    assert births().keys().isdisjoint({*lists.female, *lists.male, *peoples().given})
    assert births().keys().isdisjoint(peoples().family)
