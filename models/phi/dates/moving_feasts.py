"""Feasts of the Chinese, Hebrew, Hindu and Islamic calendars, by the days on which they fell."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Self

from deidstream.models.text.word_files import lines

_LAST_JULIAN_GAP = 13
"""Days between the Julian and the Gregorian calendar from 1900 to 2099."""


@dataclass(frozen=True, slots=True)
class FeastDays:
    """The days of one feast in successive years."""

    cycle: int
    """Years after which it comes back to about the same day: 19 by sun and moon, 33 by the moon."""
    first: int
    """Year of the first day."""
    days: tuple[str, ...]
    """Month and day, ``0210``."""

    @classmethod
    def read(cls, row: str) -> Self:
        """Read a row of the table, behind the names of the feast."""
        cycle, first, *days = row.split()
        return cls(int(cycle), int(first), tuple(days))

    def find(self, year: int) -> date:
        """Return the day in a year; outside the table that of a year whole cycles away."""
        place = year - self.first
        if place < 0:
            place %= self.cycle
        while place >= len(self.days):
            place -= self.cycle
        day = self.days[place]
        return date(year, int(day[:2]), int(day[2:]))


@cache
def moving_feasts() -> Mapping[str, FeastDays]:
    """Return the feasts of the table by each of their names."""
    found: dict[str, FeastDays] = {}
    for line in lines("holidays.moving.txt"):
        names, _, row = line.partition(":")
        found |= dict.fromkeys(names.split(", "), FeastDays.read(row))
    return found


def orthodox_easter(year: int) -> date:
    """Easter Sunday of the Orthodox churches (Meeus, Astronomical Algorithms, chapter 8).

    >>> orthodox_easter(2024).isoformat(), orthodox_easter(2025).isoformat()
    ('2024-05-05', '2025-04-20')
    """
    moon = (19 * (year % 19) + 15) % 30
    month, day = divmod(moon + (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7 + 114, 31)
    julian = date(year, month, day + 1)
    return date.fromordinal(julian.toordinal() + _LAST_JULIAN_GAP)
