"""Name the countries of the world, by their codes and in all spellings."""

from collections.abc import Mapping
from functools import lru_cache

from deidstream.models.phi.places.cities import fold_place
from deidstream.models.text.word_files import lines, sections

COUNTRIES = "places.countries.txt"
"""The file of countries; ``study.lists.make_countries`` makes it from its source."""
_LARGEST = 300_000
_INDIES = " wi"
"""West Indies, behind the name of an island: ``Jamaica W.I.``."""
_REGIONS = "places.regions.txt"
_JOINED = {"NA": "SA", "OC": "southeast asian"}
_ALIASES = {
    "us": "US", "usa": "US", "united states of america": "US", "america": "US", "states": "US",
    "uk": "GB", "great britain": "GB", "britain": "GB", "gb": "GB", "uae": "AE", "ksa": "SA",
    "drc": "CD", "dr congo": "CD", "zaire": "CD", "congo": "CG", "prc": "CN", "png": "PG",
    "nz": "NZ", "aotearoa": "NZ", "eire": "IE", "republic of ireland": "IE", "korea": "KR",
    "holland": "NL", "netherlands": "NL", "burma": "MM", "trinidad": "TT", "st kitts": "KN",
    "st lucia": "LC", "st vincent": "VC", "czech republic": "CZ", "cape verde": "CV",
    "macedonia": "MK", "swaziland": "SZ", "persia": "IR", "palestine": "PS", "bosnia": "BA",
    "antigua": "AG", "east timor": "TL", "cote d'ivoire": "CI", "turkiye": "TR",
    "deutschland": "DE",
}  # fmt: skip


@lru_cache(maxsize=1)
def countries() -> tuple[str, ...]:
    """Return the names of countries, sorted."""
    rows = (line.split(";") for line in lines(COUNTRIES))
    return tuple(
        sorted(name for _, name, people, _ in rows if name.isascii() and int(people) > _LARGEST)
    )


@lru_cache(maxsize=1)
def country_names() -> Mapping[str, str]:
    """Return the names of countries by code."""
    rows = (line.split(";") for line in lines(COUNTRIES))
    return {code: name for code, name, _, _ in rows}


@lru_cache(maxsize=1)
def parts_of_the_world() -> Mapping[str, str]:
    """Return the part of the world in which each country lies, by code.

    It is a group of countries whose people are called alike, else the continent. Both Americas are
    one, and Oceania lies with the south-east of Asia.
    """
    rows = (line.split(";") for line in lines(COUNTRIES))
    found = {code: _JOINED.get(continent, continent) for code, _, _, continent in rows}
    groups = sections(_REGIONS)
    return found | {code: part for part, codes in groups.items() for code in codes if code in found}


@lru_cache(maxsize=1)
def _country_codes() -> Mapping[str, str]:
    return {fold_place(name): code for code, name in country_names().items()} | _ALIASES


def country_code(text: str) -> str:
    """Return the code of the country with this name; empty for an unknown name.

    >>> country_code("U.S."), country_code("The Bahamas, W.I."), country_code("Utopia")
    ('US', 'BS', '')
    """
    name = fold_place(text).removeprefix("the ").removesuffix(_INDIES).rstrip(",")
    return _country_codes().get(name, "")
