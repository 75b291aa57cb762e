"""Find the days that a short name, such as that of a file or of a visit, may hold.

Days are compared by value: ``20240304``, ``VISIT-2024-3-4`` and ``4Mar24`` hold the same one. A
name does not say which of its numbers is the day, nor its century, so every reading counts.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime

from deidstream.models.date_reading import DateReading
from deidstream.models.phi.dates.calendar import MONTH_OF
from deidstream.models.phi.dates.iso_forms import find_iso_day
from deidstream.models.phi.dates.meaning import Grain, find_day

Day = tuple[int, int, int]
"""Year within its century, month and day of the month: a day as names and notes both write it."""

_PIECE = re.compile("[0-9]+|[a-z]+")
_DIGITS = re.compile("[0-9]+")
_ISO = re.compile("(?<![0-9])[0-9]{4}(?:-?w[0-9]{2}-?[1-7]|-?[0-9]{3})(?![0-9])")
_LONG, _SHORT = 8, 6
"""Digits of a date without separators, with and without its century."""
_YEAR = re.compile("(?:1[89]|2[01])?[0-9]{2}")
_UP_TO_TWO = re.compile("[0-9]{1,2}")
_CENTURY = 100
_SECONDS, _MILLISECONDS = 10, 13
"""Digits of a time counted from 1970."""


def days_of(dates: Iterable[DateReading], *, day_first: bool) -> Iterator[Day]:
    """Yield the days that dates as a note reads them mean; months and years alone are none."""
    for one in dates:
        with suppress(ValueError, OverflowError):
            found = find_day(one.fields, one.near, day_first=day_first)
            if found.grain is Grain.DAY and found.dated:
                yield _day(found.day)


def find_held_days(name: str, *, random: bool = False) -> frozenset[Day]:
    """Find every day that a name may hold.

    Args:
        name: At most some hundred characters.
        random: Its letters and digits are drawn at random, so that only eight digits are a date.

    >>> find_held_days("visit4mar24"), (24, 3, 4) in find_held_days("VISIT-20240304-17")
    (frozenset({(24, 3, 4)}), True)
    """
    folded = name.lower()
    runs = _DIGITS.findall(folded)
    found = {day for run in runs for day in _days_of_digits(run, _LONG)}
    if random:
        return frozenset(found)
    for run in runs:
        # Within a longer number six digits are a date by chance.
        for end in {run[:_SHORT], run[-_SHORT:]}:
            found.update(_days_of_digits(end, _SHORT))
        if len(run) in {_SECONDS, _MILLISECONDS}:
            found.add(_day(datetime.fromtimestamp(int(run[:_SECONDS]), UTC).date()))
    pieces = _PIECE.findall(folded)
    for first, second, third in zip(pieces, pieces[1:], pieces[2:], strict=False):
        found.update(_days_of_parts(first, second, third))
    for written in _ISO.findall(folded):
        with suppress(ValueError):
            found.add(_day(find_iso_day(written)))
    return frozenset(found)


def _days_of_digits(run: str, length: int) -> Iterator[Day]:
    """Yield the days of each stretch of a run of digits that is so long."""
    year = length - 4
    for start in range(len(run) - length + 1):
        digits = run[start : start + length]
        yield from _days_of_parts(digits[:year], digits[year:-2], digits[-2:])
        yield from _days_of_parts(digits[:2], digits[2:4], digits[4:])


def _days_of_parts(first: str, second: str, third: str) -> Iterator[Day]:
    """Yield the days that three numbers are, of which one may be a month's name."""
    year_leads = (first, second, third), (first, third, second)
    year_ends = (third, first, second), (third, second, first)
    for year, month, day in (*year_leads, *year_ends):
        if _YEAR.fullmatch(year) and _UP_TO_TWO.fullmatch(day):
            named = MONTH_OF[month][1] + 1 if month in MONTH_OF else 0
            number = int(month) if _UP_TO_TWO.fullmatch(month) else named
            with suppress(ValueError):
                yield _day(date(2000 + int(year) % _CENTURY, number, int(day)))


def _day(day: date) -> Day:
    return day.year % _CENTURY, day.month, day.day
