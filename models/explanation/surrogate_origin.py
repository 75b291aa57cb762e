"""Find what the surrogate of an identity was drawn from, by the kind of the identity."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from deidstream.models.mention import Draws, Identity
from deidstream.models.operators.replace_place import GIVEN as FOUNDER
from deidstream.models.operators.replace_place import (
    PROPER,
    SAINT,
    TERRAIN,
    land_of_word,
)
from deidstream.models.phi.names.identity import FAMILY, GIVEN
from deidstream.models.phi.names.initials import initial
from deidstream.models.phi.names.name_pools import NamePool
from deidstream.models.phi.names.write_name import find_name_pool
from deidstream.models.phi.places.address import city_pool, county_pools
from deidstream.models.phi.places.cities import LIES_IN, is_city
from deidstream.models.phi.places.draw_place import feature_pools
from deidstream.models.phi.places.place_pools import class_pool, given_pools, word_pools
from deidstream.models.phi.places.regions import STATE, is_state

_SAME_SHAPE = "letters and digits of the same shape"
_ORIGINS: Mapping[str, str] = MappingProxyType(
    {
        "name.letters": "the scope's table of initials of names",
        "place.letters": "the scope's table of initials of places",
        "place.code": "numbers of houses and letters of units of the same shape",
        STATE: "states of the country, by the scope's table of states",
        "region.COUNTRY": "countries, by the scope's table of countries",
        "profession": "professions.txt",
        "date.shift": "days by which all dates of the scope move",
        "date.origin": "a hidden day from which the dates of the scope count",
        "age.shift": "years by which all ages of the scope move",
        "phone": "numbers of its numbering plan that are not in use",
        "phone.ext": "as many digits",
        "contact.domain": "domains reserved for examples",
        "contact.path": _SAME_SHAPE,
        "contact.part": _SAME_SHAPE,
        "contact.IPADDR": "addresses reserved for documentation",
        "contact.card": "addresses of network cards that no maker gives",
        "id.ZIP": "postcodes of the state that its own moves to",
        "id.SSN.front": "areas in which no number is issued",
    }
)
"""What is drawn from no pool of names, by kind."""
_CODES, _TOKENS = "id.", "hash."
"""Beginnings of the kinds of other numbers, and of tokens."""


def find_origin(identity: Identity, surrogate: str, draws: Draws) -> str:
    """Return what a surrogate was drawn from: the title of a pool, or a few words.

    Args:
        identity: What it replaces.
        surrogate: As it was derived.
        draws: Those that it was derived from.

    Raises:
        KeyError: There is no identity of that kind.
    """
    if identity.kind in {GIVEN, FAMILY}:
        return find_name_pool(identity, surrogate).title
    if pools := _list_place_pools(identity, initial(surrogate), draws):
        return _find_pool(pools, surrogate).title
    kind = STATE if is_state(identity) else identity.kind
    if kind in _ORIGINS:
        return _ORIGINS[kind]
    if identity.kind.startswith(_TOKENS):
        return "tokens of the key"
    if identity.kind.startswith(_CODES):
        return _SAME_SHAPE
    raise KeyError(identity.kind)


def _list_place_pools(identity: Identity, first: str, draws: Draws) -> tuple[NamePool, ...]:
    """Return the pools that a word or name of a place is drawn from, in their order."""
    kind = identity.kind.partition(LIES_IN)[0]
    if kind == PROPER:
        land = land_of_word(identity, draws)
        return county_pools(identity.value, draws) or word_pools(identity.value, first, land)
    if kind == FOUNDER:
        return given_pools(identity.value, first)
    if kind == TERRAIN:
        return feature_pools(first)
    if kind == SAINT:
        return (class_pool("saints"),)
    return (city_pool(identity, draws),) if is_city(identity) else ()


def _find_pool(pools: Sequence[NamePool], surrogate: str) -> NamePool:
    """Return the first pool that has a surrogate, or the name that it begins with."""
    for pool in pools[:-1]:
        if any(surrogate == name or surrogate.startswith(f"{name} ") for name in pool.names):
            return pool
    return pools[-1]
