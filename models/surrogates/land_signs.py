"""Count what tells in which country a note was written, beside the places that it names.

Telephone numbers, domains, words of health services, offices and addresses, the spelling and the
language of the note each speak for a country, some for several. ``locate_towns`` counts them with
the places.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import re2

from deidstream.models.phi.contacts.phones import NATIONAL, TRUNK, province_of_area
from deidstream.models.phi.places.address import HOMES
from deidstream.models.phi.places.cities import cities, city_key, find_home
from deidstream.models.phi.places.country_codes import country_names
from deidstream.models.text.english_spelling import lean_british
from deidstream.models.text.word_files import lines

_FILE = "places.signs.txt"
_LANGUAGE, _SURELY = 4, 2
"""What the region of a note's language and a sign of one country count for."""
_AMERICAN = "US"
_AMERICAN_FORMS = ([3, 3, 4], [1, 3, 3, 4], [10], [6, 4])
"""Digits in the groups of a North American number."""
_FORM, _DIALLED = re.compile("[0-9# ]+"), re.compile("[+][0-9]+")
_DIGITS = re.compile("[0-9]+")
_DOMAIN = re.compile(r"[a-z0-9-]\.([a-z]{2})(?=[/:?#>\s]|$)", re.IGNORECASE)
_EVERYBODYS = frozenset({"AI", "CC", "CO", "FM", "IO", "LY", "ME", "TV"})
"""Countries whose domains anybody uses."""
_DOMAINS = {"UK": "GB"}
_WORD = re.compile(r"\b[^\W\d_]{5,}\b")
_TOLD_BY_TOWNS = frozenset(HOMES) - {_AMERICAN}
_LONGEST = 320
"""Of an address; longer texts are none (RFC 3696)."""
Find = Callable[[str], Iterable[Any]]


@cache
def _signs() -> Mapping[str, tuple[str, ...]]:
    """Return the countries of each sign of the list."""
    found: dict[str, list[str]] = {}
    land = ""
    for line in lines(_FILE):
        if line.startswith("["):
            land = line.strip("[]")
        else:
            found.setdefault(line if _is_abbreviation(line) else line.casefold(), []).append(land)
    return {sign: tuple(lands) for sign, lands in found.items()}


def _is_abbreviation(sign: str) -> bool:
    """Return whether a sign counts in capitals alone."""
    return sum(map(str.isupper, sign)) > 1


@cache
def _forms() -> tuple[str, ...]:
    """Return the forms of numbers at home, those with the most digits given first."""
    forms = filter(_FORM.fullmatch, _signs())
    return tuple(sorted(forms, key=lambda form: (form.count("#"), form)))


@cache
def _codes() -> tuple[str, ...]:
    """Return the codes of countries as they are dialled, the longest first."""
    return tuple(sorted(filter(_DIALLED.fullmatch, _signs()), key=lambda code: (-len(code), code)))


@cache
def _patterns() -> tuple[Find, Find]:
    """Return what finds the abbreviations, and the other words."""
    numbers = {*_forms(), *_codes()}
    words = sorted((sign for sign in _signs() if sign not in numbers), key=len, reverse=True)
    kinds = (filter(_is_abbreviation, words), (w for w in words if not _is_abbreviation(w)))
    short, plain = ("|".join(map(re2.escape, some)) for some in kinds)
    begin, end = r"(?:^|[^\p{L}\p{N}])", r"(?:[^\p{L}\p{N}]|$)"
    return (
        re2.compile(f"{begin}({short}){end}").finditer,
        re2.compile(f"(?i){begin}({plain}){end}").finditer,
    )


def count_land_signs(
    note: str,
    *,
    phones: Iterable[str] = (),
    links: Iterable[str] = (),
    institutions: Iterable[str] = (),
    language: str | None = None,
) -> Counter[str]:
    """Weigh the signs of a note for each country, each sign once.

    A sign of one country outweighs the name of a place, which may be where somebody comes from.

    Args:
        note: Its text.
        phones: Its telephone numbers.
        links: Its e-mail addresses and URLs.
        institutions: The names of its institutions, streets and places that are no towns.
        language: BCP 47 tag of the note, such as ``en-IE``.
    """
    found = Counter[str]()
    for sign in {*_find_words(note), *map(_read_phone, phones)}:
        lands = _signs().get(sign, (sign,) if sign else ())
        found.update(lands * (_SURELY if len(lands) == 1 else 1))
    found.update([*{land for link in links for land in _read_domains(link)}] * _SURELY)
    found.update(_find_towns(institutions).values())
    region = (language or "").replace("_", "-").partition("-")[2].upper()
    if region in country_names():
        found[region] += _LANGUAGE
    # Who spells as the British do may be in many countries, but hardly in America. The others
    # tell nothing: spelling of America is everywhere.
    found[_AMERICAN] -= lean_british(note) > 0
    return found


def _find_words(note: str) -> set[str]:
    short, plain = _patterns()
    said = {note[match.start(1) : match.end(1)] for match in short(note)}
    return said | {note[match.start(1) : match.end(1)].casefold() for match in plain(note)}


def _find_towns(institutions: Iterable[str]) -> Mapping[str, str]:
    """Return the countries of the towns of one word that institutions are called after.

    Those of America count for nothing: what lies there has names of towns everywhere.
    """
    words = {word for text in institutions for word in _WORD.findall(text[:_LONGEST])}
    homes = {word: cities().small.get(key := city_key(word)) or find_home(key) for word in words}
    return {word: home[:2] for word, home in homes.items() if home[:2] in _TOLD_BY_TOWNS}


def _read_phone(text: str) -> str:
    """Return the code or the form of a telephone number, or its country in North America.

    >>> _read_phone("+353 61 555 0133"), _read_phone("0711 555 063"), _read_phone("(208) 555-0147")
    ('+353', '07## ### ###', 'US')
    """
    groups = _DIGITS.findall(text) if len(text) <= _LONGEST else []
    digits = "".join(groups)
    if text.lstrip().startswith("+") or (digits.startswith("00") and len(digits) > TRUNK):
        dialled = "+" + digits.removeprefix("00")
        return next((code for code in _codes() if dialled.startswith(code)), "")
    lengths = [len(group) for group in groups]
    for form in _forms():
        same = [len(group) for group in form.split()] == lengths
        if same and digits.startswith(form.partition("#")[0].replace(" ", "")):
            return form
    american = lengths in _AMERICAN_FORMS
    return province_of_area(digits[-NATIONAL:][:3]).partition(".")[0] if american else ""


def _read_domains(link: str) -> Iterator[str]:
    """Yield the countries of the domains of a link.

    >>> list(_read_domains("a.byrne@saolta.example.ie"))
    ['IE']
    """
    for match in _DOMAIN.finditer(link[:_LONGEST]):
        domain = link[match.start(1) : match.end(1)].upper()
        land = _DOMAINS.get(domain, domain)
        if land in country_names() and land not in _EVERYBODYS:
            yield land
