"""Find the day a written date means, and the one that lies some days after it.

What a date leaves out, its month or its year, is taken from its surroundings.
"""

from calendar import isleap
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import Enum, auto
from types import MappingProxyType

from deidstream.models.date_reading import Field, Near, Slot
from deidstream.models.phi.dates.holidays import holiday
from deidstream.models.phi.dates.iso_forms import find_iso_day
from deidstream.models.phi.dates.roles import compact_date

_PIVOT = 50
_AHEAD, _FAR_AHEAD = timedelta(days=90), timedelta(days=280)
_MONTHS = 12


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


def parts(fields: Sequence[Field]) -> Parts:
    """Read the parts of a date whose numbers have their slots."""
    year = month = day = None
    for item in fields:
        match item.slot:
            case Slot.TEXT:  # first, as nearly every second field is one
                pass
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
    """Derive the year and month of one end of a range from its other end.

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


def beside_note(
    own: Parts, note: date | None, *, to_come: bool = False, gone: bool = False
) -> Near:
    """Derive the year of a day from the note's own date: the last such day up to 90 days after it.

    A day without a month is the nearest one; without the note's date nothing is known.

    Args:
        own: What is written.
        note: The note's own date.
        to_come: The words before it say so: it lies up to 280 days ahead, as a birth does.
        gone: The words before it say that it is no later than the note.
    """
    if note is None:
        return Near()
    if own.month is None:
        return _nearest(own.day, note) if own.day is not None else Near()
    ahead = _FAR_AHEAD if to_come else timedelta() if gone else _AHEAD
    latest = note + ahead
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


ROUGH_DAYS = MappingProxyType({"early": 5, "mid": 15, "late": 25})
"""Days in the middle of the parts of a month, by the words for these."""
_MIDDLE, _LAST = 15, 28
_BESIDE = timedelta(days=46)
"""A date of a note is beside a month if it is no farther from its middle: in it, or in the next."""


def find_month_day(year: int, month: int, days: Iterable[date]) -> int | None:
    """Return the day that a month alone stands for; ``None``: no date of the note is beside it.

    It is the day of the nearest date, so that the month moves as that date does, and stays before
    it, behind it or its own month.
    """
    middle = date(year, month, _MIDDLE)
    near = min(days, key=lambda one: (abs(one - middle), one), default=None)
    if near is None or abs(near - middle) > _BESIDE:
        return None
    return near.day if near.month == month else min(near.day, _LAST)


REFERENCE_YEAR = 2023
"""Dates of unknown year move as in this one, or in the leap year after it if they need
one."""


class Grain(Enum):
    """How exactly a date is written."""

    DAY = auto()
    MONTH = auto()
    QUARTER = auto()
    SEASON = auto()
    YEAR = auto()
    DECADE = auto()
    NONE = auto()
    """A weekday alone."""


_LENGTHS = {Grain.MONTH: 30, Grain.QUARTER: 91, Grain.SEASON: 91}


@dataclass(frozen=True, slots=True)
class MeantDay:
    """The day that a date means; of a month, a year and the like the one in the middle."""

    day: date = field(repr=False)
    grain: Grain
    whole: bool
    """Year, month and day are in the text itself."""
    dated: bool
    """The year is known, from the text or from its surroundings."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Where a date moved."""

    to: date = field(repr=False)
    whole: bool
    days: int


def find_day(fields: Sequence[Field], near: Near, *, day_first: bool) -> MeantDay:
    """Find the day that fields mean.

    Raises:
        ValueError: There is no such day.
    """
    special = {item.slot: item for item in fields}
    if Slot.COMPACT in special:
        text = special[Slot.COMPACT].text
        return MeantDay(compact_date(text, day_first), Grain.DAY, whole=True, dated=True)
    if Slot.ISO in special:
        return MeantDay(find_iso_day(special[Slot.ISO].text), Grain.DAY, whole=True, dated=True)
    if Slot.HOLIDAY in special:
        return _holiday_day(special[Slot.HOLIDAY].text, near)
    if Slot.DECADE in special:
        return _decade(special[Slot.DECADE])
    written = parts(fields)
    own = written.beside(near)
    if Slot.SEASON in special or Slot.QUARTER in special:
        return _third_of_year(special, own.year)
    return _plain(
        own,
        _find_rough_day(fields) or near.day,
        whole=written.year is not None and written.month is not None,
    )


