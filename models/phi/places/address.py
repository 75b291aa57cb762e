"""Keep the parts of one address together: where provinces, countries and postcodes move.

A surrogate depends on no other mention (ADR 3), so what must agree agrees by construction: for each
scope and country, one keyed table says to which province each province moves. A state is written
as its table says; a city that lies in one state beyond doubt becomes a city of the state that it
moves to; a postcode, whose first characters tell its state, becomes one of that state. A city of
which the gazetteer knows nothing, or which may lie in several states, becomes a town whose name
lies in several states and countries, and so contradicts none, unless its note says where it lies
(``locate_towns``). The countries of ``HOMES`` stay, as
their postcodes and telephone numbers do not become those of others; other countries move by such a
table too, and their cities with them.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from deidstream.models.keyring import Draw, Keyring
from deidstream.models.mention import Draws, Identity
from deidstream.models.phi.codes.draw_code import draw_code
from deidstream.models.phi.names.initials import DIGITS, derange, derange_by_share
from deidstream.models.phi.names.name_pools import NamePool
from deidstream.models.phi.places.cities import CITIES, DIVIDED, cities, fold_place, home_of
from deidstream.models.phi.places.country_codes import parts_of_the_world
from deidstream.models.phi.places.place_pools import (
    class_pool,
    draw_unlike,
    nation_of_county,
    town_pool,
)
from deidstream.models.text.word_files import lines, split_list

OFTEN_NOTED = (*sorted(DIVIDED), "HK", "IE", "NZ", "PH", "PR", "SG")
"""Countries of which a single place tells that a note was written there."""
HOMES = (*OFTEN_NOTED, *split_list("BW GH JM KE LK MW NA TT UG ZM ZW"))
"""Countries where notes are written in English, and those whose states are known: their cities stay
in them, as do the codes of their telephones and the forms of their postcodes."""
_FEWEST = {"US": 20, "NG": 3, "ZA": 6}
_FEWEST_CITIES = 10
"""No province moves to one with fewer cities to draw from; other numbers for some countries."""
_FEWEST_ABROAD = 10
_ODD = frozenset({"US.DC"})
"""The gazetteer has the neighbourhoods of this city as cities."""
_UNHEARD = frozenset(split_list("HK KP MM SG TW"))
"""Countries of which the gazetteer has neighbourhoods, or that a reader would stumble over."""
_INWARD = "abdefghjlnpqrstuwxyz"
"""Letters after the space of a British postcode. Source: BS 7666, Royal Mail PAF guide."""
_CANADIAN = "abceghjklmnprstvwxyz"
_DISTRICT = "abcdefghjkpstuw"
"""The letter at the end of some districts, as in ``W1A``."""
_BRITISH = re.compile("[a-z]{1,2}[0-9][a-z0-9]?[0-9][a-z]{2}")
_ZIP = 5


@dataclass(frozen=True, slots=True)
class Province:
    """A state, province or nation of a country of ``DIVIDED``."""

    land: str
    full: str
    code: str
    """As the gazetteer has it, such as ``US.MA``."""
    prefixes: tuple[str, ...]
    """How its postcodes begin, lower case."""


@lru_cache(maxsize=1)
def provinces() -> Mapping[str, Province]:
    """Return the provinces by code, in the order of the list."""
    rows = (line.split(";") for line in lines("places.postal.txt"))
    found = (Province(r[0], r[1], f"{r[0]}.{r[2]}".rstrip("."), tuple(_ranges(r[3]))) for r in rows)
    return {province.code: province for province in found}


@lru_cache(maxsize=1)
def provinces_by_name() -> Mapping[str, Province]:
    """Return the provinces by full name, as ``fold_place`` has it; without those that share one."""
    named: dict[str, list[Province]] = {}
    for province in provinces().values():
        named.setdefault(fold_place(province.full), []).append(province)
    return {name: found[0] for name, found in named.items() if len(found) == 1}


def find_province(name: str, land: str) -> Province | None:
    """Return the province that is called so, of several that of a country.

    Args:
        name: As ``fold_place`` has it.
        land: Code of the country.
    """
    of_land = (one for one in provinces().values() if one.land == land)
    shared = (one for one in of_land if fold_place(one.full) == name)
    return provinces_by_name().get(name) or next(shared, None)


@lru_cache(maxsize=1)
def _by_prefix() -> Mapping[tuple[str, str], Province]:
    return {(p.land, prefix): p for p in provinces().values() for prefix in p.prefixes}


def _ranges(text: str) -> Iterator[str]:
    for part in text.split():
        first, _, last = part.partition("-")
        if last:
            yield from (f"{n:0{len(first)}d}" for n in range(int(first), int(last) + 1))
        else:
            yield first


def province_of(postcode: str) -> Province | None:
    """Return the province of a postcode of America, Australia, Britain, Canada and India.

    Args:
        postcode: Letters and digits, lower case. Three or five digits are American, four
            Australian, six Indian, ``a1a1a1`` is Canadian, ``a11aa`` and the like are British.
    """
    if _BRITISH.fullmatch(postcode):
        return _by_prefix().get(("GB", _area_of(postcode)))
    if postcode.isdigit() and len(postcode) in {3, 5}:
        # Areas that no post office has yet, or has left, lie between those of their state.
        at = bisect_right(_american(), (postcode[:3], "~"))
        return provinces()[_american()[at - 1][1]] if at else None
    land, lengths = ("AU", (3, 2)) if postcode.isdigit() else ("CA", (1,))
    if len(postcode) == 6 and postcode.isdigit():  # noqa: PLR2004
        land = "IN"
    if len(postcode) != {"AU": 4, "CA": 6, "IN": 6}[land]:
        return None
    heads = (postcode[:length] for length in lengths)
    return next(filter(None, (_by_prefix().get((land, head)) for head in heads)), None)


def _area_of(postcode: str) -> str:
    """Return the letters that a British postcode begins with."""
    return postcode[: 2 if postcode[1].isalpha() else 1]


@lru_cache(maxsize=1)
def _american() -> tuple[tuple[str, str], ...]:
    """Return areas with the code of their province, in the order of areas."""
    american = (p for p in provinces().values() if p.land in {"US", "PR"})
    return tuple(sorted((prefix, p.code) for p in american for prefix in p.prefixes))


@lru_cache(maxsize=8)
def drawable_provinces(land: str) -> tuple[str, ...]:
    """Return the codes of a country's provinces with enough cities to draw from."""
    pools, codes = cities().pool, (p.code for p in provinces().values() if p.land == land)
    fewest = _FEWEST.get(land, _FEWEST_CITIES)
    return tuple(c for c in codes if c not in _ODD and len(pools.get(c, ())) >= fewest)


