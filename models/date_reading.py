"""A written date as it was read: its fields, the time beside it, and what is known from around it.

A mention of a date is read once, when its note is planned, and carries its readings with it.
"""

from dataclasses import dataclass, field
from enum import Enum, auto


class Slot(Enum):
    """The meaning of one field of a written date."""

    TEXT = auto()
    NUMBER = auto()
    SUFFIX = auto()
    WEEKDAY = auto()
    SEASON = auto()
    QUARTER = auto()
    QUARTER_WORD = auto()
    """The letter or word beside the number of a quarter."""
    HOLIDAY = auto()
    SPELLED = auto()
    """One word of a year that is spelled out."""
    YEAR = auto()
    DECADE = auto()
    MONTH = auto()
    MONTH_WORD = auto()
    DAY = auto()
    DAY_WORD = auto()
    COMPACT = auto()
    """A date in digits without separators."""
    ISO = auto()
    """A day by its week, or by its number in the year."""

    __hash__ = object.__hash__
    """Each slot is one object; ``Enum`` hashes its name, in Python at every look-up."""


UNPADDED = 1
"""Form of a day or month in digits that its writer would not pad with a zero."""


@dataclass(frozen=True, slots=True)
class Field:
    """One piece of a written date; the texts joined are the date."""

    slot: Slot
    text: str = field(repr=False)
    value: int = field(repr=False, default=0)
    form: int = 0
    """Number of the table that writes a word."""


@dataclass(frozen=True, slots=True)
class Near:
    """Month and year known from the surroundings of a date; ``None`` where they are unknown."""

    year: int | None = field(repr=False, default=None)
    month: int | None = field(repr=False, default=None)
    day: int | None = field(repr=False, default=None)
    """Day that a month alone stands for: that of a date of the note beside it."""
    land: str = ""
    """Code of the country by whose holidays a feast is meant."""


@dataclass(frozen=True, slots=True)
class DateReading:
    """One date of a mention: a mention is a date, a range or a list."""

    fields: tuple[Field, ...] = field(repr=False)
    earlier: str = field(repr=False, default="")
    """The time written before the date."""
    later: str = field(repr=False, default="")
    """The time written after it."""
    mark: str = field(repr=False, default="")
    """The text between the date before and this one."""
    preface: str = field(repr=False, default="")
    """What makes the plain date of a feast read in its sentence."""
    near: Near = field(default_factory=Near)
    month_of: "DateReading | None" = field(repr=False, default=None)
    """The date that has the month, if this one has none."""
