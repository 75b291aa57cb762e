"""Decide whether a date, an e-mail address, a street address or a number is torn at a line end."""

import re2

from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.patterns import word_set

_MONTHS = word_set("""
jan january feb february mar march apr april may jun june jul july aug august sep sept september
oct october nov november dec december
""")
_BARE = ".,;:"
_DAY = re2.compile(r"^[0-9]{1,2}(?:st|nd|rd|th)?,?$")
_DAY_OF = re2.compile(r"\b[0-9]{1,2}(?:st|nd|rd|th)? of$")
_SHORT = re2.compile(
    r"^(?:0?[1-9]|[12][0-9]|3[01])[-/](?:0?[1-9]|[12][0-9]|3[01])(?:[-/][0-9]{2,4})?[.,;)]?$"
    r"|^[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{2}|[0-9]{4})[.,;)]?$"
)
_TENS = frozenset("0123")
_DAY_FIRST = re2.compile(r"^[0-9](?:st|nd|rd|th)? (?:of )?(\p{Lu}\p{L}*)")


def is_before_day(left: str, one: str) -> bool:
    """Tell whether ``left``, whose last word is ``one``, ends in a month, or a month and a day."""
    return _is_month(one) or (bool(_DAY.search(one)) and is_after_month(left))


def is_before_month(left: str, right: str, one: str) -> bool:
    """Tell whether a day ends ``left`` and a month begins ``right``."""
    words = right.split(None, 2)
    month = words[1] if words[0] == "of" and len(words) > 1 else words[0]
    return _is_month(month) and bool(_DAY.search(one) or _DAY_OF.search(left))


def is_after_month(left: str) -> bool:
    """Tell whether one of the last three words is a month."""
    return any(map(_is_month, left.rsplit(None, 3)[-3:]))


def is_torn_day(right: str, one: str, other: str) -> bool:
    """Tell whether a day before its month, or a date of figures, was cut between two figures."""
    day = _DAY_FIRST.search(right)
    if day and one in _TENS and _is_month(str(day.group(1))):
        return True
    return bool(_SHORT.search(one + other))


def is_torn_month(one: str, other: str) -> bool:
    """Tell whether a month was cut in two."""
    word = one + other.rstrip(_BARE)
    return word.istitle() and _is_month(word)


def _is_month(word: str) -> bool:
    return word.rstrip(_BARE).lower() in _MONTHS


_DOMAIN = re2.compile(r"^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,12}[.,;)>]?$")
_ENDING = re2.compile(r"^[A-Za-z]{1,12}[.,;)>]?$")
_LOCAL_PART = re2.compile(r"^[a-z0-9]+[._][a-z0-9._]+$|^[a-z]+[0-9]+$")
_CUE = re2.compile(r"(?i:e-?mail(?: address)?)\b[: ]*$")


def is_torn_mail(left: str, one: str, other: str) -> bool:
    """Tell whether ``one``, the last word of ``left``, and ``other`` are halves of an address."""
    if "@" in one:
        return _goes_on(one.rpartition("@")[2], other)
    if not (one[-1].isalnum() or one[-1] in "._+-"):
        return False
    stem = one.rstrip("._+-")
    unknown = stem.isalpha() and stem.islower() and stem not in common_words()
    apart = other[0] in "@._+-" or bool(_LOCAL_PART.search(stem))
    return apart or unknown or bool(_CUE.search(left[: len(left) - len(one)]))


def _goes_on(domain: str, other: str) -> bool:
    if other[0] == ".":
        return domain[-1:].isalnum() and bool(_ENDING.search(other.rstrip(".").rpartition(".")[2]))
    if "." not in domain or domain[-1] in ".-":
        return bool(_DOMAIN.search(other)) or (domain[-1:] == "." and bool(_ENDING.search(other)))
    return bool(_DOMAIN.search(other)) and other.islower()


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


_CLOSED, _SPACED, _EITHER = ("",), (" ",), ("", " ")
_FEWEST_DIGITS = 5
"""Figures of the shortest number that is read over the end of a line without another sign."""
_FEWEST_DIALLED = 7
"""Figures of the shortest telephone number."""
_FEWEST_BEFORE_TIME = 10
"""Figures of a telephone number of which the last four could be a time of day."""
_LONGEST_PREFIX = 3
"""Letters before the figures of an identifier."""
_CUES = word_set("""
mrn ssn dob d.o.b phone tel telephone mobile cell fax pager number no acct account record policy
member license licence npi dea born birth zip id email e-mail
""")
_IDENTIFIED = re2.compile(
    r"(?i:\b(?:mrn|id|acct|account|no|number|licen[cs]e|policy|member|record|case|dea|plate|vin"
    r"|serial|device)\b)[^\p{L}0-9]{0,4}[0-9A-Za-z-]*$"
)
_CUED_SHORT = re2.compile(r"(?i:\b(?:ending(?: in)?|mrn|acct|account)\b[ :#]{0,3}[0-9]+$)")
_DATED = re2.compile(r"[0-9][-./][0-9]{1,4}\.$")
_DOTTED = re2.compile(r"^[0-9]{2,}\.[0-9]{2,}")
_AREA = re2.compile(r"^[0-9]{1,4}\)")
_TIME = re2.compile(r"^(?:[01][0-9]|2[0-3])[0-5][0-9]\b")
_DIALLED = "-0123456789 ().+"


def before_digit(left: str, right: str, one: str) -> tuple[str, ...]:
    """Say what may join two lines; ``one`` is the last word of the first, a figure follows it."""
    if one[-1].isdecimal():
        return _digits(left, right, one)
    if is_before_day(left, one) or is_before_number(left, one) or is_cue(one) or one[-1] == ")":
        return _SPACED
    apart = (one[-1] in "-/" and len(one) > 1) or bool(_DATED.search(one))
    area = one == "(" and bool(_AREA.search(right))
    coded = one.isupper() and len(one) <= _LONGEST_PREFIX and is_identified(left)
    other = right.split(None, 1)[0]
    dotted = one[-1] == "." and (is_torn_day(right, one, other) or bool(_DOTTED.search(right)))
    return _CLOSED if apart or area or coded or dotted else ()


def is_cue(word: str) -> bool:
    """Tell whether an identifier is to be expected after a word."""
    return word.rstrip(".,;:#").lower() in _CUES


def is_identified(left: str) -> bool:
    """Tell whether a line ends in the cue of an identifier and what may be its beginning."""
    return bool(_IDENTIFIED.search(left))


def _digits(left: str, right: str, one: str) -> tuple[str, ...]:
    if "\t" in right or not any(c.isalpha() for c in left + right):
        return ()
    if is_after_month(left):
        return _EITHER
    other = right.split(None, 1)[0]
    digits = _count(one + other)
    if is_torn_day(right, one, other) or is_torn_number(left, right, digits):
        return _CLOSED
    dialled = _count(left[len(left.rstrip(_DIALLED)) :])
    dialled += _count(right[: len(right) - len(right.lstrip(_DIALLED))])
    enough = digits >= _FEWEST_DIGITS or dialled >= _FEWEST_DIALLED
    if _TIME.search(right) and not is_identified(left):
        enough = dialled >= _FEWEST_BEFORE_TIME
    return _EITHER if enough or _CUED_SHORT.search(left) else ()


def _count(text: str) -> int:
    return sum(map(str.isdecimal, text))
