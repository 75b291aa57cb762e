"""Find the full dates of a text, as an attacker does who has no better tool than patterns."""

from datetime import date
from typing import Final

import re2

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_MONTH: Final = r"((?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*)\.?"
_CENTURY: Final = 100
_PIVOT: Final = 50
"""Years of two digits below it are of this century."""
# Each has the groups of ISO, of numbers, of month and day, or of day and month.
_DATE: Final = re2.compile(
    r"(?i)\b(?:"
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"|(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})"
    rf"|{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})"
    rf"|(\d{{1,2}})(?:st|nd|rd|th)?[ -](?:of )?{_MONTH},?[ -](\d{{4}}|\d{{2}})"
    r")\b"
)


def find_dates(text: str) -> list[date]:
    """Return the dates of a text that say day, month and year, in their order.

    Months stand before days, unless they cannot be months.

    >>> [str(day) for day in find_dates("On 3/4/24, 2024-03-09 and 25 Dec 2023; March 1, 2024.")]
    ['2024-03-04', '2024-03-09', '2023-12-25', '2024-03-01']
    """
    found: list[date] = []
    for match in _DATE.finditer(text):
        day = _read_groups(match.groups())
        if day is not None:
            found.append(day)
    return found


def _read_groups(groups: tuple[str | None, ...]) -> date | None:
    iso, numbers, month_first, day_first = (groups[at : at + 3] for at in range(0, 12, 3))
    if iso[0]:
        return _make_date(*iso)
    if numbers[0]:
        month, day, year = numbers
        return _make_date(year, month, day) or _make_date(year, day, month)
    if month_first[0]:
        month, day, year = month_first
        return _make_date(year, month, day)
    day, month, year = day_first
    return _make_date(year, month, day)


def _make_date(year: str | None, month: str | None, day: str | None) -> date | None:
    written, word = int(year or 0), (month or "").casefold()[:3]
    number = _MONTHS.index(word) + 1 if word in _MONTHS else int(word)
    whole = written if written >= _CENTURY else written + (2000 if written < _PIVOT else 1900)
    try:
        return date(whole, number, int(day or 0))
    except ValueError:
        return None
