"""Write a fresh value for each label, or another value in place of one in a note.

``read_lists`` takes a second or two; afterwards nothing is read. Real lists serve training only and
are a parameter; without them, packages and lists of our own serve.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from deidstream.schemas.label import HANDLES, INSTITUTIONS, NUMBERS, PERSONS, PHONES, PhiLabel
from deidstream.study.corpus.fillers.age_text import fresh_age, like_age, reform_age
from deidstream.study.corpus.fillers.date_text import fresh_date, like_date, reform_date
from deidstream.study.corpus.fillers.number_text import (
    like_code,
    like_login,
    like_network,
    like_phone,
    login_form,
    number_words,
    reform_code,
    reform_phone,
)
from deidstream.study.corpus.fillers.person_text import (
    fresh_person,
    like_person,
    read_peoples,
    reform_person,
)
from deidstream.study.corpus.fillers.place_text import (
    fresh_state,
    like_city,
    like_place,
    like_profession,
    like_state,
    place_words,
    reform_hospital,
    reform_organization,
    reform_place,
    work_words,
)
from deidstream.study.corpus.fillers.real_lists import read_real_homes, read_real_words
from deidstream.study.corpus.fillers.word_lists import (
    Lists,
    Origin,
    Pen,
    Site,
    Words,
    census_origins,
    faker_origins,
    world_cities,
)
from deidstream.study.corpus.sources import RealLists

_LOGINS = 8_000
"""Surnames of each origin that logins are made of."""

_L = PhiLabel
Imitation = Callable[[Pen, Site], str | None]


@dataclass(frozen=True, slots=True)
class Filler:
    """Draws values by ``rng`` from ``lists``; the same draws for the same seed, anywhere."""

    rng: random.Random
    lists: Lists = field(repr=False)
    reformed: float = 0.4
    """Share of values that are written in another form than the one they replace."""

    def fresh(self, label: PhiLabel) -> str:
        """Write a value of the label in any form."""
        return self.fill(label, self.rng)

    def fill(self, label: PhiLabel, rng: random.Random) -> str:
        """Write a value of the label in any form, drawn from another source of chance."""
        pen = Pen(rng, self.lists)
        write = _FRESH.get(label)
        return write(pen) if write else pen.write(_SYMBOLS.get(label, label.value))

    def refill(self, pen: Pen, site: Site) -> str | None:
        """Write another value in place of one; ``None`` if none can be written sensibly."""
        new = None
        if not site.touches_letter and pen.chance(self.reformed):
            new = _REFORM[site.label](pen, site)
        return _LIKE[site.label](pen, site) if new is None else new


_CODES = NUMBERS | {_L.ZIP}
_BUILT = INSTITUTIONS | {_L.STREET, _L.LOCATION_OTHER}

_LIKE: Mapping[_L, Imitation] = MappingProxyType(
    dict[_L, Imitation](dict.fromkeys(PERSONS, like_person))
    | dict.fromkeys(_BUILT, like_place)
    | dict.fromkeys(PHONES, like_phone)
    | dict.fromkeys(HANDLES, like_login)
    | dict.fromkeys(_CODES, like_code)
    | {_L.DATE: like_date, _L.AGE: like_age, _L.CITY: like_city, _L.STATE: like_state}
    | {_L.COUNTRY: reform_place, _L.PROFESSION: like_profession, _L.IPADDR: like_network}
)
_REFORM: Mapping[_L, Imitation] = MappingProxyType(
    dict(_LIKE)
    | dict.fromkeys(PERSONS, reform_person)
    | dict.fromkeys((_L.STREET, _L.LOCATION_OTHER), reform_place)
    | dict.fromkeys(PHONES, reform_phone)
    | dict.fromkeys(_CODES, reform_code)
    | {_L.DATE: reform_date, _L.AGE: reform_age}
    | {_L.HOSPITAL: reform_hospital, _L.ORGANIZATION: reform_organization}
)
_FRESH: Mapping[_L, Callable[[Pen], str]] = MappingProxyType(
    dict[_L, Callable[[Pen], str]](dict.fromkeys(PERSONS, fresh_person))
    | {_L.DATE: fresh_date, _L.AGE: fresh_age, _L.STATE: fresh_state}
)
_SYMBOLS: Mapping[_L, str] = MappingProxyType(
    {
        label: label.value.lower()
        for label in (_L.PROFESSION, _L.HOSPITAL, _L.ORGANIZATION, _L.STREET, _L.CITY, _L.COUNTRY,
                      _L.ZIP, _L.PHONE, _L.FAX)
    }
    | {_L.LOCATION_OTHER: "location"}
)  # fmt: skip


@lru_cache(maxsize=2)
def read_lists(real: RealLists | None = None) -> Lists:
    """Read all lists: of the packages, of our own, and ``real`` ones if there are any.

    Raises:
        MissingArtefact: A real list cannot be read.
        Refused: A real list has not the declared form.
    """
    cities, homes = world_cities()
    common, every = census_origins()
    plain, words = read_peoples()
    symbols = place_words() | work_words() | number_words() | cities
    symbols["city.US"] = tuple(city for home in homes for city in home.cities)
    origins = (*faker_origins(), *plain)
    symbols |= _logins((common, *origins))
    if real is not None:
        for symbol, options in read_real_words(real).items():
            symbols[symbol] += options
        homes = read_real_homes(real) or homes
    return Lists(symbols, (common, common, every, every, words), origins, homes)


def _logins(origins: tuple[Origin, ...]) -> Words:
    family = {login_form(name) for origin in origins for name in origin.family[:_LOGINS]}
    given = {login_form(name) for origin in origins for name in origin.given[:_LOGINS]}
    return {"fa.": tuple(sorted(family - {""})), "gi.": tuple(sorted(given - {""}))}
