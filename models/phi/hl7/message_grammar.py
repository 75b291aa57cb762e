r"""The grammar of HL7 v2: separators, escapes, segments, fields, repetitions and components.

Reception reads and writes whole messages by it. The guard and the reading of values find messages
in the text of a note by ``read_hl7``: an integration log, an error queue or an export holds them as
they were sent, one segment a line, ``PID|1||4410^^^GH^MR||SHAW^ANN``. The header ``MSH|^~\&`` says
which signs separate. Source: HL7 v2.5.1, chapter 2.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from deidstream.models.phi.hl7.field_list import field_list
from deidstream.models.time_budget import within_time

HEADER = "MSH"
HEADERS = frozenset({HEADER, "FHS", "BHS"})
"""Segments that begin with the separators themselves."""
_FOLDED_HEADERS = tuple(sorted(map(str.casefold, HEADERS)))
SEGMENT_END = "\r"
FEWEST_SEGMENTS = 2
"""Lines without a header that count as a part of a message, if they begin as segments do."""
FEWEST_FIELDS = 3
FEWEST_ALONE = 7
"""Fields of a line that is a segment by itself, if one of them has components."""

_HEADER = re.compile(r"\b(?:MSH|FHS|BHS)([^\w\s\\])([^\w\s]{3,5})\1", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n\x0b\x1c]+")
_MARKED_END = re.compile(r"<(?:0[bdBD]|1[cC])>")
"""A log may write the control characters that frame a message and end a segment."""
_LEAD = 60
"""Characters that a log may write before a segment."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The separators of a message."""

    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    subcomponent: str = "&"

    @property
    def all(self) -> str:
        """The separators, without the sign that escapes."""
        return self.field + self.component + self.repetition + self.subcomponent

    @property
    def line_break(self) -> str:
        r"""The escape of a line end: ``\.br\``."""
        return f"{self.escape}.br{self.escape}"

    @property
    def by_escape(self) -> dict[str, str]:
        r"""The signs by the letters that escapes have for them: ``\F\`` is ``|``."""
        return {
            "F": self.field,
            "S": self.component,
            "R": self.repetition,
            "E": self.escape,
            "T": self.subcomponent,
        }


def read_signs(message: str) -> Signs | None:
    """Return the separators of a message; ``None`` if it has no header, or two are the same."""
    header = _HEADER.match(message)
    if header is None or not message.startswith(HEADER):
        return None
    signs = header[1] + header[2]
    return _signs_of(header) if len(set(signs)) == len(signs) else None


def _signs_of(header: re.Match[str]) -> Signs:
    component, repetition, escape_sign = tuple(header[2])[:3]
    return Signs(header[1], component, repetition, escape_sign, header[2][3:4] or "&")


def split_fields(segment: str, signs: Signs) -> list[str]:
    """Return the fields of a segment; the first is field 1, of a header the separator of fields."""
    name, *fields = segment.split(signs.field)
    return [signs.field, *fields] if name.upper() in HEADERS else fields


def join_fields(name: str, fields: Sequence[str], signs: Signs) -> str:
    """Return the segment of which ``split_fields`` returns the fields."""
    return signs.field.join((name, *(fields[1:] if name in HEADERS else fields)))


def split_repetitions(field: str, signs: Signs) -> Iterator[list[str]]:
    """Yield the components of each repetition of a field."""
    return (one.split(signs.component) for one in field.split(signs.repetition))


def escape(text: str, signs: Signs) -> str:
    r"""Return a text as one value of a message: ``Ward & Sons`` is ``Ward \T\ Sons``."""
    sign = signs.escape
    escapes = {ord(meant): f"{sign}{letter}{sign}" for letter, meant in signs.by_escape.items()}
    return " ".join(text.splitlines()).translate(escapes)


def unescape(value: str, signs: Signs) -> str:
    r"""Return the text of a value: ``Ward \T\ Sons`` is ``Ward & Sons``."""
    if signs.escape not in value:
        return value
    meant = signs.by_escape | {"H": "", "N": "", ".br": "\n", ".BR": "\n"}
    return match_escapes(signs.escape).sub(lambda found: meant.get(found[0][1:-1], found[0]), value)


