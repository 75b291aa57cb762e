"""Name the countries of the world, by their codes and in all spellings."""

from collections.abc import Mapping
from functools import lru_cache

from deidstream.models.phi.places.cities import fold_place
from deidstream.models.text.word_files import lines, sections

COUNTRIES = "places.countries.txt"
"""The file of countries; ``study.lists.make_countries`` makes it from its source."""
_LARGEST = 300_000
_REGIONS = "places.regions.txt"
_JOINED = {"NA": "SA", "OC": "southeast asian"}
_ALIASES = "places.aliases.txt"


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
    aliases = dict(line.split(";") for line in lines(_ALIASES))
    return {fold_place(name): code for code, name in country_names().items()} | aliases


def country_code(text: str) -> str:
    """Return the code of the country with this name; empty for an unknown name.

    >>> country_code("U.S."), country_code("The Bahamas, W.I."), country_code("Utopia")
    ('US', 'BS', '')
    """
    return _country_codes().get(fold_place(text).removeprefix("the "), "")
