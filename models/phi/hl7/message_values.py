"""What the values of an HL7 v2 message are by the standard: PHI of a label, codes, or free text."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from deidstream.models.phi.hl7.message_grammar import Hl7Segment, Value
from deidstream.models.text.word_files import lines, words_in
from deidstream.schemas.label import PhiLabel

_FREE = "text"
_DAY = r"(?:1[89]|2[01])[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9](?:\.[0-9]{1,4})?)?(?:[+-][0-9]{4})?"
_HOUR = r"(?:[01][0-9]|2[0-3])(?:[+-][0-9]{4})?"
_STAMP = re.compile(
    rf"{_DAY}(?:T?(?:{_CLOCK}|{_HOUR})Z?)?|(?:1[89]|2[01])[0-9]{{2}}(?:0[1-9]|1[0-2])?"
)
_WHOLE_DAY = re.compile(_DAY)
_VALID = frozenset({"name", "staff", "id", "group", "address", "phone"})
"""Kinds whose last components say from and to which day a value counts."""
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
_MOST_BLANKS = 3
"""A value with more blanks, or with a digit, is no name: a log goes on behind it."""
_UNTOUCHED = frozenset({"SFT"})
"""Segments about software, whose dates are no patient's."""
_OBSERVED = MappingProxyType(
    {
        **dict.fromkeys(("CE", "CWE", "CNE", "CF"), "code"),
        **dict.fromkeys(("NM", "SN"), "number"),
        **dict.fromkeys(("DT", "DTM", "TS"), "time"),
        "XPN": "name:PATIENT",
        "PN": "name:PATIENT",
        "XCN": "staff",
        "CN": "staff",
        "XAD": "address",
        "AD": "address",
        "XTN": "phone",
        "TN": "phone",
        "CX": "id:IDNUM",
        "EI": "id:IDNUM",
        "ED": "file",
        "PPN": "staff",
        "XON": "group:HOSPITAL",
        "PL": "place",
    }
)
"""The kind of OBX-5 by the type of data that OBX-2 names."""


@dataclass(frozen=True, slots=True)
class Hl7Value:
    """A value with what the standard says of it."""

    place: Value
    label: PhiLabel | None = None
    """The label of PHI; ``None`` for anything else."""
    is_code: bool = False
    """A code, a type or a unit; with neither this nor a label, the value is free text."""


@cache
def _kinds() -> Mapping[str, Mapping[int, str]]:
    """Return the kinds of fields by segment and number."""
    kinds: dict[str, dict[int, str]] = {}
    for line in lines("hl7.fields.txt"):
        name, rest = line.split(" ", 1)
        for entry in rest.split(" | "):
            numbers, kind = entry.split()
            first, _, last = numbers.partition("-")
            for number in range(int(first), int(last or first) + 1):
                kinds.setdefault(name, {})[number] = kind
    return kinds


def field_kinds(segment: str) -> Mapping[int, str]:
    """Return what the fields of a segment hold by their numbers: ``name:PATIENT``, ``code``."""
    return _kinds().get(segment, {})


def read_values(segment: Hl7Segment, text: str) -> Iterator[Hl7Value]:
    """Yield the values of a segment, with what they are."""
    if segment.name in _UNTOUCHED:
        yield from (Hl7Value(value, is_code=True) for value in segment.values)
        return
    kinds = field_kinds(segment.name)
    observed = _type_of_observation(segment, text)
    values_in = Counter(value.field for value in segment.values)
    for value in segment.values:
        kind = kinds.get(value.field, _FREE)
        if segment.name == "OBX" and value.field == 5:  # noqa: PLR2004 - OBX-5 is the result
            kind = observed
        written = text[value.start : value.end]
        if _MOMENT.fullmatch(written):
            yield Hl7Value(value, PhiLabel.DATE)
        else:
            yield _judge(value, kind, written, alone=values_in[value.field] == 1)


def _type_of_observation(segment: Hl7Segment, text: str) -> str:
    named = [text[value.start : value.end].upper() for value in segment.fields(2)]
    return _OBSERVED.get(named[0], _FREE) if segment.name == "OBX" and named else _FREE


def _judge(value: Value, kind: str, written: str, *, alone: bool) -> Hl7Value:
    kind, _, label = kind.partition(":")
    if kind == "number":
        kind = _FREE if _is_no_number(written) else kind
    elif kind == "code":
        kind = _FREE if _is_text_of_code(value, written, alone=alone) else kind
    elif kind != _FREE and _says_nothing(written):
        kind = "code"
    if kind in {"code", "number"}:
        return Hl7Value(value, is_code=True)
    found = _FREE if kind == _FREE else _READERS[kind](value, written, alone)
    found = label if found == "own" else found
    if not found and kind in _VALID and _WHOLE_DAY.fullmatch(written):
        return Hl7Value(value, PhiLabel.DATE)
    if found == _FREE:
        return Hl7Value(value, is_code=alone and _is_short_code(written))
    return Hl7Value(value, PhiLabel(found)) if found else Hl7Value(value, is_code=True)


def _is_no_number(written: str) -> bool:
    """Return whether words, a telephone number or the like stand where a number belongs."""
    return sum(map(str.isalpha, written)) >= _WORD or _GROUPED.fullmatch(written) is not None


def _is_text_of_code(value: Value, written: str, *, alone: bool) -> bool:
    """Return whether words are to be read, although their field holds a code."""
    if alone:
        return _is_out_of_place(written)
    return value.component in _SAID and _is_prose(written) and _NAMING.search(written) is not None