def _find_rough_day(fields: Sequence[Field]) -> int | None:
    """Return the day that ``early``, ``mid`` or ``late`` before a month means."""
    return next(filter(None, (ROUGH_DAYS.get(item.text.casefold()) for item in fields)), None)


def write_rough_day(day: int) -> str:
    """Return the word for the part of a month in which a day lies.

    >>> [write_rough_day(day) for day in (10, 11, 20, 21)]
    ['early', 'mid', 'mid', 'late']
    """
    return min(ROUGH_DAYS, key=lambda word: abs(ROUGH_DAYS[word] - day + 0.5))


def _plain(own: Parts, near: int | None, *, whole: bool) -> MeantDay:
    year, dated = own.year or REFERENCE_YEAR, own.year is not None
    if own.day is not None:
        leap = not dated and (own.month, own.day) == (2, 29)
        day = date(year + leap, own.month or 1, own.day)
        return MeantDay(day, Grain.DAY, whole, dated and own.month is not None)
    if own.month is not None:
        day = date(year, own.month, near or _MIDDLE)
        return MeantDay(day, Grain.MONTH, whole=False, dated=dated)
    grain = Grain.YEAR if dated else Grain.NONE
    return MeantDay(date(year, 7, 1), grain, whole=False, dated=dated)


def move(fields: Sequence[Field], days: int, near: Near, *, day_first: bool) -> Moved:
    """Find the day that lies ``days`` after the one meant.

    A month, quarter or season that would stay moves on by one, and so does a day whose month
    is unknown.

    Raises:
        ValueError: There is no such day.
        OverflowError: It lies outside the calendar.
    """
    old = find_day(fields, near, day_first=day_first)
    to = old.day + timedelta(days)
    own = parts(fields)
    if old.grain in _LENGTHS:
        yearly = own.year is not None
        if _part(to, old.grain) == _part(old.day, old.grain) and (
            to.year == old.day.year or not yearly
        ):
            to += timedelta(_LENGTHS[old.grain] if days > 0 else -_LENGTHS[old.grain])
    elif _is_lone_day(own, near) and to.day == old.day.day:
        to += timedelta(1 if to.day < 28 else -1)  # noqa: PLR2004
    return Moved(to, old.whole, days)


def _is_lone_day(own: Parts, near: Near) -> bool:
    return own.day is not None and own.month is None and near.month is None


def _holiday_day(text: str, near: Near) -> MeantDay:
    found = holiday(text, near.land)
    if found is None:
        msg = "no holiday"
        raise ValueError(msg)
    rule, year = found
    known = year or near.year
    return MeantDay(rule(known or REFERENCE_YEAR), Grain.DAY, year is not None, known is not None)


def _decade(item: Field) -> MeantDay:
    if item.value % 10 or (len(item.text) not in {2, 4} and not item.form):
        msg = "not a decade"
        raise ValueError(msg)
    start = item.value if item.form else full_year(item)
    return MeantDay(date(start + 5, 7, 1), Grain.DECADE, whole=False, dated=True)


def _third_of_year(special: dict[Slot, Field], year: int | None) -> MeantDay:
    dated, year = year is not None, year or REFERENCE_YEAR
    if Slot.QUARTER in special:
        centre = date(year, 3 * special[Slot.QUARTER].value - 1, 15)
        return MeantDay(centre, Grain.QUARTER, whole=False, dated=dated)
    centre = date(year, special[Slot.SEASON].value * 3 + 1, 15)
    return MeantDay(centre, Grain.SEASON, whole=False, dated=dated)


def _part(day: date, grain: Grain) -> int:
    if grain is Grain.MONTH:
        return day.month
    return (day.month - 1) // 3 if grain is Grain.QUARTER else (day.month % 12) // 3
