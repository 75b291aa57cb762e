"""Find out where a note says that its towns lie, of which the lists say nothing or something else.

A state, postcode or country right behind a town says it. Of a town alone the country does in which
most places of the note lie that tell one, if a postcode behind the town is of its form. A state
that the lists have in no country, or in two, lies in that of the towns before it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

import re2

from deidstream.models.mention import Identity, NotedLands
from deidstream.models.phi.places.address import (
    OFTEN_NOTED,
    find_province,
    province_of,
    provinces_by_name,
)
from deidstream.models.phi.places.cities import cities, find_home, fold_place, is_city
from deidstream.models.phi.places.place_cues import SHIRE
from deidstream.models.phi.places.place_pools import nation_of_county
from deidstream.models.phi.places.regions import (
    COUNTRY,
    STATE,
    ZIP,
    groups_of,
    state_of,
    states,
)

_BETWEEN = re2.compile(
    r"""[\s,;:.()/|#\x{2013}-]{0,4}|"\s*,\s*"[A-Za-z_]+"\s*:\s*"?"""
    rf"|[\s,]{{1,3}}(?:(?i:co\.?|county) \p{{L}}{{3,12}}|{SHIRE})[\s,.]{{1,3}}"
)
"""What may stand between a town and the region that it lies in, fields of JSON and a county among
it."""
_DIGITS = {
    land: digits
    for digits, group in (
        (4, "AT AU BD BE CH DK HU NO NZ PH ZA"),
        (5, "DE ES FI FR GR HR ID IT KE KR LK MX MY PK PR SA SE TH TR UA US"),
        (6, "CN IN NG RO RU"),
    )
    for land in group.split()
}
"""How many digits postcodes have. Source: Universal Postal Union, addressing systems."""
_DISTRICT = 2
"""Most digits of the number of a postal district, which is no postcode: ``Dublin 24``."""
_SEVERAL = 2
"""Places that tell a country in which notes are seldom written."""
_BEHIND = 4
"""A town and the state, postcode and country behind it."""
_HOME = "US"
"""A country whose towns of no certain state may lie in several, and whose postcodes, of five
digits, other countries have too."""
NO_SIGNS: Mapping[str, int] = MappingProxyType({})
_IRISH = re2.compile("[a-z][0-9][0-9w][a-z0-9]{4}")
"""A postcode of Ireland, in lower case and without a gap."""


@dataclass(frozen=True, slots=True)
class WrittenRegion:
    """A region that a note names, and where."""

    identity: Identity
    text: str = field(repr=False)
    start: int
    end: int


def locate_towns(
    written: Sequence[WrittenRegion], note: str, signs: Mapping[str, int] = NO_SIGNS
) -> NotedLands:
    """Return where the towns of a note lie.

    Args:
        written: Its regions, in order; their identities as the lists have them.
        note: Its text.
        signs: What else tells each country in which it may be written (``surrogates.land_signs``).
    """
    lands = Counter(land for region in written for land in _tell_land(region))
    lands.update(signs)
    lands.update(_list_stated_lands(written, note))
    land = _find_most(lands)
    said: dict[str, Counter[str]] = {}
    codes: dict[str, set[int]] = {}
    for place, region in enumerate(written):
        if is_city(region.identity):
            behind = tuple(_list_behind(written[place : place + _BEHIND], note))
            told = _read_behind(region, behind, land)
            said.setdefault(region.identity.value, Counter()).update([told] if told else ())
            lands.update([told[:2]] if told else ())
            numbers = (one.identity.value for one in behind if one.identity.kind == ZIP)
            digits = codes.setdefault(region.identity.value, set())
            digits.update(len(code) for code in numbers if code.isdigit() and len(code) > _DISTRICT)
    land = _find_most(lands)
    if lands[land] < _SEVERAL and land not in OFTEN_NOTED:
        # One town alone may be read as one abroad: Gore lies in New Zealand too.
        land = ""
    towns: dict[str, str] = {}
    for key, places in said.items():
        home = find_home(key)
        fits = codes[key] <= {_DIGITS.get(land)}
        here = fits and land != _HOME and (not home or key in cities().also.get(land, ()))
        found = _find_most(places) or (land if here else "")
        if found and not home.startswith(found):
            towns[key] = found
    return NotedLands(land, towns, _locate_states(written, note, NotedLands(land, towns)))


