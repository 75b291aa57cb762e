"""Find where a text may go on in the next line, or between letters written apart.

Joining two lines wrongly makes PHI of what is none. So a join needs what stands on both sides of it
to look torn: a number, a date, an address, an e-mail, a name after a title, a word that is none.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import re2

from deidstream.models.detection.obfuscation.line_ends import tears

_REACH = 80
"""Characters of either line that are looked at."""
_BLANK = " \t\r"
_INDENT = 16
_APART = re2.compile(
    r"(?:^|[^\p{L}\p{N}'])(\p{L}(?: {1,3}\p{L}){3,}|[0-9](?: [0-9]| ?[-./] ?[0-9]){6,})"
    r"(?:$|[^\p{L}\p{N}])"
)
_BLANKS = re2.compile(r" +")


@dataclass(frozen=True, slots=True)
class Join:
    """A stretch ``[start, end)`` of a text that may be read as something shorter."""

    start: int
    end: int
    forms: tuple[str, ...] = field(repr=False)
    """What may stand there instead, the likeliest first; one or two."""


def joins(text: str) -> list[Join]:
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
        forms = tears(left, right)
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
