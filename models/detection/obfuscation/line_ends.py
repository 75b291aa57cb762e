"""Find where a text continues in the next line, or between letters written with spaces between.

Joining two lines wrongly makes PHI of other text. So both sides of a line end must look torn: a
number, a date, an address, an e-mail address, a name after a title, a fragment of a word. Nearly
every line end is decided by its two nearest words; patterns run only where those look torn.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import re2

from deidstream.models.detection.obfuscation.line_end_rules import (
    continues_address,
    continues_mail,
    continues_with_month,
    cuts_month,
    ends_in_identifier,
    is_identifier_cue,
    join_before_digit,
)
from deidstream.models.phi.gazetteers import Kind, gazetteers
from deidstream.models.phi.names.stops import ends_name
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.folding import EDGE, fold_short
from deidstream.models.text.titles import EVIDENT, title_pattern

_REACH = 80
"""Characters of either line that are looked at."""
_BLANK = " \t\r"
_OF_ROWS = (("|", 1), (";", 2))
"""What stands between cells, and how many of it make a row: no row continues in the next one."""
_COUNT = re.compile(r"[ \t]{0,8}([0-9]{1,4})(?![0-9])")
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
_TITLE = rf"\b{title_pattern(EVIDENT)}\b\.?"
_WORD = r"(?:\p{Lu}\.|\p{Lu}[\p{L}\p{M}'\x{2019}-]+)"
_TITLED = re2.compile(rf"{_TITLE} (?:{_WORD} ){{0,2}}{_WORD},?$")
_FIELD = re2.compile(rf"\b(?:[Pp]atient|[Nn]ame|PATIENT|NAME|Pt):? +{_WORD},$")
_HEADED = re2.compile(
    rf"(?:^|[ \t])(?:[Pp]atient|[Nn]ame|PATIENT|NAME):[ \t]+(?:{_WORD} )?{_WORD}$"
)
_LONE = re2.compile(rf"^{_WORD}(?: {_WORD})?[ \t]*$")
_INITIAL = re2.compile(r"(?:^|[\s(/])\p{Lu}\.$")
_CARE = re2.compile(
    rf"^((?:{_WORD} ){{0,3}})(?:Hospitals?|Clinics?|Cent(?:er|re)|Infirmary|Hospice|Sanatorium"
    r"|Polyclinic|Memorial|Health System|HOSPITAL|CLINIC|CENT(?:ER|RE)|INFIRMARY|HOSPICE)"
    r"\b"
)
_HEADED_BY = re2.compile(
    r"^\p{L}+ (?:letter|notes?|course|visit|day|summary|stay|record|number|discharge)\b"
    r"|^[^:]{0,32}:"
)
_LAST = re2.compile(rf"{_WORD}$")
_BEGIN = re2.compile(rf"^{_WORD}")
_NAME = Kind.GIVEN | Kind.SURNAME
_HEAD, _TAIL = re2.compile(r"^\p{L}+"), re2.compile(r"\p{L}+$")


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
    above = _read_count(text, 0)
    while place >= 0:
        following = text.find("\n", place + 1)
        reach = place + 1 + _REACH
        after = text[place + 1 : reach if following < 0 else min(following, reach)]
        before = text[max(0, place - _REACH) : place].rpartition("\n")[2]
        count = _read_count(text, place + 1)
        if not 0 <= above < count:
            yield from _find_line_join(place, before, after)
        place, above = following, count


def _read_count(text: str, start: int) -> int:
    """Return the number with which a line begins; -1 without one.

    A number that is greater than that of the line above counts the lines, or is their time or
    room: it continues nothing.
    """
    number = _COUNT.match(text, start)
    return int(number[1]) if number else -1


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
    if any(min(line.count(sign), next_line.count(sign)) >= least for sign, least in _OF_ROWS):
        return ()
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


def cuts_word(line: str, next_line: str) -> bool:
    """Return whether a capitalised word was cut in two without a hyphen: ``Quil`` / ``lon``.

    Two of three must hold: the first half is neither a word nor a name, the second is neither, and
    both together are a name.
    """
    if not next_line[0].islower() and not (line[-1].isupper() and next_line[0].isupper()):
        return False
    last_word, first_word = _match(_TAIL, line), _match(_HEAD, next_line)
    alike = first_word.islower() or (
        last_word.isupper() and first_word.isupper() and len(last_word) > 1
    )
    if not (alike and last_word[:1].isupper()):
        return False
    listed = _is_listed(last_word + first_word)
    unknown = (not _is_word(last_word)) + (not _is_word(first_word))
    return listed + unknown > 1 and (listed or first_word.islower())


def continues_name(line: str, next_line: str) -> bool:
    """Return whether a person's name continues: ``Dr. Ann`` or ``Patient: Ann``, then ``Fenn``."""
    word = _match(_BEGIN, next_line) if next_line[0].isupper() else ""
    if not word or next_line[len(word) : len(word) + 1] == ":" or ends_name(word):
        return False
    if word.isupper() and line[-1].islower():
        return False  # the name of a field: ``Patient: Ann Fenn`` / ``ADDRESS``
    # What a word is takes less time to tell than how a line ends.
    if bool(_kind(word) & _NAME) and _ends_in_given_name(line):
        return True
    if not _is_name(word):
        return False
    headed = bool(_LONE.search(next_line) and _HEADED.search(line))
    return headed or ends_in_titled_name(line) or bool(_INITIAL.search(line))


def continues_double_name(line: str, next_line: str) -> bool:
    """Return whether a double name is torn before its hyphen: ``Fenn`` / ``-Okafor``."""
    last_word, first_word = _match(_LAST, line), _match(_BEGIN, next_line[1:])
    return bool(last_word and first_word) and _is_name(last_word) and _is_name(first_word)


def continues_institution(line: str, next_line: str) -> bool:
    """Return whether the name of an institution continues: ``St. Mary`` / ``Hospital``.

    The noun that ends it must follow soon. A name that begins in the second line is whole there, so
    the first word of that line must be an ordinary one.
    """
    care = _CARE.search(next_line)
    if care is None or ends_in_titled_name(line):
        return False
    last_word = _match(_LAST, line)
    if not last_word or ends_name(last_word) or last_word.isupper() != str(care.group()).isupper():
        return False
    words = str(care.group(1)).split()
    if not words:
        return not _HEADED_BY.search(next_line)
    return _is_name(last_word) and fold_short(words[0]) in common_words()


def ends_in_titled_name(line: str) -> bool:
    """Return whether a line ends in a name after a title or a field's name: ``Dr. Ann Fenn``."""
    return bool(_TITLED.search(line) or _FIELD.search(line))


def _ends_in_given_name(line: str) -> bool:
    word = _match(_LAST, line)
    return bool(_kind(word) & Kind.GIVEN) and _is_name(word)


def _match(pattern: Any, text: str) -> str:  # noqa: ANN401  re2 has no types
    match = pattern.search(text)
    return str(match.group()) if match else ""


def _is_name(word: str) -> bool:
    return not ends_name(word) and fold_short(word) not in common_words()


def _is_word(word: str) -> bool:
    return fold_short(word) in common_words() or _is_listed(word)


def _is_listed(word: str) -> bool:
    return bool(_kind(word))


def _kind(word: str) -> int:
    return gazetteers().get(f"{EDGE}{fold_short(word)}{EDGE}", 0)
