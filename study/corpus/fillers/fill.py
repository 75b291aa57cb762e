"""Write a fresh value for each label, or another value in place of one in a note.

``read_lists`` takes a second or two; afterwards nothing is read. The folder of real lists serves
training only and is a parameter; without it, packages and lists of our own serve.
"""

import csv
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import cast

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
from deidstream.study.corpus.fillers.word_lists import (
    Home,
    Lists,
    Origin,
    Pen,
    Site,
    Words,
    census_origins,
    faker_origins,
    world_cities,
)

_LOGINS = 8_000
"""Surnames of each origin that logins are made of."""
_SMALL_WORDS = frozenset({"of", "the", "and", "at", "for", "in"})

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
def read_lists(folder: Path | None = None) -> Lists:
    """Read all lists: of the packages, of our own, and of a folder of real ones if one is given.

    They are read once for each folder.

    Raises:
        FileNotFoundError: A list of the folder is not there.
    """
    if folder is not None and not folder.is_dir():
        msg = "the folder of name and place lists is not there"
        raise FileNotFoundError(msg)
    cities, homes = world_cities()
    common, every = census_origins()
    plain, words = read_peoples()
    symbols = place_words() | work_words() | number_words() | cities
    symbols["city.US"] = tuple(city for home in homes for city in home.cities)
    origins = (*faker_origins(), *plain)
    symbols |= _logins((common, *origins))
    if folder is not None:
        symbols, homes = _with_folder(symbols, homes, folder)
    return Lists(symbols, (common, common, every, every, words), origins, homes)


def _logins(origins: tuple[Origin, ...]) -> Words:
    family = {login_form(name) for origin in origins for name in origin.family[:_LOGINS]}
    given = {login_form(name) for origin in origins for name in origin.given[:_LOGINS]}
    return {"fa.": tuple(sorted(family - {""})), "gi.": tuple(sorted(given - {""}))}


def _with_folder(
    words: Words, homes: tuple[Home, ...], folder: Path
) -> tuple[Words, tuple[Home, ...]]:
    """Add what the folder of real lists holds."""
    cities = list(_rows(folder / "us_cities_29880.csv"))
    streets = _rows(folder / "census_common_street_names.csv")
    hospitals = list(_rows(folder / "cms_hospitals_2017.csv"))
    added = {
        "city.US": tuple(row["CITY"] for row in cities),
        "county.us": tuple(sorted({row["COUNTY"] for row in cities})),
        "city.GB": tuple(_read_names(folder / "english_towns_cities.json", "towns")),
        "job": tuple(_read_names(folder / "occupations.json", "occupations")),
        "hosp.real": tuple(_write_in_title_case(row["Hospital Name"]) for row in hospitals)
        + tuple(_read_names(folder / "hospitals_wikipedia.json", "hospitals")),
        "real.street": tuple(_write_in_title_case(row["Address"]) for row in hospitals),
        "street.name": tuple(row["name"] for row in streets),
    }
    by_state: dict[str, list[str]] = {}
    for row in cities:
        by_state.setdefault(row["STATE_CODE"], []).append(row["CITY"])
    real = tuple(Home(code, tuple(sorted(found))) for code, found in sorted(by_state.items()))
    return words | {key: words[key] + options for key, options in added.items()}, real or homes


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file)


def _read_names(path: Path, key: str) -> list[str]:
    return cast("list[str]", json.loads(path.read_text("utf-8"))[key])


def _write_in_title_case(name: str) -> str:
    """Write a name of a register, which is in capitals, with small letters."""
    shown = (w.lower() if w.lower() in _SMALL_WORDS else w.capitalize() for w in name.split())
    return " ".join(shown).replace("{", "").replace("}", "")