@lru_cache(maxsize=1)
def drawable_countries() -> tuple[str, ...]:
    """Return the codes of countries beyond ``HOMES`` with enough cities to draw from."""
    pools = ((code, names) for code, names in cities().pool.items() if "." not in code)
    kept = {code for code, names in pools if len(names) >= _FEWEST_ABROAD}
    return tuple(sorted(kept - _UNHEARD - {*HOMES}))


def target_province(province: Province, draws: Draws) -> Province:
    """Return the province that a province moves to in the scope, within its country.

    Puerto Rico, which is one, stays.
    """
    if province.land == "PR":
        return province
    if draws.common:
        table = _map_provinces(province.land, draws)
    else:
        table = _map_keyed_provinces(province.land, draws.keyring, draws.scope)
    return provinces()[table[province.code]]


@lru_cache(maxsize=256)
def _map_keyed_provinces(land: str, keyring: Keyring, scope: str) -> Mapping[str, str]:
    """Map the provinces once for a scope: each of its cities and postcodes needs it."""
    return _map_provinces(land, Draws(keyring, scope))


def _map_provinces(land: str, draws: Draws) -> Mapping[str, str]:
    draw = draws.shared("provinces:" + land)
    table = derange_by_share(draw, _people_of_provinces(land))
    # Provinces without a place in the table follow in the order of the list, always the same.
    poor = [p.code for p in provinces().values() if p.land == land and p.code not in table]
    return table | {code: draw.pick(drawable_provinces(land)) for code in poor}


def target_country(code: str, draws: Draws) -> str | None:
    """Return the code of the country that a country moves to; None for what is no code.

    One of ``HOMES`` stays, and any other becomes one of its part of the world, as names stay those
    of a people.
    """
    if code in HOMES:
        return code
    if draws.common:
        return _map_countries(draws).get(code)
    return _map_keyed_countries(draws.keyring, draws.scope).get(code)


@lru_cache(maxsize=256)
def _map_keyed_countries(keyring: Keyring, scope: str) -> Mapping[str, str]:
    return _map_countries(Draws(keyring, scope))


def _map_countries(draws: Draws) -> Mapping[str, str]:
    """Map all countries but ``HOMES``."""
    table: dict[str, str] = {}
    groups, homes = _group_by_part(drawable_countries()), _group_by_part(HOMES)
    for part, group in groups.items():
        if len(group) == 1:
            continue
        table |= derange(draws.shared(f"countries:{part}"), group)
    # Countries with few cities follow in the order of the list, always the same.
    draw = draws.shared("countries:others")
    for code, part in parts_of_the_world().items():
        if code not in HOMES and code not in table:
            near = [one for one in groups.get(part, ()) if one != code]
            table[code] = draw.pick(near or homes.get(part) or drawable_countries())
    return table