def _is_prose(written: str) -> bool:
    return " " in written and not written.isupper()


def _is_out_of_place(written: str) -> bool:
    """Return whether words, a number or a log-in stand where a code belongs."""
    return _is_prose(written) or _NUMBER.match(written) is not None


def _says_nothing(written: str) -> bool:
    letters = "".join(filter(str.isalpha, written)).casefold()
    return letters in _EMPTY and not _has_digit(written)


def _is_short_code(written: str) -> bool:
    return len(written) <= _LONGEST_CODE and written.isupper() and written.isalnum()


def _has_digit(written: str) -> bool:
    return any(map(str.isdigit, written))


def _read_name(value: Value, written: str, _alone: bool) -> str:  # noqa: FBT001
    if _has_digit(written) or written.count(" ") > _MOST_BLANKS:
        return _FREE
    return "own" if value.component <= 3 else ""  # noqa: PLR2004 - family, given, others


def _read_staff(value: Value, written: str, alone: bool) -> str:  # noqa: FBT001
    if value.component == 1:
        if _has_digit(written):
            return PhiLabel.IDNUM
        return _FREE if alone and " " in written else PhiLabel.DOCTOR
    if value.component in {9, 14}:  # the authority, and its facility
        return _read_authority(value, written)
    return PhiLabel.DOCTOR if value.component <= 4 else ""  # noqa: PLR2004 - family, given, others


def _read_id(value: Value, written: str, _alone: bool) -> str:  # noqa: FBT001
    if value.component in {4, 6}:
        return _read_authority(value, written)
    if value.component == 1:
        return "own" if _has_digit(written) else _FREE
    if value.component == 3:  # noqa: PLR2004 - a check digit, an OID, or the number itself
        return "own" if _STANDS_ALONE.fullmatch(written) else ""
    return _FREE if value.component == 2 and written.isalpha() else ""  # noqa: PLR2004 - a name


def _read_authority(value: Value, written: str) -> str:
    national = written in words_in("hl7.authorities.txt")
    return PhiLabel.HOSPITAL if value.subcomponent == 1 and not national else ""


def _read_group(value: Value, written: str, _alone: bool) -> str:  # noqa: FBT001
    if value.component == 1:
        return "own" if " " in written or not _has_digit(written) else PhiLabel.IDNUM
    if value.component in {3, 10}:
        return PhiLabel.IDNUM
    return _read_authority(value, written) if value.component in {6, 8} else ""


def _read_address(value: Value, written: str, alone: bool) -> str:  # noqa: FBT001
    if value.component == 1:
        return _FREE if alone and not _has_digit(written) else PhiLabel.STREET
    if value.component == 6:  # noqa: PLR2004 - a code of ISO 3166, or a name
        return PhiLabel.COUNTRY if len(written) > _LONGEST_CODE else ""
    parts = {2: PhiLabel.STREET, 3: PhiLabel.CITY, 4: PhiLabel.STATE, 5: PhiLabel.ZIP}
    others = dict.fromkeys((8, 9), PhiLabel.LOCATION_OTHER)
    return (parts | others).get(value.component, "")


def _read_phone(value: Value, written: str, _alone: bool) -> str:  # noqa: FBT001
    if value.component in {1, 6, 7, 8, 12}:
        return PhiLabel.PHONE if _has_digit(written) else _FREE
    if value.component == 4:  # noqa: PLR2004 - the address of e-mail
        return PhiLabel.EMAIL if "@" in written else _FREE
    return _FREE if value.component == 9 else ""  # noqa: PLR2004 - any words


def _read_place(value: Value, written: str, _alone: bool) -> str:  # noqa: FBT001
    if value.component == 1:
        if _has_digit(written) or " " in written:
            return PhiLabel.HOSPITAL
        return "" if _is_short_code(written) else _FREE
    if value.component == 9:  # noqa: PLR2004 - the place in words
        return _FREE
    return _read_authority(value, written) if value.component == 4 else ""  # noqa: PLR2004


def _read_facility(value: Value, _written: str, _alone: bool) -> str:  # noqa: FBT001
    if value.component == 1:
        return PhiLabel.HOSPITAL
    return _FREE if value.component == 2 else ""  # noqa: PLR2004 - an OID or any other id


def _read_time(value: Value, written: str, _alone: bool) -> str:  # noqa: FBT001
    if value.component != 1:
        return ""
    return PhiLabel.DATE if _STAMP.fullmatch(written) else _FREE


def _read_file(value: Value, _written: str, _alone: bool) -> str:  # noqa: FBT001
    return _FREE if value.component not in {2, 3, 4} else ""


def _read_timing(value: Value, written: str, _alone: bool) -> str:  # noqa: FBT001
    return PhiLabel.DATE if value.component in {4, 5} and _STAMP.fullmatch(written) else ""


def _read_value(value: Value, written: str, _alone: bool) -> str:  # noqa: FBT001
    if value.component == 1:
        return "own"
    return _FREE if _STAMP.fullmatch(written) else ""


_READERS = MappingProxyType(
    {
        "name": _read_name,
        "staff": _read_staff,
        "id": _read_id,
        "group": _read_group,
        "address": _read_address,
        "phone": _read_phone,
        "place": _read_place,
        "facility": _read_facility,
        "file": _read_file,
        "time": _read_time,
        "timing": _read_timing,
        "value": _read_value,
    }
)
"""By kind: what a value is, ``own`` for the label that the field names, empty for a code."""
