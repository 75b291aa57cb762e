"""Weeks and days of a year as ISO 8601 writes them: ``2021-W09-1``, ``2021-W09``, ``2021-060``."""

import re
from datetime import date, timedelta

_WEEK = re.compile(r"([0-9]{4})(-?)[Ww]([0-9]{2})(?:\2([1-7]))?")
_DAY_OF_YEAR = re.compile(r"([0-9]{4})(-?)([0-9]{3})")
_THURSDAY = 4
"""The day of a week that lies in its year."""


def is_iso_form(text: str) -> bool:
    """Return whether a text is a week or a day of a year that there is."""
    try:
        find_iso_day(text)
    except ValueError:
        return False
    return True


def find_iso_day(text: str) -> date:
    """Return the day; of a week its Thursday.

    Raises:
        ValueError: The text is none, or there is no such day.

    >>> find_iso_day("2021-W09-1").isoformat(), find_iso_day("2021-060").isoformat()
    ('2021-03-01', '2021-03-01')
    """
    if week := _WEEK.fullmatch(text):
        return date.fromisocalendar(int(week[1]), int(week[3]), int(week[4] or _THURSDAY))
    if day := _DAY_OF_YEAR.fullmatch(text):
        found = date(int(day[1]), 1, 1) + timedelta(int(day[3]) - 1)
        if found.year == int(day[1]):
            return found
    msg = "no week or day of a year"
    raise ValueError(msg)


def write_iso_form(text: str, to: date) -> str:
    """Write another day in the form of ``text``.

    >>> write_iso_form("2021-W09-1", date(2021, 3, 14)), write_iso_form("2021060", date(2020, 2, 1))
    ('2021-W10-7', '2020032')
    """
    if week := _WEEK.fullmatch(text):
        year, number, weekday = to.isocalendar()
        sign, letter = week[2], text[4 + len(week[2])]
        return f"{year:04d}{sign}{letter}{number:02d}" + (f"{sign}{weekday}" if week[4] else "")
    sign = "-" if "-" in text else ""
    return f"{to.year:04d}{sign}{to.timetuple().tm_yday:03d}"
