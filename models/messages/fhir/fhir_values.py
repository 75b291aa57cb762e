"""Which primitive values of FHIR may stay as they are."""

import re
from functools import cache

from deidstream.models.text.word_files import lines

_CODE = re.compile(r"[a-z]{1,20}(?:-[a-z]{1,20}){0,6}|[A-Z]{1,6}|[a-z]{2,3}-[A-Z]{2}")
"""Codes of the standard are words in small letters, a few capitals, or languages such as en-US."""
_DATE = re.compile(
    r"([0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?)"
    r"(T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
)
WHOLE_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
PART_OF_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2})?")
TIME = re.compile(r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?")
PROFILE = re.compile(r"https?://(?:terminology\.)?hl7\.org/[A-Za-z0-9./|_-]{1,200}")


def is_code(text: str) -> bool:
    """Return whether a text can be a code of the standard, such as ``entered-in-error``."""
    return _CODE.fullmatch(text) is not None


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
