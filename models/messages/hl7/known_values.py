"""Gather the identifiers that a message states of the patient, of relatives and of staff.

``hl7.fields.txt`` marks the fields whose names, numbers and dates are looked for in the note.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from deidstream.models.messages.hl7.message import WrittenMessage, WrittenSegment
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.models.phi.hl7.field_list import FieldKind, FieldRow, Mark, field_list
from deidstream.models.phi.hl7.message_grammar import unescape
from deidstream.schemas.note import KnownIdentifiers
from deidstream.schemas.wire import LONGEST_KNOWN, MOST_KNOWN

_SOUGHT = frozenset({Mark.KNOWN, Mark.NAMES})
_DAY = re.compile("([0-9]{4})-?([0-9]{2})-?([0-9]{2})")
"""Some senders write a day as in ISO 8601."""
_SHORTEST_NUMBER = 3
_STREET, _MOST_ADDRESS = 1, 5
_FAMILY, _GIVEN, _MIDDLE, _EMAIL, _NUMBER = 1, 2, 3, 4, 1


@dataclass(slots=True)
class _StatedValues:
    """The values found so far by kind, in order and without repeats."""

    message: WrittenMessage = field(repr=False)
    values: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])

    def add(self, kind: str, value: str) -> None:
        written = " ".join(value.split())
        if written.strip('"') and len(written) <= LONGEST_KNOWN:
            self.values.setdefault(kind, {})[written] = None

    def listed(self, kind: str) -> tuple[str, ...]:
        return tuple(self.values.get(kind, {}))


def gather_known(message: WrittenMessage) -> KnownIdentifiers:
    """Return the names, numbers, dates, telephone numbers, addresses and staff of a message.

    Raises:
        MessageRefused: They are too many to be looked for.
    """
    found = _StatedValues(message)
    for segment in message.segments:
        for number, row in field_list().fields_of(segment.name).rows.items():
            if row.marks & _SOUGHT and segment.field(number):
                _gather_field(segment, number, row, found)
    if sum(map(len, found.values.values())) > MOST_KNOWN:
        raise MessageRefused(MessageFault.TOO_MANY_VALUES)
    return KnownIdentifiers(
        names=found.listed("names"),
        identifiers=found.listed("identifiers"),
        dates=found.listed("dates"),
        phones=found.listed("phones"),
        addresses=found.listed("addresses"),
        staff=found.listed("staff"),
    )


def _gather_field(
    segment: WrittenSegment, number: int, row: FieldRow, found: _StatedValues
) -> None:
    if row.kind is FieldKind.TIME:
        found.add("dates", _write_date(found.message.value(segment, number)))
        return
    for components in found.message.repetitions(segment.field(number)):
        parts = [list(_texts(one, found)) for one in components]
        if Mark.KNOWN in row.marks:
            _gather_value(row.kind, parts, found)
        else:
            family = _FAMILY + 1 if row.kind is FieldKind.STAFF else _FAMILY
            found.add("staff", _write_name(parts, family))


def _gather_value(kind: FieldKind, parts: Sequence[Sequence[str]], found: _StatedValues) -> None:
    if kind is FieldKind.STAFF and len(parts[0]) > 1:
        # ``NDL``: number and names are the parts of the first component.
        parts = [[one] for one in parts[0]]
    match kind:
        case FieldKind.NAME:
            found.add("names", _write_name(parts, _FAMILY))
        case FieldKind.STAFF:
            _add_number(parts, found)
            if not any(map(str.isdigit, _part(parts, _NUMBER))):
                # A user name, or a name that was written one component too early.
                found.add("staff", _part(parts, _NUMBER))
            found.add("staff", _write_name(parts, _FAMILY + 1))
        case FieldKind.ID | FieldKind.VALUE:
            _add_number(parts, found)
        case FieldKind.ADDRESS:
            found.add("addresses", _write_address(parts))
        case FieldKind.PHONE:
            _add_phone(parts, found)
        case _:
            pass


def _texts(written: str, found: _StatedValues) -> Iterator[str]:
    signs = found.message.signs
    for part in written.split(signs.subcomponent):
        yield unescape(part, signs).strip()


def _part(parts: Sequence[Sequence[str]], component: int) -> str:
    return parts[component - 1][0] if component <= len(parts) else ""


def _write_name(parts: Sequence[Sequence[str]], family: int) -> str:
    """Write a name as it is said: given, others, family."""
    order = (family + 1, family + 2, family)
    return " ".join(one for one in (_part(parts, number) for number in order) if one)


def _add_number(parts: Sequence[Sequence[str]], found: _StatedValues) -> None:
    number = _part(parts, _NUMBER)
    if len(number) >= _SHORTEST_NUMBER and any(map(str.isdigit, number)):
        found.add("identifiers", number)


def _write_address(parts: Sequence[Sequence[str]]) -> str:
    written = (_part(parts, number) for number in range(_STREET, _MOST_ADDRESS + 1))
    return ", ".join(one for one in written if one)


def _add_phone(parts: Sequence[Sequence[str]], found: _StatedValues) -> None:
    if email := _part(parts, _EMAIL):
        found.add("identifiers", email)
    number = _part(parts, _NUMBER) or "".join(_part(parts, one) for one in (6, 7))
    if any(map(str.isdigit, number)):
        found.add("phones", number)


def _write_date(stamp: str) -> str:
    """Return the day of a time stamp; a year or a month alone is no date of birth."""
    found = _DAY.match(stamp)
    return "-".join(found.groups()) if found else ""