def _list_stated_lands(written: Sequence[WrittenRegion], note: str) -> Iterator[str]:
    """Yield the country at the end of each address, as behind an institution: ``Ward 5, Malta``.

    It counts twice: whoever writes it there is in it.
    """
    for region in written:
        if region.identity.kind == COUNTRY and note[: region.start].endswith(", "):
            code = region.identity.value.upper()
            yield from [code, code] if len(code) == len(_HOME) else ()


def _locate_states(
    written: Sequence[WrittenRegion], note: str, lands: NotedLands
) -> dict[str, str]:
    """Return the countries of the states that the lists have in none, or in two."""
    said: dict[str, Counter[str]] = {}
    for place, region in enumerate(written):
        value = region.identity.value
        if region.identity.kind != STATE or value in provinces_by_name():
            continue
        if len(groups_of(region.text)) == 1:
            continue
        votes = said.setdefault(value, Counter())
        town = written[place - 1] if place else region
        if is_city(town.identity) and _BETWEEN.fullmatch(note[town.end : region.start]):
            key = town.identity.value
            home = lands.towns.get(key, "") or find_home(key)
            votes.update([home[:2]] if home else ())
    found: dict[str, str] = {}
    for value, votes in said.items():
        listed = states().get(value)
        own = listed.group if listed else find_home(value)[:2]
        land = _find_most(votes) or ("" if own and not listed else lands.land)
        if land and land != own:
            found[value] = land
    return found


def _list_behind(regions: Sequence[WrittenRegion], note: str) -> Iterator[WrittenRegion]:
    """Yield the state, postcode and country that follow the town that ``regions`` begin with."""
    for before, region in pairwise(regions):
        if is_city(region.identity) or not _BETWEEN.fullmatch(note[before.end : region.start]):
            return
        yield region


def _find_most(counts: Counter[str]) -> str:
    """Return what is counted most often, if nothing else is as often."""
    ranked = (+counts).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return ""
    return ranked[0][0]


def _tell_land(region: WrittenRegion) -> Iterator[str]:
    """Yield the country of a city, state or postcode that is of one country alone."""
    value = region.identity.value
    groups = groups_of(region.text) if region.identity.kind == STATE else ()
    if groups:
        yield from groups if len(groups) == 1 else ()
    elif is_city(region.identity) or region.identity.kind == STATE:
        # Abroad a state is often called as its capital.
        home = find_home(value) or cities().small.get(value, "")
        yield from [home[:2]] if home else ()
    elif region.identity.kind == ZIP and not value.isdigit():
        province = province_of(value)
        yield from [province.land] if province else ["IE"] if _IRISH.fullmatch(value) else ()


def _read_behind(town: WrittenRegion, behind: Sequence[WrittenRegion], land: str) -> str:
    """Return the code of the province or country that the regions behind a town name first.

    A country behind them is believed before a postcode of another: ``Whangarei 0110, NZ``.
    """
    open_town = not find_home(town.identity.value)
    found, of_state = "", False
    for region in behind:
        told = _tell_place(region, land, open_town=open_town)
        outweighs = region.identity.kind == COUNTRY and not of_state
        if told and (not found or (outweighs and not found.startswith(told))):
            found, of_state = told, region.identity.kind == STATE
    return found


def _tell_place(region: WrittenRegion, land: str, *, open_town: bool) -> str:
    value = region.identity.value
    # Five digits speak for America where those of the note's country have other postcodes.
    american = open_town and _DIGITS.get(land) != len(value) == _DIGITS[_HOME]
    if region.identity.kind == COUNTRY:
        return value.upper() if len(value) == 2 else ""  # noqa: PLR2004
    own = next(_tell_land(region), "")
    if region.identity.kind == STATE:
        # A code that several countries have is that of the note's: ``TN``.
        state = state_of(region.text, land)
        own = own or (state.group if state and state.code else "")
        province = find_province(fold_place(state.full), own) if state else None
        return province.code if province else nation_of_county(value) or own
    if region.identity.kind == ZIP and (own or land in {"", _HOME, "AU"} or american):
        province = province_of(value)
        return province.code if province else own
    return ""
