r"""An HL7 v2 message as a list of segments, with its line ends corrected.

What stands between two separators stays as it was written, with its escapes: ``\T\``. Segments end
with a carriage return (HL7 v2.5.1, section 2.3); a sender may write other line ends.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from deidstream.models.messages.hl7.hidden_text import show_hidden
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.models.phi.hl7.field_list import Mark, field_list
from deidstream.models.phi.hl7.message_grammar import Signs

SEGMENT_END = "\r"
HEADER = "MSH"
_START = re.compile(r"MSH([^\w\s])([^\w\s]{3,5})\1", re.ASCII)
_NAME = re.compile("[A-Z][A-Z0-9]{2}")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BEGINNING = frozenset({HEADER, "FHS", "BHS", "FTS", "BTS"})
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
        return (one.split(self.signs.component) for one in written.split(self.signs.repetition))

    def value(self, segment: WrittenSegment, number: int, component: int = 1) -> str:
        """Return the text of a component of a field's first repetition, or nothing."""
        components = next(self.repetitions(segment.field(number)))
        written = components[component - 1] if component <= len(components) else ""
        return unescape(written.split(self.signs.subcomponent)[0], self.signs).strip()

    def write(self) -> str:
        """Return the message as text."""
        sign = self.signs.field
        # The separator of fields is itself the first field of the header.
        lines = [
            sign.join((segment.name, *segment.fields[1 if segment.name == HEADER else 0 :]))
            for segment in self.segments
        ]
        return SEGMENT_END.join(lines) + SEGMENT_END


def read_message(text: str) -> WrittenMessage:
    """Read a message.

    A line that is no segment is the rest of a free text whose line end was sent as it was; it is
    joined to that text with the escape that the standard has for a line end. What escapes hide is
    shown.

    Raises:
        MessageRefused: It has no header, a line that is neither, or another message behind it.
    """
    start = _START.match(text)
    if start is None or len({start[1], *start[2]}) <= len(start[2]):
        raise MessageRefused(MessageFault.NO_HEADER)
    component, repetition, escaping, subcomponent = tuple((start[2] + "&")[:4])
    signs = Signs(start[1], component, repetition, escaping, subcomponent)
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
        inner = line.strip("\n").replace("\n", _line_break(signs))
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
    name, *fields = line.split(signs.field)
    if name == HEADER:
        separators, *rest = fields
        return WrittenSegment(name, (signs.field, separators, *_show_all(rest, signs)))
    return WrittenSegment(name, tuple(_show_all(fields, signs)))


def _show_all(fields: Sequence[str], signs: Signs) -> Iterator[str]:
    return (show_hidden(written, signs) for written in fields)


def _append_lines(segments: list[WrittenSegment], rest: Sequence[str], signs: Signs) -> None:
    """Append lines to the free text of the last segment."""
    if not rest:
        return
    last, field_escape = segments[-1], f"{signs.escape}F{signs.escape}"
    shown = [show_hidden(line.replace(signs.field, field_escape), signs) for line in rest]
    joined = _line_break(signs).join((last.fields[-1], *shown))
    segments[-1] = last.with_field(len(last.fields), joined)


def _line_break(signs: Signs) -> str:
    return f"{signs.escape}.br{signs.escape}"


def unescape(written: str, signs: Signs) -> str:
    r"""Return the text of a value: ``Smith \T\ Sons`` is ``Smith & Sons``."""
    if signs.escape not in written:
        return written
    meant = {
        "F": signs.field,
        "S": signs.component,
        "T": signs.subcomponent,
        "R": signs.repetition,
        "E": signs.escape,
        "H": "",
        "N": "",
        ".br": "\n",
        ".BR": "\n",
    }
    sign = re.escape(signs.escape)
    return re.sub(f"{sign}([FSTREHN]|\\.br|\\.BR){sign}", lambda found: meant[found[1]], written)


def empty(written: str, signs: Signs) -> str:
    """Return a value with nothing left but its separators."""
    return re.sub(f"[^{re.escape(signs.all)}]", "", written)
