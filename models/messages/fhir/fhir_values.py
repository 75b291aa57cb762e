"""Which primitive values of FHIR may stay as they are."""

import re
from functools import cache

from deidstream.models.phi.names.credentials import KEPT_CREDENTIALS
from deidstream.models.phi.names.kept_words import SUFFIXES
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.titles import KEPT
from deidstream.models.text.word_files import lines

_CODE = re.compile(r"[a-z]{1,20}(?:-[a-z]{1,20}){0,6}|[A-Z]{1,6}|[a-z]{2,3}-[A-Z]{2}")
"""Codes of the standard are words in small letters, a few capitals, or languages such as en-US."""
_CODING = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:^/+*-]{0,49}")
_UNIT = re.compile(r"[A-Za-zµμ°%Ω0-9\[\]{}()*/.^'\"+ _-]{1,24}")
_WORD = re.compile(r"[A-Za-zµμΩ]+")
_LONGEST_SYMBOL = 4
_CAPITALIZED = re.compile(r"[A-Z][a-z]{2,}")
"""Written as a name is."""
_LONG_NUMBER = re.compile(r"[0-9]{4}")
_DATE = re.compile(
    r"([0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?)"
    r"(T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
)
WHOLE_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
PART_OF_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2})?")
TIME = re.compile(r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
COUNTRY_CODE = re.compile(r"[A-Z]{2,3}")
PROFILE = re.compile(r"https?://(?:terminology\.)?hl7\.org/[A-Za-z0-9./|_-]{1,200}")
_LONGEST_NUMBER = 9
"""Most digits of a number that is kept; longer ones are more often identifiers than values."""


def is_code(text: str) -> bool:
    """Return whether a text can be a code of the standard, such as ``entered-in-error``."""
    return _CODE.fullmatch(text) is not None


def is_public_code(text: str) -> bool:
    """Return whether a text can be a code of a public code system."""
    return _CODING.fullmatch(text) is not None


def is_unit(text: str) -> bool:
    """Return whether a text can be a unit of measure."""
    if _UNIT.fullmatch(text) is None or _LONG_NUMBER.search(text) is not None:
        return False
    words = _WORD.findall(text)
    telling = (w for w in words if len(w) > _LONGEST_SYMBOL or _CAPITALIZED.fullmatch(w))
    return all(word.casefold() in common_words() for word in telling)


def is_short_number(text: str) -> bool:
    """Return whether a number has no more digits than a measurement."""
    whole, _, fraction = text.casefold().partition("e")[0].partition(".")
    if not fraction.strip("0"):
        return sum(map(str.isdigit, text)) <= _LONGEST_NUMBER
    return sum(map(str.isdigit, whole)) <= _LONGEST_NUMBER


def cut_date(text: str) -> tuple[str, str] | None:
    """Cut a date of FHIR into its day, month or year and its time; ``None`` if it is no date."""
    found = _DATE.fullmatch(text.strip())
    return (found[1], found[2] or "") if found else None


def is_resource_type(text: str) -> bool:
    """Return whether a text is the name of a resource type of FHIR."""
    return text in _resource_types()


@cache
def _resource_types() -> frozenset[str]:
    return frozenset(lines("fhir.types.txt"))


def is_public_system(uri: str) -> bool:
    """Return whether a code system is public, and the same for everybody."""
    exact, begun = _systems()
    return uri in exact or uri.startswith(begun)


@cache
def _systems() -> tuple[frozenset[str], tuple[str, ...]]:
    listed = lines("fhir.systems.txt")
    begun = tuple(one.removesuffix("*") for one in listed if one.endswith("*"))
    return frozenset(one for one in listed if not one.endswith("*")), begun


def is_title(text: str) -> bool:
    """Return whether a prefix or suffix of a name is a title, a credential or a generation."""
    words = text.casefold().replace(".", "").replace(",", " ").split()
    return bool(words) and all(
        word in KEPT or word in SUFFIXES or word in KEPT_CREDENTIALS for word in words
    )
