"""Which primitive values of a structured document may stay as they are."""

import re

from deidstream.models.phi.names.credentials import KEPT_CREDENTIALS
from deidstream.models.phi.names.kept_words import SUFFIXES
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.titles import KEPT
from deidstream.models.text.word_files import split_list

_CODING = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:^/+*-]{0,49}")
_UNIT = re.compile(r"[A-Za-zµμ°%Ω0-9\[\]{}()*/.^'\"+ _-]{1,24}")
_WORD = re.compile(r"[A-Za-zµμΩ]+")
_LONGEST_SYMBOL = 4
_CAPITALIZED = re.compile(r"[A-Z][a-z]{2,}")
"""Written as a name is."""
_LONG_NUMBER = re.compile(r"[0-9]{4}")
COUNTRY_CODE = re.compile(r"[A-Z]{2,3}")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 9
"""Most digits of a number that is kept; longer ones are more often identifiers than values."""
_YEARS = frozenset(
    split_list(
        "a a_j a_t a_g {years} year years yr yrs y yo jahr jahre j. an ans année années "
        "año años anno anni jaar år lat rok roky"
    )
)
"""How ages are stated: codes of UCUM, and written units."""
AGE_CODES = frozenset(
    split_list(
        # LOINC: age, and age as reported, estimated, calculated, at collection and at death
        "30525-0 21612-7 21611-9 29553-5 35659-2 63900-5 "
        # SNOMED CT: age, current age, age at onset
        "397669002 424144002 445518008"
    )
)
"""Codes of observations whose value is an age."""


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


def is_in_years(unit: str) -> bool:
    """Return whether a unit, or its code, counts years."""
    return unit.strip().casefold() in _YEARS


def is_short_number(text: str) -> bool:
    """Return whether a number has no more digits than a measurement."""
    whole, _, fraction = text.casefold().partition("e")[0].partition(".")
    if not fraction.strip("0"):
        return sum(map(str.isdigit, text)) <= _LONGEST_NUMBER
    return sum(map(str.isdigit, whole)) <= _LONGEST_NUMBER


def is_title(text: str) -> bool:
    """Return whether a prefix or suffix of a name is a title, a credential or a generation."""
    words = text.casefold().replace(".", "").replace(",", " ").split()
    return bool(words) and all(
        word in KEPT or word in SUFFIXES or word in KEPT_CREDENTIALS for word in words
    )
