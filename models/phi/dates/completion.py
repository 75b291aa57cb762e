"""What a date leaves out and its surroundings say: the month and the year."""

from calendar import isleap
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta

from deidstream.models.phi.dates.fields import Field, Slot

_PIVOT = 50
_AHEAD = timedelta(days=90)
_MONTHS = 12


@dataclass(frozen=True, slots=True)
class Near:
    """Month and year that stand beside a date; ``None`` where nothing tells."""

    year: int | None = field(repr=False, default=None)
    month: int | None = field(repr=False, default=None)


@dataclass(frozen=True, slots=True)
class Parts:
    """Year, month and day; ``None`` for what is not written."""

    year: int | None = field(repr=False, default=None)
    month: int | None = field(repr=False, default=None)
    day: int | None = field(repr=False, default=None)

    def beside(self, near: Near) -> "Parts":
        """Take from ``near`` what is missing."""
        month = near.month if self.month is None and self.day is not None else self.month
        return Parts(near.year if self.year is None else self.year, month, self.day)


def parts(fields: list[Field]) -> Parts:
    """Read the parts of a date whose numbers have their slots."""
    year = month = day = None
    for item in fields:
        match item.slot:
            case Slot.YEAR:
                year = full_year(item)
            case Slot.MONTH:
                month = item.value
            case Slot.MONTH_WORD:
                month = item.value + 1
            case Slot.DAY | Slot.DAY_WORD:
                day = item.value
            case _:
                pass
    return Parts(year, month, day)


def full_year(item: Field) -> int:
    """Year of a field; two digits below 50 are of the 2000s."""
    if len(item.text) > 2:  # noqa: PLR2004
        return item.value
    return item.value + (2000 if item.value < _PIVOT else 1900)


def beside(own: Parts, other: Parts, *, after: bool) -> Near:
    """What the other end of a range tells of this one.

    Args:
        own: What this end says.
        other: What the other one says, as far as it is known.
        after: This end is the later one.
    """
    year, month = other.year, own.month
    if month is None and other.month is not None and own.day is not None:
        wraps = other.day is not None and (own.day < other.day if after else own.day > other.day)
        month = other.month + (wraps if after else -wraps)
        year = None if year is None else year + (month - 1) // _MONTHS
        return Near(year, (month - 1) % _MONTHS + 1)
    if year is not None and month is not None and other.month is not None:
        ours, theirs = (month, own.day or 0), (other.month, other.day or own.day or 0)
        year += (ours < theirs) if after else -(ours > theirs)
    return Near(year, month)


def beside_note(own: Parts, note: date | None) -> Near:
    """What the note's own date tells: the last such day up to 90 days after it.

    Of a day without a month it is the nearest; without the note's date nothing is told.
    """
    if note is None:
        return Near()
    if own.month is None:
        return _nearest(own.day, note) if own.day is not None else Near()
    latest = note + _AHEAD
    late = (own.month, own.day or 1) > (latest.month, latest.day)
    year = latest.year - late
    if (own.month, own.day) == (2, 29):
        year = next((one for one in range(year, year - 8, -1) if isleap(one)), year)
    return Near(year, own.month)


def _nearest(day: int, note: date) -> Near:
    found: list[date] = []
    for months in (-1, 0, 1):
        ahead, month = divmod(note.month - 1 + months, _MONTHS)
        with suppress(ValueError):
            found.append(date(note.year + ahead, month + 1, day))
    best = min(found, key=lambda one: abs(one - note), default=note)
    return Near(best.year, best.month)
