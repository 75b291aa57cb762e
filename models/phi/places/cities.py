"""Load the cities of the world, by the country and province in which they lie."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from deidstream.models.keyring import canonical
from deidstream.models.mention import Identity
from deidstream.models.text.word_files import cut_groups, lines, read_data

CITIES = "places.cities.txt"
"""The file; ``study.lists.make_cities`` makes it from its source."""
CITY = "region.CITY"
LIES_IN = "/"
"""What stands between a kind and where its note says that the place lies."""
_CITY_TAIL = " city"
HOME, POOL, NAMES, SMALL, ALSO = "home", "pool", "names", "small", "also"
"""What the groups of the file are for."""
_LONG = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}
_NICKNAMES = dict(line.split(";") for line in lines("places.nicknames.txt"))


@dataclass(frozen=True, slots=True)
class Cities:
    """Cities by where they lie, for surrogates."""

    home: Mapping[str, str]
    """Where a city of the name, as ``city_key`` has it, lies: a country's code or, in the
    countries of ``DIVIDED``, that and the code of the province, such as ``US.MA``. A name that may
    as well be another place's is not in it."""
    pool: Mapping[str, Mapping[str, int]]
    """Names of cities to draw, spelled in ASCII, with their thousands of people; by the same codes
    and by country alone."""
    names: frozenset[str]
    """All names that are spelled in ASCII, case folded."""
    small: Mapping[str, str]
    """The country of smaller towns of ``HOMES`` whose names no other country has, by their keys."""
    also: Mapping[str, frozenset[str]]
    """By country of ``HOMES``: keys of its towns whose names ``home`` has elsewhere."""


DIVIDED = frozenset({"US", "CA", "AU", "GB", "IN", "MX", "MY", "NG", "PK", "ZA"})
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


def identify_city(key: str, lies_in: str = "") -> Identity:
    """Return the identity of a city.

    Args:
        key: As ``city_key`` has it.
        lies_in: Code of the country or province in which its note says that it lies; empty where
            the lists decide.
    """
    return Identity(f"{CITY}{LIES_IN}{lies_in}" if lies_in else CITY, key)


def is_city(identity: Identity) -> bool:
    """Return whether an identity is that of a city."""
    return identity.kind.partition(LIES_IN)[0] == CITY


def home_of(identity: Identity) -> str:
    """Return the code of the country or province of a city; empty if nothing tells."""
    said = identity.kind.partition(LIES_IN)[2]
    return said or find_home(identity.value)


def find_home(key: str) -> str:
    """Return the code of the country or province where a city lies by the lists; empty if open.

    ``Iloilo City`` is Iloilo; but in the countries of ``DIVIDED``, ``Union City`` is not Union.
    """
    home = cities().home.get(key, "")
    if home or not key.endswith(_CITY_TAIL):
        return home
    bare = cities().home.get(key.removesuffix(_CITY_TAIL), "")
    return "" if bare[:2] in DIVIDED else bare


@lru_cache(maxsize=1)
def cities() -> Cities:
    """Return the cities by where they lie; read once.

    Source: GeoNames (places of 15,000 people and more, and smaller ones of ``HOMES``).
    """
    home: dict[str, str] = {}
    pool: dict[str, Mapping[str, int]] = {}
    names: frozenset[str] = frozenset()
    small: dict[str, str] = {}
    also: dict[str, frozenset[str]] = {}
    for heading, words in cut_groups(read_data(CITIES)):
        use, _, place = heading.partition(" ")
        if use == HOME:
            home |= dict.fromkeys(words, place)
        elif use == POOL:
            rows = (word.rpartition(" ") for word in words)
            pool[place] = {name: int(weight) for name, _, weight in rows}
        elif use == SMALL:
            small |= dict.fromkeys(words, place)
        elif use == ALSO:
            also[place] = frozenset(words)
        else:
            names = frozenset(words)
    return Cities(home, pool, names, small, also)
