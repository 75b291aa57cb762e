"""Pools of words to draw names of places from: real-looking, each as often as places have it.

A word of a list, such as those of streets (``Main``), is replaced by a word of that list, any other
by a namesake: the name of a county, of a town or of a family.
"""

from collections.abc import Mapping
from functools import cache
from itertools import chain

from deidstream.models.keyring import Draw
from deidstream.models.phi.names.identity import gender_of
from deidstream.models.phi.names.name_lists import given_people, is_given
from deidstream.models.phi.names.name_pools import NamePool, find_pools
from deidstream.models.phi.names.write_name import write_listed_name
from deidstream.models.phi.places.cities import CITIES, cities
from deidstream.models.phi.unlike import is_unfit, resembles
from deidstream.models.text.word_files import cut_groups, read_data, sections

TOWN_FILE = "places.towns.txt"
"""The file; ``study.lists.make_towns`` makes it from its sources."""
NAMESAKES, TOWNS = "namesakes", "towns"
"""Its groups."""
_CLASS_FILE = "places.classes.txt"
_SHORT = ("ones", "teens", "tens", "irish counties", "GB.NIR")
"""Lists that are too short for initials."""
_CLASSES = (*_SHORT, "GB.ENG", "GB.SCT", "GB.WLS", "streets", "institutions", "states")
"""Lists of words that replace each other. A word of two is of the first."""
_COUNTY = 6
"""Weight of a word that is the name of a county and of towns."""
_FEWEST_WORDS = 20
"""No institution is called after a town of a country with fewer."""
_LARGER_TOWN = 3
"""Weight of a town of 15,000 people and more; smaller ones have 1."""
_HEAD, _UNITS = 1, 1000
"""The weight of the n-th word of a list is as 1 to n and ``_HEAD`` (Zipf and Mandelbrot)."""


@cache
def _weights(group: str) -> Mapping[str, int]:
    """Return the names of a group of the file with their weights."""
    lines = dict(cut_groups(read_data(TOWN_FILE)))[group]
    return {name: int(weight) for name, _, weight in (one.rpartition(" ") for one in lines)}


@cache
def _classes() -> Mapping[str, str]:
    """Return the list of each word of the lists, by the word in lower case."""
    lists = sections(_CLASS_FILE)
    return {word.casefold(): name for name in reversed(_CLASSES) for word in lists[name]}


@cache
def _namesake_words() -> frozenset[str]:
    return frozenset(one.casefold() for one in _weights(NAMESAKES))


def is_namesake(word: str) -> bool:
    """Return whether counties, towns or many families are called by a word, in lower case."""
    return word in _namesake_words()


def has_class(word: str) -> bool:
    """Return whether a list has a word, in lower case, as one that names are made of."""
    return word in _classes()


def nation_of_county(text: str) -> str:
    """Return the code of the nation that a county moves with: ``west yorkshire``; else nothing."""
    name = _classes().get(text.rpartition(" ")[2], "")
    return name if "." in name and name not in _SHORT else ""


@cache
def class_pool(name: str, first: str = "") -> NamePool:
    """Return the words of a list of ``places.classes.txt``, with one initial or any."""
    words = [one for one in sections(_CLASS_FILE)[name] if _begins(one, first)]
    weights = {one: _UNITS // (n + _HEAD) for n, one in enumerate(words)}
    return NamePool.of_weights(weights, _title(name, _CLASS_FILE, first))


@cache
def _namesakes(first: str) -> NamePool:
    # A given name alone calls a place only where a county has it: there is no Brittany Hospital.
    found = {
        one: weight
        for one, weight in _weights(NAMESAKES).items()
        if _begins(one, first) and (weight >= _COUNTY or not is_given(one.casefold()))
    }
    return NamePool.of_weights(found, _title(NAMESAKES, TOWN_FILE, first))


def _title(name: str, file: str, first: str = "") -> str:
    begins = f" with {first.upper()}" if first else ""
    return f"{name}{begins}, {file}"


def _begins(word: str, first: str) -> bool:
    return word[0].casefold().startswith(first)


def word_pools(value: str, first: str, land: str = "") -> tuple[NamePool, ...]:
    """Return the pools of words for a proper word of a place, in their order.

    Args:
        value: Normal form of the original; of several words where a place has no proper one.
        first: Initial of the new word, in lower case.
        land: Code of the country whose towns it is called after; empty for America.
    """
    name = _classes().get(value, "")
    if name in _SHORT:
        return (class_pool(name),)
    found = [class_pool(name, first)] if name else []
    if land:
        found += [pool for pool in (_town_words(land, first), _town_words(land, "")) if pool.names]
    return (*found, _namesakes(first), _namesakes(""))


@cache
def _town_words(land: str, first: str) -> NamePool:
    """Return the names of one word that the towns of a country have."""
    small = (key.capitalize() for key, there in cities().small.items() if there == land)
    names = dict.fromkeys(small, 1) | dict.fromkeys(cities().pool.get(land, ()), _LARGER_TOWN)
    words = {one: weight for one, weight in names.items() if one.isalpha() and _begins(one, first)}
    return NamePool.of_weights(words, _title(f"towns of {land}", CITIES, first))


def has_town_words(land: str) -> bool:
    """Return whether a country has enough towns for the names of its places and institutions."""
    return len(_town_words(land, "").names) >= _FEWEST_WORDS


def draw_given(value: str, first: str, draw: Draw, probe: int) -> str:
    """Draw the given name of another founder, of the same sex."""
    drawn = draw_unlike(value, given_pools(value, first), draw, probe)
    return write_listed_name(drawn.partition("/")[0])


def given_pools(value: str, first: str) -> tuple[NamePool, ...]:
    """Return the pools of given names for that of a founder, in their order."""
    return find_pools(given_people(value), gender_of(value), first)


def draw_saint(value: str, draw: Draw, probe: int) -> str:
    """Draw another saint; ``marys`` gets one with an ``s`` too."""
    saints = class_pool("saints")
    known = {saint.casefold() for saint in saints.names}
    plural = value not in known and value.removesuffix("s") in known
    drawn = draw_unlike(value.removesuffix("s") if plural else value, (saints,), draw, probe)
    return drawn + "s" * plural


@cache
def town_pool() -> NamePool:
    """Return the towns that may lie in several states and countries."""
    return NamePool.of_weights(_weights(TOWNS), _title(TOWNS, TOWN_FILE))


def draw_unlike(value: str, pools: tuple[NamePool, ...], draw: Draw, probe: int) -> str:
    """Return the draw of this number among those of which no word resembles one of ``value``.

    A word within another counts: ``Kestrelden`` is no stand-in for ``Kestrel``.
    """
    taken = set(value.replace("-", " ").split())
    fit = set[str]()
    for one in chain.from_iterable(pool.draw_all(draw) for pool in pools):
        if one not in fit and not gives_away(one, taken):
            fit.add(one)
            if len(fit) > probe:
                return one
    return draw.pick(sorted(fit))


def gives_away(drawn: str, taken: set[str]) -> bool:
    """Return whether a word of a drawn name gives one of ``taken`` away, or may not be drawn."""
    words = drawn.casefold().replace("-", " ").split()
    return is_unfit(drawn) or any(resembles(one, other) for one in words for other in taken)
