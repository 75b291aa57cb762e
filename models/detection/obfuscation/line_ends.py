"""Find where a text continues in the next line, or between letters written with spaces between.

Joining two lines wrongly makes PHI of other text. So both sides of a line end must look torn: a
number, a date, an address, an e-mail address, a name after a title, a fragment of a word. Nearly
every line end is decided by its two nearest words; patterns run only where those look torn.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import re2

from deidstream.models.detection.obfuscation.line_end_names import (
    continues_double_name,
    continues_institution,
    continues_name,
    cuts_word,
)
from deidstream.models.detection.obfuscation.line_end_rules import (
    continues_address,
    continues_mail,
    continues_with_month,
    cuts_month,
    ends_in_identifier,
    is_identifier_cue,
    join_before_digit,
)

_REACH = 80
"""Characters of either line that are looked at."""
_BLANK = " \t\r"
_INDENT = 16
_SPACED_OUT = re2.compile(
    r"(?:^|[^\p{L}\p{N}'])(\p{L}(?: {1,3}\p{L}){3,}|[0-9](?: [0-9]| ?[-./] ?[0-9]){6,})"
    r"(?:$|[^\p{L}\p{N}])"
)
_BLANKS = re2.compile(r" +")
_NO_SPACE, _SPACE = ("",), (" ",)
_HYPHEN, _NO_HYPHEN = ("-", ""), ("", "-")
_CODE = re2.compile(r"^[A-Z]+(?:[-/][A-Z0-9]+)+$|^[0-9]+[-/][A-Z0-9]*[A-Za-z]+$")
_SHORTEST_TAIL = len("-12")


@dataclass(frozen=True, slots=True)
class Join:
    """A stretch ``[start, end)`` of a text that may be read as something shorter."""

    start: int
    end: int
    forms: tuple[str, ...] = field(repr=False)
    """One or two texts to write there instead, the likeliest first."""


def find_joins(text: str) -> list[Join]:
    """Find the joins of a plain text, disjoint and in order. Linear in its length."""
    found = [*_find_line_joins(text), *_find_letter_joins(text)]
    return sorted(found, key=lambda join: join.start)


def _find_line_joins(text: str) -> Iterator[Join]:
    place = text.find("\n")
    while place >= 0:
        following = text.find("\n", place + 1)
        reach = place + 1 + _REACH
        after = text[place + 1 : reach if following < 0 else min(following, reach)]
        before = text[max(0, place - _REACH) : place].rpartition("\n")[2]
        yield from _find_line_join(place, before, after)
        place = following


def _find_line_join(place: int, before: str, after: str) -> Iterator[Join]:
    line, next_line = before.rstrip(_BLANK), after.lstrip(_BLANK)
    indent = len(after) - len(next_line)
    if line and not line.isspace() and next_line and indent <= _INDENT:
        forms = join_forms(line, next_line)
        start = place - (len(before) - len(line)) - ("-" in forms)
        if forms:
            yield Join(start, place + 1 + indent, forms)


def _find_letter_joins(text: str) -> Iterator[Join]:
    for run in _SPACED_OUT.finditer(text):
        start, end = run.span(1)
        lettered = text[start].isalpha()
        for gap in _BLANKS.finditer(text[start:end]):
            wide = lettered and gap.end() - gap.start() > 1
            yield Join(start + gap.start(), start + gap.end(), (" " if wide else "",))


def join_forms(line: str, next_line: str) -> tuple[str, ...]:
    """Return what may be written in place of the line end between two lines: at most two forms.

    Neither line is empty; there is no white space at the end of ``line`` and at the start of
    ``next_line``. Without a form the lines stay apart. A hyphen in a form replaces the one at the
    end of ``line``.
    """
    last_word, first_word = line.rsplit(None, 1)[-1], next_line.split(None, 1)[0]
    if "@" in last_word or "@" in first_word:
        return _NO_SPACE if continues_mail(line, last_word, first_word) else ()
    if first_word[0].isdecimal():
        return join_before_digit(line, next_line, last_word)
    if first_word[0].isalpha():
        return _join_before_letter(line, next_line, last_word)
    return _join_before_sign(line, last_word, first_word)


def _join_before_letter(line: str, next_line: str, last_word: str) -> tuple[str, ...]:
    if last_word[-1] == "-" and next_line[0].isupper() and last_word[-2:-1].isalnum():
        return _join_after_hyphen(line, next_line, last_word)
    first_word = next_line.split(None, 1)[0]
    if last_word[-1].isalpha() and (
        cuts_month(last_word, first_word) or cuts_word(line, next_line)
    ):
        return _NO_SPACE
    if any(map(str.isdecimal, first_word)) and next_line[0].isupper() and last_word[-1].isdecimal():
        return _NO_SPACE if ends_in_identifier(line) else ()
    return _SPACE if _continues(line, next_line, last_word) else ()


def _continues(line: str, next_line: str, last_word: str) -> bool:
    """Return whether a date, an address, an identifier or a name continues with its next word."""
    if continues_with_month(line, next_line, last_word):
        return True
    if continues_address(line, next_line, last_word):
        return True
    if is_identifier_cue(last_word) and any(map(str.isdecimal, next_line.split(None, 1)[0])):
        return True
    named = next_line[0].isupper() and not last_word[-1].isdecimal()
    return named and (continues_name(line, next_line) or continues_institution(line, next_line))


def _join_after_hyphen(line: str, next_line: str, last_word: str) -> tuple[str, ...]:
    last = last_word[:-1].rpartition("-")[2]
    if not (last.isupper() and last.isalpha()):
        return _NO_SPACE
    return _NO_HYPHEN if cuts_word(line[:-1], next_line) else _HYPHEN


def _join_before_sign(line: str, last_word: str, first_word: str) -> tuple[str, ...]:
    if first_word[0] in "(+" and any(map(str.isdecimal, first_word)):
        return _SPACE if last_word[-1].isdecimal() or is_identifier_cue(last_word) else ()
    numbered = last_word[-1].isdecimal() or bool(_CODE.search(last_word))
    figured = (
        first_word[0] in "-/." and first_word[1:3].isdecimal() and len(first_word) >= _SHORTEST_TAIL
    )
    area = first_word[0] == ")" and last_word[0] == "(" and last_word[-1].isdecimal()
    named = (
        first_word[0] == "-"
        and first_word[1:2].isupper()
        and continues_double_name(line, first_word)
    )
    listed = first_word[0] == "," and last_word[-1].isalnum()
    return _NO_SPACE if (figured and numbered) or area or named or listed else ()
