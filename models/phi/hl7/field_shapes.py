"""Recognise the fields of a segment by what stands in them, where their count misleads.

A sender leaves a field out or writes one too many, and an address stands where the standard has a
code. The components of addresses, numbers and names, days and telephone numbers show which fields
of the standard a segment has; of all ways to shift its fields the one counts that fits best.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from types import MappingProxyType

from deidstream.models.phi.hl7.field_list import FieldKind, FieldRow, SegmentFields
from deidstream.schemas.label import PhiLabel

_DAY = re.compile(
    r"(?:1[89]|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[0-9]{4}(?:[0-9]{2})?)?"
)
_ZIP = re.compile(
    r"(?i)[0-9]{3,6}(?:[ -]?[0-9]{3,4})?|[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}"
    r"|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]"
)
_WORDS = re.compile(r"[^\W\d_][^\d_|]*")
_NAME = re.compile(r"[^\W\d_][^\W\d_]+(?:[ '-][^\W\d_]+){0,3}")
_REGION = re.compile(r"[A-Z]{2,3}")
_PHONE = re.compile(r"\+?1?[ .-]?(?:\([0-9]{3}\) ?|[0-9]{3}[ .-])[0-9]{3}[ .-]?[0-9]{4}.{0,8}")
_USE = frozenset({"PRN", "ORN", "WPN", "VHN", "ASN", "EMR", "NET", "BPN", "PRS"})
"""XTN-2: what a telephone number is for (table 0201)."""
_CODE = re.compile("[A-Z]{1,3}")
_NUMBER = re.compile(r"[0-9][0-9-]{4,}")
_NUMBER_TYPES = frozenset(
    {"MR", "MRN", "PI", "PN", "PT", "AN", "VN", "SS", "DL", "NI", "EI", "FI", "MB", "MC", "U", "XX"}
)
"""CX-5: what a number is (table 0203)."""
_STREET, _CITY, _STATE, _POSTAL = 0, 2, 3, 4
_TYPE = 4
_WIDEST = 2
"""Fields by which one may stand from its own place."""
_STEP = 2
"""What a shift by one field costs."""
_BETTER = 3
"""How much better than its own places other places must fit a segment."""


class FieldShape(Enum):
    """What a field looks like."""

    DAY = auto()
    ADDRESS = auto()
    PHONE = auto()
    ID = auto()
    NAME = auto()
    CODE = auto()
    NUMBER = auto()


_ROWS: Mapping[FieldShape, FieldRow] = MappingProxyType(
    {
        FieldShape.ADDRESS: FieldRow(FieldKind.ADDRESS),
        FieldShape.PHONE: FieldRow(FieldKind.PHONE),
        FieldShape.ID: FieldRow(FieldKind.ID, PhiLabel.IDNUM),
    }
)
"""Shapes that say what a field holds where the standard has a code or nothing of its own."""
_WEAK = frozenset({FieldKind.TEXT, FieldKind.CODE, FieldKind.NUMBER})
_FITTING: Mapping[FieldShape, frozenset[FieldKind]] = MappingProxyType(
    {
        FieldShape.DAY: frozenset({FieldKind.TIME}),
        FieldShape.ADDRESS: frozenset({FieldKind.ADDRESS}),
        FieldShape.PHONE: frozenset({FieldKind.PHONE}),
        FieldShape.ID: frozenset({FieldKind.ID}),
        FieldShape.NAME: frozenset({FieldKind.NAME}),
        FieldShape.CODE: frozenset({FieldKind.CODE}),
        FieldShape.NUMBER: frozenset({FieldKind.ID, FieldKind.VALUE, FieldKind.PHONE}),
    }
)
_JUDGED = frozenset().union(*_FITTING.values())
_DOUBTFUL = frozenset({FieldShape.CODE, FieldShape.NUMBER, FieldShape.NAME})
"""Shapes that other things have too: words beside a code look like a name."""


def find_rows(fields: Sequence[str], listed: SegmentFields, component: str) -> list[FieldRow]:
    """Return the row of each field of a segment: its own, or that which it seems to be.

    Args:
        fields: As they are written, from field 1 on.
        listed: The rows of the segment.
        component: The separator of components.
    """
    shapes = [_find_shape(written.split(component)) for written in fields]
    own = [listed.row(number) for number in range(1, len(fields) + 1)]
    fits = [_fit(*pair) for pair in zip(shapes, own, strict=True)]
    if -_STEP in fits:
        own = _shift_rows(shapes, listed, own, sum(fits))
    rows: list[FieldRow] = []
    for shape, row in zip(shapes, own, strict=True):
        telling = shape in _ROWS and row.kind in _WEAK
        rows.append(_ROWS[shape] if shape and telling else row)
    return rows


def _shift_rows(
    shapes: Sequence[FieldShape | None], listed: SegmentFields, own: list[FieldRow], unshifted: int
) -> list[FieldRow]:
    """Return the rows of fields whose number may be wrong by a few, if these fit much better."""
    shifts = range(-_WIDEST, _WIDEST + 1)
    paths: dict[int, tuple[int, list[FieldRow]]] = {0: (0, [])}
    for number, shape in enumerate(shapes, 1):
        longer: dict[int, tuple[int, list[FieldRow]]] = {}
        for shift in shifts:
            row = listed.row(number + shift)
            reached = [
                (score - _STEP * abs(shift - last), -abs(last), last)
                for last, (score, _) in paths.items()
            ]
            score, _, last = max(reached)
            longer[shift] = (score + _fit(shape, row), [*paths[last][1], row])
        paths = longer
    score, rows = max(paths.values(), key=lambda path: path[0])
    return rows if score >= unshifted + _BETTER else own


def _fit(shape: FieldShape | None, row: FieldRow) -> int:
    if shape is None or row.kind not in _JUDGED:
        return 0
    worth = 1 if shape in _DOUBTFUL else _STEP
    return worth if row.kind in _FITTING[shape] else -worth


def _find_shape(components: Sequence[str]) -> FieldShape | None:
    first = components[0].strip()
    if len(components) == 1:
        alone = (
            (_DAY, FieldShape.DAY),
            (_PHONE, FieldShape.PHONE),
            (_CODE, FieldShape.CODE),
            (_NUMBER, FieldShape.NUMBER),
        )
        return next((shape for form, shape in alone if form.fullmatch(first)), None)
    if _is_address(components):
        return FieldShape.ADDRESS
    if components[1] in _USE:
        return FieldShape.PHONE
    if any(map(str.isdigit, first)):
        typed = len(components) > _TYPE and components[_TYPE] in _NUMBER_TYPES
        return FieldShape.ID if typed else None
    named = [part for part in components[:3] if part]
    whole = len(named) > 1 and all(map(_NAME.fullmatch, named[:2]))
    return FieldShape.NAME if whole else None


def _is_address(components: Sequence[str]) -> bool:
    """Return whether there is a town, and a region or a postal code beside it."""
    street, city, state, postal = (
        components[place].strip() if place < len(components) else ""
        for place in (_STREET, _CITY, _STATE, _POSTAL)
    )
    if _WORDS.fullmatch(city) is None:
        return False
    numbered = any(map(str.isdigit, street)) and " " in street
    in_region = _REGION.fullmatch(state) is not None
    return (_ZIP.fullmatch(postal) is not None and (in_region or numbered)) or (
        in_region and numbered
    )