def _group_by_part(codes: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Group countries by their part of the world."""
    groups: dict[str, list[str]] = {}
    for code in codes:
        groups.setdefault(parts_of_the_world()[code], []).append(code)
    return groups


@lru_cache(maxsize=8)
def _people_of_provinces(land: str) -> Mapping[str, int]:
    """Return how many thousands live in the cities of each province to which others move."""
    return {code: sum(cities().pool[code].values()) for code in drawable_provinces(land)}


def city_pool(city: Identity, draws: Draws) -> NamePool:
    """Return the names that may replace that of a city.

    Towns that may lie anywhere replace a city that lies nowhere for certain.
    """
    home = home_of(city)
    if home in provinces():
        return _pool_of(target_province(provinces()[home], draws).code)
    # A capital district such as that of Mexico City is no state: its cities stay in the country.
    moved = target_country(home.partition(".")[0], draws)
    return _pool_of(moved) if moved else town_pool()


def county_pools(value: str, draws: Draws) -> tuple[NamePool, ...]:
    """Return the counties of the nation to which that of a county moves; none for other words."""
    nation = nation_of_county(value)
    return (class_pool(target_province(provinces()[nation], draws).code),) if nation else ()


def draw_city(identity: Identity, draws: Draws) -> str:
    """Draw a name for that of a city; the next probe gives another one."""
    draw = replace(draws, probe=0).own(identity)
    return draw_unlike(identity.value, (city_pool(identity, draws),), draw, draws.probe)


@lru_cache(maxsize=256)
def _pool_of(code: str) -> NamePool:
    return NamePool.of_weights(cities().pool[code], f"cities of {code}, {CITIES}")


def draw_postcode(identity: Identity, draws: Draws) -> str:
    """Draw letters and digits for those of ``identity``; never its own.

    ZIP codes of one area (their first three digits) stay in one area, and an area alone agrees with
    them. A code that shows no province changes in its own form.
    """
    value, draw = identity.value, draws.own(identity)
    if value.isascii() and value.isdigit() and len(value) in {3, 4, _ZIP, 6}:
        return _draw_numeric(value, draws, draw)
    drawn = value
    while drawn == value:
        drawn = _draw_lettered(value, draws, draw)
    return drawn


def _draw_numeric(value: str, draws: Draws, draw: Draw) -> str:
    province = province_of(value)
    if province is None and len(value) in {4, 6}:
        return _draw_european(value, draw)
    start = _area_start(value, province, draws) if province else _draw_american_start(draw)
    if len(value) == _ZIP:
        # Hardly any post office has number 00.
        return f"{start}{1 + draw.below(99):02d}"
    return start + "".join(draw.pick(DIGITS) for _ in range(len(value) - len(start)))


def _draw_european(value: str, draw: Draw) -> str:
    drawn = value
    while drawn == value:
        drawn = draw.pick(DIGITS[1:]) + "".join(draw.pick(DIGITS) for _ in value[1:])
    return drawn


def _draw_american_start(draw: Draw) -> str:
    """Draw the beginning of an American postcode, for one of an unknown beginning."""
    return draw.pick(provinces()[draw.pick(drawable_provinces("US"))].prefixes)


def _area_start(value: str, province: Province, draws: Draws) -> str:
    """Return how postcodes begin in the area that the area of ``value`` moves to."""
    # Goa and Tripura have none of their own: their codes begin as those of their neighbours.
    heads = target_province(province, draws).prefixes or _heads_of(province.land)
    turn = draws.shared("areas:" + province.land).below(1000)
    place = sum(head <= value for head in province.prefixes)
    return heads[(place + turn) % len(heads)]


@lru_cache(maxsize=8)
def _heads_of(land: str) -> tuple[str, ...]:
    """Return how postcodes of a country begin, in the order of its provinces."""
    return tuple(head for p in provinces().values() if p.land == land for head in p.prefixes)


def _draw_lettered(value: str, draws: Draws, draw: Draw) -> str:
    shape = "".join(
        "9" if c in DIGITS else "a" if c.isascii() and c.isalpha() else "?" for c in value
    )
    if shape == "a9a9a9":
        return _draw_canadian(value, draws, draw)
    if _BRITISH.fullmatch(value):
        return _draw_british(value, draws, draw)
    return draw_code(value, draw)


def _draw_british(value: str, draws: Draws, draw: Draw) -> str:
    """Draw a postcode of the nation to which that of ``value`` moves, if its form allows it.

    Those of one area stay in one area.
    """
    nation, area = province_of(value), _area_of(value)
    own = target_province(nation, draws).prefixes if nation else ()
    alike = [one for one in own if len(one) == len(area)] or _british_areas(len(area))
    known = _british_areas(len(area))
    turn = draws.shared("areas:GB").below(1000)
    place = known.index(area) if area in known else 0
    district = "".join(
        draw.pick(DIGITS[1:] if c in DIGITS else _DISTRICT) for c in value[len(area) : -3]
    )
    inward = draw.pick(DIGITS) + draw.pick(_INWARD) + draw.pick(_INWARD)
    return alike[(place + turn) % len(alike)] + district + inward


def _british_areas(length: int) -> list[str]:
    return [area for area in _heads_of("GB") if len(area) == length]


def _draw_canadian(value: str, draws: Draws, draw: Draw) -> str:
    province = province_of(value)
    heads = target_province(province, draws).prefixes if province else tuple(_CANADIAN)
    second, third = draw.pick(DIGITS[1:]), draw.pick(_CANADIAN)
    last = draw.pick(DIGITS) + draw.pick(_CANADIAN) + draw.pick(DIGITS)
    return draw.pick(heads) + second + third + last
