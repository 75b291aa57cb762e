"""Read what the fields of HL7 v2 hold, and what is done with them: ``hl7.fields.txt``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from deidstream.models.text.word_files import lines
from deidstream.schemas.label import PhiLabel

_OTHERS = "*"
"""In the place of a number: all fields of a segment that have no row."""


class FieldKind(StrEnum):
    """What a field holds; the list explains each kind."""

    NAME = "name"
    STAFF = "staff"
    ID = "id"
    VALUE = "value"
    GROUP = "group"
    ADDRESS = "address"
    PHONE = "phone"
    PLACE = "place"
    FACILITY = "facility"
    TIME = "time"
    TIMING = "timing"
    CODE = "code"
    NUMBER = "number"
    CLOCK = "clock"
    """A result of type TM; no row has this kind."""
    FILE = "file"
    """A result of type ED; no row has this kind."""
    RESULT = "result"
    TEXT = "text"
    KEPT = "kept"


_LABELLED = frozenset({FieldKind.NAME, FieldKind.ID, FieldKind.VALUE, FieldKind.GROUP})
"""Kinds whose rows name the label of what is found."""


class Mark(StrEnum):
    """What is done with a field; the list explains each mark."""

    PASS = "pass"  # noqa: S105 - a mark
    KNOWN = "known"
    NAMES = "names"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class FieldRow:
    """What a field holds, and what is done with it."""

    kind: FieldKind
    label: PhiLabel | None = None
    """Of what is found; ``None`` if the kind alone says it."""
    marks: frozenset[Mark] = frozenset()

    @classmethod
    def of_kind(cls, kind: str, marks: str = "-") -> "FieldRow":
        """Read the second and the third column of a row: ``id:ACCOUNT``, ``pass,known``.

        Raises:
            ValueError: There is no such kind, label or mark, or the kind needs a label.
        """
        name, _, label = kind.partition(":")
        if (FieldKind(name) in _LABELLED) != bool(label):
            msg = f"{kind}: name, id, value and group have a label, other kinds have none"
            raise ValueError(msg)
        marked = frozenset(map(Mark, marks.split(","))) if marks != "-" else frozenset[Mark]()
        return cls(FieldKind(name), PhiLabel(label) if label else None, marked)


UNLISTED = FieldRow(FieldKind.TEXT)
"""A field without a row."""


@dataclass(frozen=True, slots=True)
class SegmentFields:
    """The rows of a segment."""

    rows: Mapping[int, FieldRow] = field(default_factory=dict[int, FieldRow])
    """By the number of the field, in ascending order."""
    others: FieldRow = UNLISTED
    """What the list says of all other fields."""

    def row(self, number: int) -> FieldRow:
        """Return what the list says of a field."""
        return self.rows.get(number, self.others)


_UNKNOWN = SegmentFields()


@dataclass(frozen=True, slots=True)
class FieldList:
    """The list: segments with rows, and the names of all segments."""

    listed: Mapping[str, SegmentFields]
    """Segments whose lines are known by their names where no header stands above them."""
    names: frozenset[str]
    """Segments of the standard; names with a Z are a sender's own, and not here."""

    def fields_of(self, segment: str) -> SegmentFields:
        """Return the rows of a segment, which may have none."""
        return self.listed.get(segment, _UNKNOWN)


@cache
def field_list() -> FieldList:
    """Read the list."""
    rows: dict[str, dict[int, FieldRow]] = {}
    others: dict[str, FieldRow] = {}
    names: set[str] = set()
    for line in lines("hl7.fields.txt"):
        first, *columns = line.split(maxsplit=3)
        segment, dash, number = first.partition("-")
        if not dash:
            names.update(line.split())
            continue
        row = FieldRow.of_kind(columns[0], columns[1])
        fields = rows.setdefault(segment, {})
        if number == _OTHERS:
            others[segment] = row
        else:
            fields[int(number)] = row
    listed = {name: SegmentFields(rows[name], others.get(name, UNLISTED)) for name in rows}
    return FieldList(listed, frozenset(names.union(listed)))
