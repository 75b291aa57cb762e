r"""Read HL7 v2 in the text of a note: its segments, fields, components and their places.

An integration log, an error queue or an export holds messages as they were sent, one segment a
line: ``PID|1||4410^^^GH^MR||SHAW^ANN``. The header ``MSH|^~\&`` says which signs separate. Source:
HL7 v2.5.1, chapter 2.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deidstream.models.phi.hl7.field_list import field_list
from deidstream.models.time_budget import within_time

HEADERS = frozenset({"MSH", "FHS", "BHS"})
"""Segments that begin with the separators themselves."""
_FOLDED_HEADERS = tuple(sorted(map(str.casefold, HEADERS)))
FEWEST_SEGMENTS = 2
"""Lines without a header that count as a part of a message, if they begin as segments do."""
FEWEST_FIELDS = 3

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


@dataclass(frozen=True, slots=True)
class Value:
    """One value between two separators, with its place in the text; never empty."""

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
    signs = _read_signs(header) if header else Signs()
    segments: list[Hl7Segment] = []
    for start, end in within_time(_split_lines(text)):
        found = _HEADER.search(text, start, end)
        if found is not None:
            signs = _read_signs(found)
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
    lines = within_time(_split_lines(text))
    return sum(_is_plain_segment(text[start:end]) for start, end in lines) >= FEWEST_SEGMENTS


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


def _read_signs(header: re.Match[str]) -> Signs:
    component, repetition, escape = tuple(header[2])[:3]
    return Signs(header[1], component, repetition, escape, header[2][3:4] or "&")


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
    header = name in HEADERS
    values: list[Value] = []
    field, place = (1, start + 4) if header else (0, start + 3 + 1)
    for written in text[place:end].split(signs.field):
        field += 1
        if header and field == 2:  # noqa: PLR2004 - MSH-2 holds the separators themselves
            values.append(Value(field, 1, 1, place, place + len(written)))
        else:
            values += _read_field(written, field, place, signs)
        place += len(written) + 1
    return Hl7Segment(name, start, end, signs, values)


def _read_field(written: str, field: int, place: int, signs: Signs) -> Iterator[Value]:
    for repetition in written.split(signs.repetition):
        for component, inner in enumerate(repetition.split(signs.component), 1):
            for number, value in enumerate(inner.split(signs.subcomponent), 1):
                if value:
                    yield Value(field, component, number, place, place + len(value))
                place += len(value) + 1
