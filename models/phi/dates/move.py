"""Find the day a written date means, and the one that lies some days after it."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import Enum, auto

from deidstream.models.phi.dates.compact import compact_date
from deidstream.models.phi.dates.completion import Near, Parts, full_year, parts
from deidstream.models.phi.dates.fields import Field, Slot
from deidstream.models.phi.dates.holidays import holiday

REFERENCE_YEAR = 2023
"""Dates whose year nothing tells move as in this one, or in the leap year after it if they need
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
class Meant:
    """The day that a date means; of a month, a year and the like the one in the middle."""

    day: date = field(repr=False)
    grain: Grain
    whole: bool
    """Year, month and day stand in the text itself."""
    dated: bool
    """The year is known, from the text or from what stands near."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Where a date moved."""

    to: date = field(repr=False)
    whole: bool
    days: int


def meant(fields: list[Field], near: Near, *, day_first: bool) -> Meant:
    """Find the day that fields mean.

    Raises:
        ValueError: There is no such day.
    """
    special = {item.slot: item for item in fields}
    if Slot.COMPACT in special:
        text = special[Slot.COMPACT].text
        return Meant(compact_date(text, day_first), Grain.DAY, whole=True, dated=True)
    if Slot.FEAST in special:
        return _feast(special[Slot.FEAST].text, near)
    if Slot.DECADE in special:
        return _decade(special[Slot.DECADE])
    own = parts(fields).beside(near)
    if Slot.SEASON in special or Slot.QUARTER in special:
        return _third_of_year(special, own.year)
    return _plain(own, whole=_is_whole(fields))


def _plain(own: Parts, *, whole: bool) -> Meant:
    year, dated = own.year or REFERENCE_YEAR, own.year is not None
    if own.day is not None:
        leap = not dated and (own.month, own.day) == (2, 29)
        day = date(year + leap, own.month or 1, own.day)
        return Meant(day, Grain.DAY, whole, dated and own.month is not None)
    if own.month is not None:
        return Meant(date(year, own.month, 15), Grain.MONTH, whole=False, dated=dated)
    grain = Grain.YEAR if dated else Grain.NONE
    return Meant(date(year, 7, 1), grain, whole=False, dated=dated)


def move(fields: list[Field], days: int, near: Near, *, day_first: bool) -> Moved:
    """Find the day that lies ``days`` after the one meant.

    A month, quarter or season that would stay moves on by one, and so does a day whose month
    nothing tells.

    Raises:
        ValueError: There is no such day.
        OverflowError: It lies outside the calendar.
    """
    old = meant(fields, near, day_first=day_first)
    to = old.day + timedelta(days)
    own = parts(fields)
    if old.grain in _LENGTHS:
        yearly = own.year is not None
        if _part(to, old.grain) == _part(old.day, old.grain) and (
            to.year == old.day.year or not yearly
        ):
            to += timedelta(_LENGTHS[old.grain] if days > 0 else -_LENGTHS[old.grain])
    elif _is_lone_day(fields, near) and to.day == old.day.day:
        to += timedelta(1 if to.day < 28 else -1)  # noqa: PLR2004
    return Moved(to, old.whole, days)


def _is_lone_day(fields: list[Field], near: Near) -> bool:
    own = parts(fields)
    return own.day is not None and own.month is None and near.month is None


def _is_whole(fields: list[Field]) -> bool:
    own = parts(fields)
    return own.year is not None and own.month is not None


def _feast(text: str, near: Near) -> Meant:
    found = holiday(text)
    if found is None:
        msg = "no holiday"
        raise ValueError(msg)
    rule, year = found
    known = year or near.year
    return Meant(rule(known or REFERENCE_YEAR), Grain.DAY, year is not None, known is not None)


def _decade(item: Field) -> Meant:
    if item.value % 10 or (len(item.text) not in {2, 4} and not item.form):
        msg = "not a decade"
        raise ValueError(msg)
    start = item.value if item.form else full_year(item)
    return Meant(date(start + 5, 7, 1), Grain.DECADE, whole=False, dated=True)


def _third_of_year(special: dict[Slot, Field], year: int | None) -> Meant:
    dated, year = year is not None, year or REFERENCE_YEAR
    if Slot.QUARTER in special:
        centre = date(year, 3 * special[Slot.QUARTER].value - 1, 15)
        return Meant(centre, Grain.QUARTER, whole=False, dated=dated)
    centre = date(year, special[Slot.SEASON].value * 3 + 1, 15)
    return Meant(centre, Grain.SEASON, whole=False, dated=dated)


def _part(day: date, grain: Grain) -> int:
    if grain is Grain.MONTH:
        return day.month
    return (day.month - 1) // 3 if grain is Grain.QUARTER else (day.month % 12) // 3
