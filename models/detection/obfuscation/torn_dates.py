"""Tell whether a date goes on in the next line."""

import re2

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
