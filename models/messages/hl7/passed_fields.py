"""Empty all that the list does not let pass: other segments and fields, deleted results, files.

Separators stay, so that a parser finds the same segments, fields, repetitions and components.
"""

from dataclasses import replace

from deidstream.models.messages.hl7.character_sets import UTF_8
from deidstream.models.messages.hl7.encapsulated_data import show_encoded, show_file
from deidstream.models.messages.hl7.message import WrittenMessage, WrittenSegment
from deidstream.models.phi.hl7.field_list import FieldKind, Mark, field_list
from deidstream.models.phi.hl7.message_grammar import HEADER, empty

_TYPE, _STATUS = 2, 11
"""Fields of OBX that say what a result is, and whether it counts."""
_DELETED = frozenset({"D", "W"})
"""OBX-11 of a result that is deleted, or was another patient's (table 0085)."""
_POINTER, _FILE = "RP", "ED"
"""OBX-2 of a pointer to a file and of a file."""
_CHARACTER_SET = 18


def keep_passed(message: WrittenMessage) -> WrittenMessage:
    """Return a message in which every value is empty that the list does not let pass."""
    kept = tuple(_keep_fields(segment, message) for segment in message.segments)
    return replace(message, segments=kept)


def _keep_fields(segment: WrittenSegment, message: WrittenMessage) -> WrittenSegment:
    listed, signs = field_list().fields_of(segment.name), message.signs
    fields: list[str] = []
    for number, written in enumerate(segment.fields, 1):
        row = listed.row(number)
        if Mark.PASS not in row.marks:
            fields.append(empty(written, signs))
        elif row.kind is FieldKind.RESULT:
            fields.append(_keep_result(segment, written, message))
        elif segment.name == HEADER and number == _CHARACTER_SET:
            fields.append(UTF_8 if written else written)
        else:
            fields.append(show_encoded(written, signs))
    return replace(segment, fields=tuple(fields))


def _keep_result(segment: WrittenSegment, written: str, message: WrittenMessage) -> str:
    signs, kind = message.signs, message.value(segment, _TYPE).upper()
    deleted = message.value(segment, _STATUS).upper() in _DELETED
    if deleted or kind == _POINTER:
        return empty(written, signs)
    if kind == _FILE:
        return signs.repetition.join(show_file(one, signs) for one in message.repetitions(written))
    return show_encoded(written, signs)
