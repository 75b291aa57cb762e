"""Read the real names and places that a site declares."""

import csv
import json
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path

from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.study.corpus.fillers.word_lists import Home, Words
from deidstream.study.corpus.sources import RealLists, ValueList

_SMALL_WORDS = frozenset({"of", "the", "and", "at", "for", "in"})
# Braces would make a template of a value.
_NO_BRACES = dict.fromkeys(map(ord, "{}"))


def read_real_words(real: RealLists) -> Words:
    """Read the values that are added, by the symbol that draws one.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A file has not the declared form.
    """
    counties = {
        name
        for table in real.us_cities
        if table.county
        for name in _read_column(table.path, table.county)
    }
    return {
        "city.US": _join(_read_column(table.path, table.city) for table in real.us_cities),
        "county.us": tuple(sorted(counties)),
        "city.GB": _join(map(_read_values, real.british_towns)),
        "job": _join(map(_read_values, real.occupations)),
        "hosp.real": _join(map(_read_values, real.hospitals)),
        "real.street": _join(map(_read_values, real.hospital_streets)),
        "street.name": _join(map(_read_values, real.street_names)),
    }


def read_real_homes(real: RealLists) -> tuple[Home, ...]:
    """Read the American states with their cities.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A file has not the declared form.
    """
    by_state: dict[str, list[str]] = {}
    for table in real.us_cities:
        states, cities = (_read_column(table.path, each) for each in (table.state, table.city))
        for code, city in zip(states, cities, strict=True):
            by_state.setdefault(code, []).append(city)
    return tuple(Home(code, tuple(sorted(found))) for code, found in sorted(by_state.items()))


def _join(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(value.translate(_NO_BRACES) for values in lists for value in values)


def _read_values(declared: ValueList) -> Iterator[str]:
    if declared.path.suffix == ".csv":
        values = _read_column(declared.path, declared.field)
    elif declared.path.suffix == ".json":
        values = _read_json(declared.path, declared.field)
    else:
        values = _read(declared.path).splitlines()
    return (_lower(value) if declared.in_capitals else value for value in values if value.strip())


def _read_column(path: Path, column: str) -> list[str]:
    rows = csv.DictReader(StringIO(_read(path)))
    if column not in (rows.fieldnames or ()):
        msg = f"{path}: has no column {column!r}"
        raise Refused(msg)
    return [row[column] or "" for row in rows]


def _read_json(path: Path, key: str) -> list[str]:
    try:
        values: object = json.loads(_read(path))[key]
    except (ValueError, TypeError, KeyError):
        values = None
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        msg = f"{path}: must be a JSON object with a list of strings under {key!r}"
        raise Refused(msg)
    return list(map(str, values))


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _lower(name: str) -> str:
    """Write a name of a register, which is in capitals, with small letters."""
    shown = (w.lower() if w.lower() in _SMALL_WORDS else w.capitalize() for w in name.split())
    return " ".join(shown)
