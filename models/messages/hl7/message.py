r"""An HL7 v2 message as a list of segments, with its line ends corrected.

What stands between two separators stays as it was written, with its escapes: ``\T\``. Segments end
with a carriage return (HL7 v2.5.1, section 2.3); a sender may write other line ends.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.models.phi.hl7.field_list import Mark, field_list
from deidstream.models.phi.hl7.message_grammar import (
    HEADERS,
    SEGMENT_END,
    Signs,
    escape,
    join_fields,
    match_escapes,
    read_signs,
    split_fields,
    split_repetitions,
    unescape,
)

_NAME = re.compile("[A-Z][A-Z0-9]{2}")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BEGINNING = HEADERS | {"FTS", "BTS"}
"""Segments that begin or end a message or a batch."""


@dataclass(frozen=True, slots=True)
class WrittenSegment:
    """One segment; its ``repr`` shows no values."""

    name: str
    fields: tuple[str, ...] = field(default=(), repr=False)
    """The first is field 1; of ``MSH`` that is the separator of fields."""

    def field(self, number: int) -> str:
        """Return a field as it is written; empty where the segment ends before it."""
        return self.fields[number - 1] if 0 < number <= len(self.fields) else ""

    def with_field(self, number: int, written: str) -> "WrittenSegment":
        """Return the segment with another value of a field that it has."""
        fields = (*self.fields[: number - 1], written, *self.fields[number:])
        return replace(self, fields=fields)


@dataclass(frozen=True, slots=True)
class WrittenMessage:
    """A message; its ``repr`` shows no values."""

    signs: Signs
    segments: tuple[WrittenSegment, ...] = field(repr=False)

    @property
    def header(self) -> WrittenSegment:
        """``MSH``."""
        return self.segments[0]

    def named(self, name: str) -> Iterator[WrittenSegment]:
        """Yield the segments of a name."""
        return (segment for segment in self.segments if segment.name == name)

    def first(self, name: str) -> WrittenSegment:
        """Return the first segment of a name, or an empty one."""
        return next(self.named(name), WrittenSegment(name))

    def repetitions(self, written: str) -> Iterator[Sequence[str]]:
        """Yield the components of each repetition of a field."""
        return split_repetitions(written, self.signs)

    def value(self, segment: WrittenSegment, number: int, component: int = 1) -> str:
        """Return the text of a component of a field's first repetition, or nothing."""
        components = next(self.repetitions(segment.field(number)))
        written = components[component - 1] if component <= len(components) else ""
        return unescape(written.split(self.signs.subcomponent)[0], self.signs).strip()

    def write(self) -> str:
        """Return the message as text."""
        lines = (join_fields(each.name, each.fields, self.signs) for each in self.segments)
        return "".join(f"{line}{SEGMENT_END}" for line in lines)


def read_message(text: str) -> WrittenMessage:
    """Read a message.

    A line that is no segment is the rest of a free text whose line end was sent as it was; it is
    joined to that text with the escape that the standard has for a line end. What escapes hide is
    shown.

    Raises:
        MessageRefused: It has no header, a line that is neither, or another message behind it.
    """
    signs = read_signs(text)
    if signs is None:
        raise MessageRefused(MessageFault.NO_HEADER)
    segments: list[WrittenSegment] = []
    rest: list[str] = []
    for line in _split_lines(text, signs):
        if _is_segment(line, signs):
            if segments and line[:3] in _BEGINNING:
                raise MessageRefused(MessageFault.SEVERAL_MESSAGES)
            _append_lines(segments, rest, signs)
            rest = []
            segments.append(_read_segment(line, signs))
        elif segments and _ends_with_lines(segments[-1]):
            rest.append(line)
        else:
            raise MessageRefused(MessageFault.BAD_SEGMENT)
    _append_lines(segments, rest, signs)
    return WrittenMessage(signs, tuple(segments))


def _split_lines(text: str, signs: Signs) -> Iterator[str]:
    lines = re.split(r"\r\n?", text) if "\r" in text else text.split("\n")
    for line in lines:
        inner = line.strip("\n").replace("\n", signs.line_break)
        if inner.strip():
            yield _CONTROLS.sub(" ", inner)


def _is_segment(line: str, signs: Signs) -> bool:
    name, sign = line[:3], line[3:4]
    known = name in field_list().names or name.startswith("Z")
    return known and _NAME.fullmatch(name) is not None and sign in {"", signs.field}


def _ends_with_lines(segment: WrittenSegment) -> bool:
    """Return whether a sender may have left line ends in the last field of a segment."""
    last = field_list().fields_of(segment.name).row(len(segment.fields))
    return Mark.LINES in last.marks


def _read_segment(line: str, signs: Signs) -> WrittenSegment:
    name, fields = line[:3], split_fields(line, signs)
    # MSH-2 is the signs themselves, among them the one that begins an escape.
    own = 2 if name in HEADERS else 0
    shown = (_show_hidden(written, signs) for written in fields[own:])
    return WrittenSegment(name, (*fields[:own], *shown))


def _append_lines(segments: list[WrittenSegment], rest: Sequence[str], signs: Signs) -> None:
    """Append lines to the free text of the last segment."""
    if not rest:
        return
    last, field_escape = segments[-1], f"{signs.escape}F{signs.escape}"
    shown = (_show_hidden(line.replace(signs.field, field_escape), signs) for line in rest)
    joined = signs.line_break.join((last.fields[-1], *shown))
    segments[-1] = last.with_field(len(last.fields), joined)


def _show_hidden(written: str, signs: Signs) -> str:
    r"""Return a value with hexadecimal text as characters, and without other character sets.

    ``\X4A6F65\`` is ``Joe``, which no recognizer would see. A line end becomes ``\.br\``; other
    control characters become blanks. Escapes of separators and of layout stay. The bytes are UTF-8,
    else those of Windows; one character may have several escapes (``\XC3\\XA9\``).
    """
    if signs.escape not in written:
        return written
    return _hidden_by(signs.escape).sub(
        lambda found: _show(found[1], signs) if found[1] else found[0], written
    )


@lru_cache(maxsize=16)
def _hidden_by(sign: str) -> re.Pattern[str]:
    """Match hidden text as the first group, and any other escape."""
    quoted = re.escape(sign)
    hidden = f"(?:{quoted}[Xx][0-9A-Fa-f]*{quoted})+|{quoted}[CMZ][0-9A-Fa-f]+{quoted}"
    return re.compile(f"({hidden})|{match_escapes(sign).pattern}")


def _show(escapes: str, signs: Signs) -> str:
    parts = re.findall("[Xx]([0-9A-Fa-f]*)", escapes)
    text = _decode(bytes.fromhex("".join(part for part in parts if len(part) % 2 == 0)))
    return signs.line_break.join(
        escape("".join(sign if sign.isprintable() else " " for sign in line), signs)
        for line in re.split(r"\r\n?|\n", text)
    )


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
