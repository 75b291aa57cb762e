"""Tell whether an address goes on in the next line."""

import re2

from deidstream.models.text.patterns import word_set

_UNITS = word_set("apt apartment suite ste unit flat box room ward floor p.o po")
_WAY = (
    r"(?:(?:Street|Ave|Avenue|Rd|Road|Ln|Lane|Drive|Ct|Court|Pl|Place|Blvd|Boulevard|Way|Terrace"
    r"|Crescent|Circle|Cir|Pkwy|Parkway|Hwy|Highway|Square|Trail|Trl|Alley)\b"
    r"|(?:St|Dr|Ter|Close|Cl|Cres|Sq|Row|Walk)\b\.?(?:[^\p{L}]*$|[^\p{L} ]| [^\p{Lu}]))"
)
_UNIT = r"(?:Apt|Apartment|Suite|Ste|Unit|Flat|Room|Floor)\b\.? ?#?[0-9]"
_HOUSE = re2.compile(r"\b[0-9]+[A-Za-z]?,? (?:\p{Lu}[\p{L}'.-]* ){0,3}\p{Lu}[\p{L}'.-]*$")
_WAY_ON = re2.compile(rf"^(?:(?:\p{{Lu}}[\p{{L}}'-]*\.? ){{0,3}}{_WAY}|{_UNIT})")
_HOUSE_ON = re2.compile(rf"^[0-9]+[A-Za-z]? (?:\p{{Lu}}[\p{{L}}'-]*\.? ){{1,3}}{_WAY}")
_STATE = re2.compile(r",? [A-Z]{2}$")
_ZIPPED = re2.compile(r"^[A-Z]{2},? [0-9]{5}\b")
_ZIP_BEGUN = re2.compile(r"\b[A-Z]{2},? [0-9]{1,4}$")
_ZIP_DIGITS = 5


def is_before_words(left: str, right: str, one: str) -> bool:
    """Tell whether a house number or a town ends ``left`` and the rest of its line follows."""
    if not right[0].isupper():
        return False
    if one[-1] == "," and _ZIPPED.search(right):
        return True
    numbered = one[0].isdecimal() or (one[0].isupper() and bool(_HOUSE.search(left)))
    return bool(numbered and _WAY_ON.search(right)) or one.rstrip(".,").lower() == "p.o"


def is_before_number(left: str, one: str) -> bool:
    """Tell whether a unit or a state ends ``left``, so that its number may follow."""
    state = left[-2:].isupper() and bool(_STATE.search(left))
    return state or one.rstrip(".,#").lower() in _UNITS


def is_torn_number(left: str, right: str, digits: int) -> bool:
    """Tell whether a house number, or a ZIP of ``digits`` figures in all, was cut in two."""
    return bool(_HOUSE_ON.search(right) or (digits == _ZIP_DIGITS and _ZIP_BEGUN.search(left)))
