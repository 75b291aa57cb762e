"""Name the countries of the world, by their codes and in all spellings."""

from collections.abc import Mapping
from functools import lru_cache

from deidstream.models.phi.places.cities import fold_place
from deidstream.models.text.word_files import lines

COUNTRIES = "places.countries.txt"
"""The file of countries; ``study.lists.make_countries`` makes it from its source."""
_LARGEST = 300_000
_JOINED = {"NA": "SA", "OC": "AS"}
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
    """Return the continent of each country by code; few of America and Oceania have many cities.

    Both Americas are one, and Oceania lies in Asia.
    """
    rows = (line.split(";") for line in lines(COUNTRIES))
    return {code: _JOINED.get(continent, continent) for code, _, _, continent in rows}


@lru_cache(maxsize=1)
def _country_codes() -> Mapping[str, str]:
    return {fold_place(name): code for code, name in country_names().items()} | _ALIASES


def country_code(text: str) -> str:
    """Return the code of the country with this name; empty for an unknown name.

    >>> country_code("U.S."), country_code("The Bahamas"), country_code("Utopia")
    ('US', 'BS', '')
    """
    return _country_codes().get(fold_place(text).removeprefix("the "), "")
