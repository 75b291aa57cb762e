"""Tell what may stand between the end of a line and a figure that begins the next."""

import re2

from deidstream.models.detection.obfuscation.torn_dates import (
    is_after_month,
    is_before_day,
    is_torn_day,
)
from deidstream.models.detection.obfuscation.torn_streets import is_before_number, is_torn_number
from deidstream.models.text.patterns import word_set

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
