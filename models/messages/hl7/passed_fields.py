"""Empty all that the list does not let pass: other segments and fields, deleted results, files.

Separators stay, so that a parser finds the same segments, fields, repetitions and components.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from deidstream.models.messages.hl7.character_sets import UTF_8
from deidstream.models.messages.hl7.encapsulated_data import show_encoded, show_file
from deidstream.models.messages.hl7.message import HEADER, WrittenMessage, WrittenSegment, empty
from deidstream.models.text.word_files import lines

_RESULT, _TYPE, _VALUE, _STATUS = "OBX", 2, 5, 11
_DELETED = frozenset({"D", "W"})
"""OBX-11 of a result that is deleted, or was another patient's (table 0085)."""
_POINTER, _FILE = "RP", "ED"
"""OBX-2 of a pointer to a file and of a file."""
_CHARACTER_SET = 18


@cache
def passed() -> Mapping[str, frozenset[int]]:
    """Return the fields that pass, by segment."""
    found: dict[str, frozenset[int]] = {}
    for line in lines("hl7.passed.txt"):
        name, *ranges = line.split()
        numbers = [one.partition("-") for one in ranges]
        found[name] = frozenset(
            number
            for first, _, last in numbers
            for number in range(int(first), int(last or first) + 1)
        )
    return found


def keep_passed(message: WrittenMessage) -> WrittenMessage:
    """Return a message in which every value is empty that the list does not let pass."""
    kept = tuple(_keep_fields(segment, message) for segment in message.segments)
    return replace(message, segments=kept)


def _keep_fields(segment: WrittenSegment, message: WrittenMessage) -> WrittenSegment:
    signs, numbers = message.signs, passed().get(segment.name, frozenset[int]())
    fields = [
        _keep_value(segment, number, message) if number in numbers else empty(written, signs)
        for number, written in enumerate(segment.fields, 1)
    ]
    return replace(segment, fields=tuple(fields))


def _keep_value(segment: WrittenSegment, number: int, message: WrittenMessage) -> str:
    written, signs = segment.field(number), message.signs
    if segment.name == HEADER and number <= 2:  # noqa: PLR2004 - the separators themselves
        return written
    if segment.name == HEADER and number == _CHARACTER_SET:
        return UTF_8 if written else written
    if segment.name == _RESULT and number == _VALUE:
        return _keep_result(segment, message)
    return show_encoded(written, signs)


def _keep_result(segment: WrittenSegment, message: WrittenMessage) -> str:
    written, signs = segment.field(_VALUE), message.signs
    kind = message.value(segment, _TYPE).upper()
    if message.value(segment, _STATUS).upper() in _DELETED:
        return empty(written, signs)
    if kind not in {_POINTER, _FILE}:
        return show_encoded(written, signs)
    if kind == _POINTER:
        return empty(written, signs)
    return signs.repetition.join(show_file(one, signs) for one in message.repetitions(written))