def find_escapes(text: str, signs: Signs, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places of signs, highlights and line breaks that are escaped in a value."""
    return (found.span() for found in match_escapes(signs.escape).finditer(text, start, end))


@lru_cache(maxsize=16)
def match_escapes(sign: str) -> re.Pattern[str]:
    r"""Match an escape: of a sign, a highlight, layout or hidden text, such as ``\X4A\``.

    Escapes are read from the left: the sign that ends one begins no other (``\F\X\F\``).
    """
    quoted = re.escape(sign)
    inner = rf"[EFHNRST]|[CMXxZ][0-9A-Fa-f]*|\.[A-Za-z]{{2}}[^{quoted}|]{{0,6}}"
    return re.compile(f"{quoted}(?:{inner}){quoted}")


def empty(value: str, signs: Signs) -> str:
    """Return a value with nothing left but its separators."""
    return re.sub(f"[^{re.escape(signs.all)}]", "", value)


class Value(NamedTuple):
    """One value between two separators, with its place in the text; never empty.

    A tuple, as a message takes hundreds.
    """

    field: int
    """As the standard counts: ``PID-5`` is 5; ``MSH-1`` is the separator of fields."""
    component: int
    subcomponent: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hl7Segment:
    """One segment, with its values in their order."""

    name: str
    """In capitals."""
    start: int
    """The place of the name."""
    end: int
    signs: Signs
    values: Sequence[Value]

    def fields(self, number: int) -> list[Value]:
        """Return the values of one field."""
        return [value for value in self.values if value.field == number]


def read_hl7(text: str) -> list[Hl7Segment]:
    """Return the segments of HL7 v2 messages in a text, in order, if it holds any."""
    header = _find_header(text)
    if header is None and not _is_fragment(text):
        return []
    signs = _signs_of(header) if header else Signs()
    segments: list[Hl7Segment] = []
    for start, end in within_time(_split_lines(text)):
        found = _HEADER.search(text, start, end)
        if found is not None:
            signs = _signs_of(found)
        begin = found.start() if found else _find_name(text, start, end, signs)
        if begin is not None:
            segments.append(_read_segment(text, begin, end, signs))
    return segments


def _find_header(text: str) -> re.Match[str] | None:
    # The names alone, which most texts do not hold, are looked for in a sixth of the time.
    folded = text.casefold()
    return _HEADER.search(text) if any(name in folded for name in _FOLDED_HEADERS) else None


def _is_fragment(text: str) -> bool:
    """Return whether at least two lines begin as segments do, though none is a header."""
    if text.count("|") < FEWEST_SEGMENTS * FEWEST_FIELDS:
        return False
    found = 0
    for start, end in within_time(_split_lines(text)):
        found += _is_plain_segment(text[start:end])
        if found >= FEWEST_SEGMENTS or _is_whole_segment(text, start, end):
            return True
    return False


def _is_whole_segment(text: str, start: int, end: int) -> bool:
    """Return whether a line alone, or behind a few words, has the fields of a segment."""
    signs = Signs()
    begin = _find_name(text, start, end, signs)
    if begin is None or text[begin : begin + 3] not in field_list().listed:
        return False
    fields = text[begin:end].split(signs.field)
    return len(fields) > FEWEST_ALONE and any(signs.component in each for each in fields)


def _is_plain_segment(line: str) -> bool:
    return line[:3] in field_list().listed and line[3:4] == "|" and line.count("|") >= FEWEST_FIELDS


def _split_lines(text: str) -> Iterator[tuple[int, int]]:
    for line in _LINE.finditer(text):
        start = line.start()
        for mark in _MARKED_END.finditer(text, line.start(), line.end()):
            if mark.start() > start:
                yield start, mark.start()
            start = mark.end()
        if start < line.end():
            yield start, line.end()


def _find_name(text: str, start: int, end: int, signs: Signs) -> int | None:
    """Return where the name of a segment begins, in a line or behind the words of a log."""
    first = text.find(signs.field, start, min(end, start + _LEAD))
    begin = first - 3
    name = text[max(begin, start) : first] if first >= 0 else ""
    if begin < start or not re.fullmatch("[A-Za-z][A-Za-z0-9]{2}", name):
        return None
    if begin == start:
        return begin
    known = name in field_list().listed and not text[begin - 1].isalnum()
    return begin if known else None


def _read_segment(text: str, start: int, end: int, signs: Signs) -> Hl7Segment:
    name = text[start : start + 3].upper()
    fields = split_fields(text[start:end], signs)
    # MSH-1 is the separator behind the name, and MSH-2 holds the others.
    first = 2 if name in HEADERS else 1
    values: list[Value] = []
    place = start + 3 + 1
    for number, written in enumerate(fields[first - 1 :], first):
        if name in HEADERS and number == 2 and written:  # noqa: PLR2004 - MSH-2
            values.append(Value(number, 1, 1, place, place + len(written)))
        else:
            values += _read_field(written, number, place, signs)
        place += len(written) + 1
    return Hl7Segment(name, start, end, signs, values)


def _read_field(field: str, number: int, place: int, signs: Signs) -> Iterator[Value]:
    for components in split_repetitions(field, signs):
        for component, written in enumerate(components, 1):
            for subcomponent, value in enumerate(written.split(signs.subcomponent), 1):
                if value:
                    yield Value(number, component, subcomponent, place, place + len(value))
                place += len(value) + 1
