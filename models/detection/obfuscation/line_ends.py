"""Find where a text may go on in the next line, or between letters written apart.

Joining two lines wrongly makes PHI of what is none. So a join needs what stands on both sides of it
to look torn: a number, a date, an address, an e-mail, a name after a title, a word that is none.
Nearly every line end is settled by its two nearest words; patterns run only where those look torn.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import re2

from deidstream.models.detection.obfuscation.line_end_names import (
    is_double_name,
    is_torn_institution,
    is_torn_name,
    is_torn_word,
)
from deidstream.models.detection.obfuscation.line_end_rules import (
    before_digit,
    is_before_month,
    is_before_words,
    is_cue,
    is_identified,
    is_torn_mail,
    is_torn_month,
)

_REACH = 80
"""Characters of either line that are looked at."""
_BLANK = " \t\r"
_INDENT = 16
_APART = re2.compile(
    r"(?:^|[^\p{L}\p{N}'])(\p{L}(?: {1,3}\p{L}){3,}|[0-9](?: [0-9]| ?[-./] ?[0-9]){6,})"
    r"(?:$|[^\p{L}\p{N}])"
)
_BLANKS = re2.compile(r" +")
_CLOSED, _SPACED = ("",), (" ",)
_HYPHEN, _NO_HYPHEN = ("-", ""), ("", "-")
_CODE = re2.compile(r"^[A-Z]+(?:[-/][A-Z0-9]+)+$|^[0-9]+[-/][A-Z0-9]*[A-Za-z]+$")
_SHORTEST_TAIL = len("-12")


@dataclass(frozen=True, slots=True)
class Join:
    """A stretch ``[start, end)`` of a text that may be read as something shorter."""

    start: int
    end: int
    forms: tuple[str, ...] = field(repr=False)
    """What may stand there instead, the likeliest first; one or two."""


def find_joins(text: str) -> list[Join]:
    """Find the joins of a plain text, disjoint and in order. Linear in its length."""
    found = [*_line_joins(text), *_letter_joins(text)]
    return sorted(found, key=lambda join: join.start)


def _line_joins(text: str) -> Iterator[Join]:
    place = text.find("\n")
    while place >= 0:
        following = text.find("\n", place + 1)
        reach = place + 1 + _REACH
        after = text[place + 1 : reach if following < 0 else min(following, reach)]
        before = text[max(0, place - _REACH) : place].rpartition("\n")[2]
        yield from _line_join(place, before, after)
        place = following


def _line_join(place: int, before: str, after: str) -> Iterator[Join]:
    left, right = before.rstrip(_BLANK), after.lstrip(_BLANK)
    indent = len(after) - len(right)
    if left and not left.isspace() and right and indent <= _INDENT:
        forms = join_forms(left, right)
        start = place - (len(before) - len(left)) - ("-" in forms)
        if forms:
            yield Join(start, place + 1 + indent, forms)


def _letter_joins(text: str) -> Iterator[Join]:
    for run in _APART.finditer(text):
        start, end = run.span(1)
        lettered = text[start].isalpha()
        for gap in _BLANKS.finditer(text[start:end]):
            wide = lettered and gap.end() - gap.start() > 1
            yield Join(start + gap.start(), start + gap.end(), (" " if wide else "",))


def join_forms(left: str, right: str) -> tuple[str, ...]:
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
