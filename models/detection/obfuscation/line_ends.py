"""Tell from the end of one line and the start of the next what was torn between them.

Nearly every line end is settled by its two nearest words; patterns run only where those look torn.
"""

import re2

from deidstream.models.detection.obfuscation.torn_dates import is_before_month, is_torn_month
from deidstream.models.detection.obfuscation.torn_mail import is_torn_mail
from deidstream.models.detection.obfuscation.torn_names import (
    is_double_name,
    is_torn_institution,
    is_torn_name,
    is_torn_word,
)
from deidstream.models.detection.obfuscation.torn_numbers import before_digit, is_cue, is_identified
from deidstream.models.detection.obfuscation.torn_streets import is_before_words

_CLOSED, _SPACED = ("",), (" ",)
_HYPHEN, _NO_HYPHEN = ("-", ""), ("", "-")
_CODE = re2.compile(r"^[A-Z]+(?:[-/][A-Z0-9]+)+$|^[0-9]+[-/][A-Z0-9]*[A-Za-z]+$")
_SHORTEST_TAIL = len("-12")


def tears(left: str, right: str) -> tuple[str, ...]:
    """Say what may stand in the place of the line end between two lines: at most two forms.

    ``left`` ends and ``right`` begins with what is no white space; neither is empty. No form: the
    lines stand for themselves. A hyphen in a form replaces the one that ``left`` ends in.
    """
    one, other = left.rsplit(None, 1)[-1], right.split(None, 1)[0]
    if "@" in one or "@" in other:
        return _CLOSED if is_torn_mail(left, one, other) else ()
    if other[0].isdecimal():
        return before_digit(left, right, one)
    if other[0].isalpha():
        return _before_letter(left, right, one)
    return _before_sign(left, one, other)


def _before_letter(left: str, right: str, one: str) -> tuple[str, ...]:
    if one[-1] == "-" and right[0].isupper() and one[-2:-1].isalnum():
        return _hyphened(left, right, one)
    other = right.split(None, 1)[0]
    if one[-1].isalpha() and (is_torn_month(one, other) or is_torn_word(left, right)):
        return _CLOSED
    if any(map(str.isdecimal, other)) and right[0].isupper() and one[-1].isdecimal():
        return _CLOSED if is_identified(left) else ()
    return _SPACED if _is_wrapped(left, right, one) else ()


def _is_wrapped(left: str, right: str, one: str) -> bool:
    """Tell whether something goes on with its next word."""
    if is_before_month(left, right, one) or is_before_words(left, right, one):
        return True
    if is_cue(one) and any(map(str.isdecimal, right.split(None, 1)[0])):
        return True
    named = right[0].isupper() and not one[-1].isdecimal()
    return named and (is_torn_name(left, right) or is_torn_institution(left, right))


def _hyphened(left: str, right: str, one: str) -> tuple[str, ...]:
    last = one[:-1].rpartition("-")[2]
    if not (last.isupper() and last.isalpha()):
        return _CLOSED
    return _NO_HYPHEN if is_torn_word(left[:-1], right) else _HYPHEN


def _before_sign(left: str, one: str, other: str) -> tuple[str, ...]:
    if other[0] in "(+" and any(map(str.isdecimal, other)):
        return _SPACED if one[-1].isdecimal() or is_cue(one) else ()
    numbered = one[-1].isdecimal() or bool(_CODE.search(one))
    figured = other[0] in "-/." and other[1:3].isdecimal() and len(other) >= _SHORTEST_TAIL
    area = other[0] == ")" and one[0] == "(" and one[-1].isdecimal()
    named = other[0] == "-" and other[1:2].isupper() and is_double_name(left, other)
    listed = other[0] == "," and one[-1].isalnum()
    return _CLOSED if (figured and numbered) or area or named or listed else ()
