"""Replace cities, states and countries by others of their kind that agree with each other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.codes.draw_code import write_code
from deidstream.models.phi.places.address import (
    county_pools,
    draw_city,
    draw_postcode,
    drawable_countries,
    drawable_provinces,
    find_province,
    provinces,
    target_country,
    target_province,
)
from deidstream.models.phi.places.cities import LIES_IN, home_of, identify_city, is_city
from deidstream.models.phi.places.country_codes import country_code, country_names
from deidstream.models.phi.places.draw_place import pick_unlike
from deidstream.models.phi.places.place_pools import draw_unlike
from deidstream.models.phi.places.regions import (
    ZIP,
    RegionPart,
    WrittenState,
    cut_mention,
    is_state,
    state_of,
    states,
    write_country,
    write_state,
)
from deidstream.models.text.runs import recase
from deidstream.schemas.policy import RedactStyle

_ACRONYM = 4
_ABBREVIATED = 3
"""Letters of the abbreviation of a state that may be an American one, of a form not listed."""


@dataclass(frozen=True, slots=True)
class ReplaceRegion:
    """A state becomes another of its country, written as long or short as the original, and a city
    one of the state that its own becomes; so do the cities of a country go where it goes.

    A city of an uncertain state becomes a town that may lie in several, unless the note says where
    it lies. What a mention holds
    beside the city (``Boston, MA 02115``) is replaced as what it is. An unknown state lies where
    its note says, or a city of its name does, or else becomes a town as of no certain state; an
    abbreviation is taken for that of an American one.
    """  # noqa: D205

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name each region by its full name, so that ``N.H.`` and ``New Hampshire`` agree."""
        found = (part.identity for part in cut_mention(mention))
        return tuple(dict.fromkeys(identity for identity in found if identity))

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw another region of the kind, as its full name."""
        if identity.kind == ZIP:
            return draw_postcode(identity, draws)
        if is_city(identity):
            return draw_city(identity, draws)
        return _state(identity, draws) if is_state(identity) else _country(identity, draws)

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the regions in the form of the mention."""
        parts = cut_mention(mention)
        if not any(part.identity for part in parts):
            return write_label(mention, self.style)
        return "".join(part.before + _write(part, surrogates) for part in parts)


def _state(identity: Identity, draws: Draws) -> str:
    draw, state = draws.own(identity), state_of(identity.value)
    said = identity.kind.partition(LIES_IN)[2]
    land = said or (state.group if state else home_of(identify_city(identity.value))[:2])
    province = find_province(identity.value, land)
    if province:
        return target_province(province, draws).full
    if pools := county_pools(identity.value, draws):
        own = replace(draws, probe=0).own(identity)
        return draw_unlike(identity.value, pools, own, draws.probe)
    home = target_country(land, draws)
    if home is None and state is None and len(identity.value) > _ABBREVIATED:
        return draw_city(identify_city(identity.value), draws)
    if home is None:
        return provinces()[draw.pick(drawable_provinces("US"))].full
    group = {other.full: None for other in states().values() if other.group == home}
    if not group:
        return draw_city(identify_city(identity.value, land), draws)
    return pick_unlike(tuple(group), identity.value, draw)


def _country(identity: Identity, draws: Draws) -> str:
    moved = target_country(identity.value.upper(), draws)
    if moved:
        return country_names()[moved]
    options = tuple(country_names()[code] for code in drawable_countries())
    return pick_unlike(options, identity.value, draws.own(identity))


def _write(part: RegionPart, surrogates: Mapping[Identity, str]) -> str:
    if part.identity is None:
        return part.text
    drawn = surrogates[part.identity]
    if part.identity.kind == ZIP:
        return write_code(part.text, drawn)
    if is_city(part.identity):
        return _write_city(part.text, drawn)
    if is_state(part.identity):
        return write_state(part.text, state_of(drawn) or WrittenState("", drawn, "", ""))
    stays = country_code(part.text) == country_code(drawn) != ""
    return part.text if stays else write_country(part.text, drawn)


def _write_city(text: str, drawn: str) -> str:
    """Write ``Saint`` as short as the original does; a name for an acronym."""
    if text.casefold().startswith("st."):
        drawn = "St. " + drawn[6:] if drawn.startswith("Saint ") else drawn
    acronym = text.isupper() and len(text.replace(".", "")) < _ACRONYM
    return drawn if acronym else recase(drawn, text)
