"""Find out where a note says that its towns lie, of which the lists say nothing or something else.

A state, postcode or country right behind a town says it. Of a town alone the country does in which
most places of the note lie that tell one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import re2

from deidstream.models.mention import Identity, NotedLands
from deidstream.models.phi.places.address import province_of, provinces_by_name
from deidstream.models.phi.places.cities import cities, is_city
from deidstream.models.phi.places.regions import COUNTRY, STATE, ZIP, groups_of

_BETWEEN = re2.compile(r"[\s,;:.()/|#\x{2013}-]{0,4}")
"""What may stand between a town and the region that it lies in."""
_BEHIND = 4
"""A town and the state, postcode and country behind it."""
_HOME = "US"
"""A country whose towns of no certain state may lie in several, and whose postcodes, of five
digits, other countries have too."""
_IRISH = re2.compile("[a-z][0-9][0-9w][a-z0-9]{4}")
"""A postcode of Ireland, in lower case and without a gap."""


@dataclass(frozen=True, slots=True)
class WrittenRegion:
    """A region that a note names, and where."""

    identity: Identity
    text: str = field(repr=False)
    start: int
    end: int


def locate_towns(written: Sequence[WrittenRegion], note: str) -> NotedLands:
    """Return where the towns of a note lie.

    Args:
        written: Its regions, in order; their identities as the lists have them.
        note: Its text.
    """
    lands = Counter(land for region in written for land in _tell_land(region))
    land = _find_most(lands)
    said: dict[str, Counter[str]] = {}
    for place, region in enumerate(written):
        if is_city(region.identity):
            behind = tuple(_read_behind(written[place : place + _BEHIND], note, land))
            said.setdefault(region.identity.value, Counter()).update(behind)
            lands.update(one[:2] for one in behind)
    land = _find_most(lands)
    towns: dict[str, str] = {}
    for key, places in said.items():
        home = cities().home.get(key, "")
        found = _find_most(places) or ("" if home or land == _HOME else land)
        if found and not home.startswith(found):
            towns[key] = found
    return NotedLands(land, towns)


def _find_most(counts: Counter[str]) -> str:
    """Return what is counted most often, if nothing else is as often."""
    ranked = counts.most_common(2)
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
        home = cities().home.get(value, "")
        yield from [home[:2]] if home else ()
    elif region.identity.kind == ZIP and not value.isdigit():
        province = province_of(value)
        yield from [province.land] if province else ["IE"] if _IRISH.fullmatch(value) else ()


def _read_behind(regions: Sequence[WrittenRegion], note: str, land: str) -> Iterator[str]:
    """Yield the code of the province or country that the regions behind a town name first."""
    for before, region in pairwise(regions):
        if is_city(region.identity) or not _BETWEEN.fullmatch(note[before.end : region.start]):
            return
        if told := _tell_place(region, land):
            yield told
            return


def _tell_place(region: WrittenRegion, land: str) -> str:
    value = region.identity.value
    if region.identity.kind == COUNTRY:
        return value.upper() if len(value) == 2 else ""  # noqa: PLR2004
    own = next(_tell_land(region), "")
    if region.identity.kind == STATE and own:
        province = provinces_by_name().get(value)
        return province.code if province else own
    if region.identity.kind == ZIP and (own or land in {"", _HOME}):
        province = province_of(value)
        return province.code if province else own
    return ""
