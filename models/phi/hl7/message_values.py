"""What the values of an HL7 v2 message are by the standard: PHI of a label, codes, or free text."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, auto
from types import MappingProxyType
from typing import NamedTuple

from deidstream.models.phi.codes.code_cues import CASE, RECORD
from deidstream.models.phi.hl7.field_list import UNLISTED, FieldKind, FieldRow, field_list
from deidstream.models.phi.hl7.field_shapes import find_rows
from deidstream.models.phi.hl7.message_grammar import HEADERS, Hl7Segment, Value, split_fields
from deidstream.models.text.word_files import words_in
from deidstream.schemas.label import PhiLabel

_DAY = r"(?:1[89]|2[01])[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9](?:\.[0-9]{1,4})?)?(?:[+-][0-9]{4})?"
_HOUR = r"(?:[01][0-9]|2[0-3])(?:[+-][0-9]{4})?"
_TIME_OF_DAY = re.compile(rf"{_CLOCK}|{_HOUR}")
_STAMP = re.compile(
    rf"{_DAY}(?:T?(?:{_CLOCK}|{_HOUR})Z?)?|(?:1[89]|2[01])[0-9]{{2}}(?:0[1-9]|1[0-2])?"
)
_WHOLE_DAY = re.compile(_DAY)
_VALID = frozenset(
    {
        FieldKind.NAME,
        FieldKind.STAFF,
        FieldKind.ID,
        FieldKind.GROUP,
        FieldKind.ADDRESS,
        FieldKind.PHONE,
    }
)
"""Kinds whose last components say from and to which day a value counts."""
_ANY_WORDS = frozenset({FieldKind.TEXT, FieldKind.NUMBER, FieldKind.CODE})
"""Kinds in which a word for nothing, such as ``unknown``, may say something."""
_MOMENT = re.compile(_DAY + _CLOCK)
"""A day with its time: nothing else looks like it, whatever field it is in."""
_EMPTY = frozenset({"", "na", "none", "null", "same", "self", "unk", "unknown", "aspt"})
"""Letters of what stands where nothing is known."""
_LONGEST_CODE = 3
_WORD = 3
"""Letters from which on something else than a number stands in its place."""
_NUMBER = re.compile(r"(?:[^0-9]*[0-9]){6}|(?=.{7})(?:[^0-9]*[0-9]){4}|[a-z._]{7}")
"""So many digits, or small letters, are a number or a log-in out of place where they stand alone in
a field of codes."""
_GROUPED = re.compile(r"[ (+]*(?:[0-9][ ()-]*){10,}|[0-9]{2,3}[ -]+[0-9]{2,3}[ -]+[0-9]{4}")
"""More whole digits than a measurement has, or digits in the groups of a number of a person."""
_SAID = frozenset({2, 5, 9})
"""Components of a code (``CWE``) in which its sender says in words what is meant."""
_NAMING = re.compile(r" \W*[A-Z]|(?:[0-9]\W?){4}")
"""A capital that begins no sentence, or a number: names of codes have few, people have them."""
_STANDS_ALONE = re.compile(r"(?=(?:[^0-9]*[0-9]){4})[0-9A-Za-z_-]{4,}")
"""The number of a document that stands in the place of its universal id: ``^^88123991``."""
_NUMBER_KIND = re.compile(f"(?i:{RECORD}|{CASE})")
"""What a number is, where who assigned it belongs: ``^^^MRN``."""
_MOST_BLANKS = 3
"""A value with more blanks, or with a digit, is no name: a log goes on behind it."""
_OBSERVED = MappingProxyType(
    {
        name: FieldRow.of_kind(kind)
        for names, kind in (
            ("CE CWE CNE CF", "code"),
            ("NM SN", "number"),
            ("DT DTM TS", "time"),
            ("TM", "clock"),
            ("XPN PN", "name:PATIENT"),
            ("XCN CN PPN", "staff"),
            ("XAD AD", "address"),
            ("XTN TN", "phone"),
            ("CX EI", "id:IDNUM"),
            ("ED", "file"),
            ("XON", "group:HOSPITAL"),
            ("PL", "place"),
        )
        for name in names.split()
    }
)
"""What a result holds, by the type of data that OBX-2 names."""


class _As(Enum):
    """What a component is, if it has no label of its own."""

    LABELLED = auto()
    """The row of its field names the label."""
    TEXT = auto()
    CODE = auto()


_Meaning = PhiLabel | _As
_Reader = Callable[[Value, str, bool], _Meaning]
"""Takes a value, its text, and whether it is alone in its field."""


class Hl7Value(NamedTuple):
    """A value with what the standard says of it; a tuple, as a message takes hundreds."""

    place: Value
    label: PhiLabel | None = None
    """The label of PHI; ``None`` for anything else."""
    is_code: bool = False
    """A code, a type or a unit; with neither this nor a label, the value is free text."""


def read_values(segment: Hl7Segment, text: str) -> Iterator[Hl7Value]:
    """Yield the values of a segment, with what they are."""
    rows = _rows_of(segment, text)
    values_in = Counter(value.field for value in segment.values)
    for value in segment.values:
        row = rows[value.field - 1]
        if row.kind is FieldKind.KEPT:
            yield Hl7Value(value, is_code=True)
            continue
        if row.kind is FieldKind.RESULT:
            row = _row_of_result(segment, text)
        written = text[value.start : value.end]
        if _MOMENT.fullmatch(written):
            yield Hl7Value(value, PhiLabel.DATE)
        else:
            yield _judge(value, row, written, alone=values_in[value.field] == 1)


def _rows_of(segment: Hl7Segment, text: str) -> Sequence[FieldRow]:
    """Return the rows of the fields of a segment, by their numbers or by what stands in them."""
    written = split_fields(text[segment.start : segment.end], segment.signs)
    listed = field_list().fields_of(segment.name)
    if segment.name in HEADERS:
        return [listed.row(number) for number in range(1, len(written) + 1)]
    return find_rows(written, listed, segment.signs.component)


def _row_of_result(segment: Hl7Segment, text: str) -> FieldRow:
    named = [text[value.start : value.end].upper() for value in segment.fields(2)]
    return _OBSERVED.get(named[0], UNLISTED) if named else UNLISTED


def _judge(value: Value, row: FieldRow, written: str, *, alone: bool) -> Hl7Value:
    if row.kind not in _ANY_WORDS and _says_nothing(written):
        return Hl7Value(value, is_code=True)
    found = _READERS[row.kind](value, written, alone)
    if found is _As.LABELLED:
        return Hl7Value(value, row.label)
    if found is _As.TEXT:
        return Hl7Value(value, is_code=alone and _is_short_code(written))
    if found is not _As.CODE:
        return Hl7Value(value, found)
    if row.kind in _VALID and _WHOLE_DAY.fullmatch(written):
        return Hl7Value(value, PhiLabel.DATE)
    return Hl7Value(value, is_code=True)


def _says_nothing(written: str) -> bool:
    letters = "".join(filter(str.isalpha, written)).casefold()
    return letters in _EMPTY and not _has_digit(written)


def _is_short_code(written: str) -> bool:
    return len(written) <= _LONGEST_CODE and written.isupper() and written.isalnum()


def _has_digit(written: str) -> bool:
    return any(map(str.isdigit, written))


def _read_text(_value: Value, _written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    return _As.TEXT


def _read_number(_value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    """Words, a telephone number or the like may stand where a number belongs."""
    words = sum(map(str.isalpha, written)) >= _WORD
    return _As.TEXT if words or _GROUPED.fullmatch(written) else _As.CODE


def _read_code(value: Value, written: str, alone: bool) -> _Meaning:  # noqa: FBT001
    """Words, a number or a log-in may stand where a code belongs, or a code may say words."""
    words = " " in written and not written.isupper()
    if alone:
        return _As.TEXT if words or _NUMBER.match(written) else _As.CODE
    said = value.component in _SAID and words and _NAMING.search(written)
    return _As.TEXT if said else _As.CODE


def _read_name(value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    if _has_digit(written) or written.count(" ") > _MOST_BLANKS:
        return _As.TEXT
    return _As.LABELLED if value.component <= 3 else _As.CODE  # noqa: PLR2004 - family, given, others


def _read_staff(value: Value, written: str, alone: bool) -> _Meaning:  # noqa: FBT001
    if value.component == 1:
        if _has_digit(written):
            return PhiLabel.IDNUM
        return _As.TEXT if alone and " " in written else PhiLabel.DOCTOR
    if value.component in {9, 14}:  # the authority, and its facility
        return _read_authority(value, written)
    return PhiLabel.DOCTOR if value.component <= 4 else _As.CODE  # noqa: PLR2004 - family, given, others


def _read_id(value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    if value.component in {4, 6}:
        return _read_authority(value, written)
    if value.component == 1:
        return _As.LABELLED if _has_digit(written) else _As.TEXT
    if value.component == 3:  # noqa: PLR2004 - a check digit, an OID, or the number itself
        return _As.LABELLED if _STANDS_ALONE.fullmatch(written) else _As.CODE
    return _As.TEXT if value.component == 2 and written.isalpha() else _As.CODE  # noqa: PLR2004 - a name


def _read_authority(value: Value, written: str) -> _Meaning:
    national = written in words_in("hl7.authorities.txt") or _NUMBER_KIND.fullmatch(written)
    return PhiLabel.HOSPITAL if value.subcomponent == 1 and not national else _As.CODE


def _read_group(value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    if value.component == 1:
        return _As.LABELLED if " " in written or not _has_digit(written) else PhiLabel.IDNUM
    if value.component in {3, 10}:
        return PhiLabel.IDNUM
    return _read_authority(value, written) if value.component in {6, 8} else _As.CODE


def _read_address(value: Value, written: str, alone: bool) -> _Meaning:  # noqa: FBT001
    if value.component == 1:
        return _As.TEXT if alone and not _has_digit(written) else PhiLabel.STREET
    if value.component == 6:  # noqa: PLR2004 - a code of ISO 3166, or a name
        return PhiLabel.COUNTRY if len(written) > _LONGEST_CODE else _As.CODE
    parts = {2: PhiLabel.STREET, 3: PhiLabel.CITY, 4: PhiLabel.STATE, 5: PhiLabel.ZIP}
    others = dict.fromkeys((8, 9), PhiLabel.LOCATION_OTHER)
    return (parts | others).get(value.component, _As.CODE)


def _read_phone(value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    if value.component in {1, 6, 7, 8, 12}:
        return PhiLabel.PHONE if _has_digit(written) else _As.TEXT
    if value.component == 4:  # noqa: PLR2004 - the address of e-mail
        return PhiLabel.EMAIL if "@" in written else _As.TEXT
    return _As.TEXT if value.component == 9 else _As.CODE  # noqa: PLR2004 - any words


def _read_place(value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    if value.component == 1:
        if _has_digit(written) or " " in written:
            return PhiLabel.HOSPITAL
        return _As.CODE if _is_short_code(written) else _As.TEXT
    if value.component == 9:  # noqa: PLR2004 - the place in words
        return _As.TEXT
    return _read_authority(value, written) if value.component == 4 else _As.CODE  # noqa: PLR2004


def _read_facility(value: Value, _written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    if value.component == 1:
        return PhiLabel.HOSPITAL
    return _As.TEXT if value.component == 2 else _As.CODE  # noqa: PLR2004 - an OID or any other id


def _read_time(value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    if value.component != 1:
        return _As.CODE
    return PhiLabel.DATE if _STAMP.fullmatch(written) else _As.TEXT


def _read_clock(_value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    return _As.CODE if _TIME_OF_DAY.fullmatch(written) else _As.TEXT


def _read_file(value: Value, _written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    return _As.TEXT if value.component not in {2, 3, 4} else _As.CODE


def _read_timing(value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    return PhiLabel.DATE if value.component in {4, 5} and _STAMP.fullmatch(written) else _As.CODE


def _read_value(value: Value, written: str, _alone: bool) -> _Meaning:  # noqa: FBT001
    if value.component == 1:
        return _As.LABELLED
    return _As.TEXT if _STAMP.fullmatch(written) else _As.CODE


_READERS: Mapping[FieldKind, _Reader] = MappingProxyType(
    {
        FieldKind.TEXT: _read_text,
        FieldKind.NUMBER: _read_number,
        FieldKind.CODE: _read_code,
        FieldKind.NAME: _read_name,
        FieldKind.STAFF: _read_staff,
        FieldKind.ID: _read_id,
        FieldKind.GROUP: _read_group,
        FieldKind.ADDRESS: _read_address,
        FieldKind.PHONE: _read_phone,
        FieldKind.PLACE: _read_place,
        FieldKind.FACILITY: _read_facility,
        FieldKind.FILE: _read_file,
        FieldKind.TIME: _read_time,
        FieldKind.CLOCK: _read_clock,
        FieldKind.TIMING: _read_timing,
        FieldKind.VALUE: _read_value,
    }
)
"""Say what a component of a field of each kind is."""
