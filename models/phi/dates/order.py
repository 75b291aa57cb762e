"""Find out whether a note writes numeric dates day before month, and with leading zeros."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date

import re2

from deidstream.models.date_reading import Field, Slot
from deidstream.models.phi.dates.fields import split_fields
from deidstream.models.phi.written_numbers import (
    FOREIGN_PREFIX,
    NANP_NUMBER,
    UK_CODE_ALONE,
    ZIP_CODE,
)
from deidstream.models.text.english_spelling import lean_british

_LONGEST = 60
_MONTHS, _DAYS = 12, 31
_CENTURY = 2000
_NEVER = 1 << 20
"""More days than lie between any two lines."""
_LINE_STAMP = re2.compile(
    r"(?m)^[\x{200e} ]?\[?([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]((?:20)?[0-9]{2}),? {1,2}"
    r"[0-9]{1,2}:[0-9]{2}"
)
"""A day and a time at the beginning of a line, as a chat is exported."""
_LONGEST_SIGN = 32
_APOSTROPHES = frozenset({"'", "\u2018", "\u2019"})
_PADDED = re2.compile(r"(?:^|[^0-9:])0[1-9][/.-][0-9]|[0-9][/.-]0[1-9](?:[^0-9:]|$)")
_WITHOUT_ZERO = re2.compile(
    r"(?:^|[^0-9.:/-])[1-9][/.-][0-3]?[0-9](?:[/.-]|[^0-9:]|$)"
    r"|(?:^|[^0-9.:/-])[0-3]?[0-9][/.-][1-9](?:[/.-]|$)"
)
"""Numeric dates with a leading zero, and those that do without one."""
_DOTTED = re2.compile(r"^[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{2}|[0-9]{4})$")
_TOLD_DAY = re2.compile(
    r"(?i)\b(?:on|(?:day|morning|afternoon|evening|night) of) "
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (?:0[1-9]|[12][0-9]|3[01])"
    r"(?:[^0-9A-Za-z]|$)"
)
"""What only a day follows, a month's name and two digits."""
_DAY_LEADS_THERE = re2.compile(rf"^{UK_CODE_ALONE}$|^{FOREIGN_PREFIX}")
"""British postcodes; telephone numbers with a trunk 0 or a country code that is not North
America's."""
_MONTH_LEADS_THERE = re2.compile(rf"^{ZIP_CODE}$|^{NANP_NUMBER}$")
"""ZIP codes and telephone numbers of the United States."""


def omits_zeros(dates: Iterable[str]) -> bool:
    """Return whether a note writes ``1/3/24``, and never ``01/03/24``."""
    short = [text for text in dates if len(text) <= _LONGEST]
    return any(map(_WITHOUT_ZERO.search, short)) and not any(map(_PADDED.search, short))


def leaning(dates: Iterable[str]) -> int:
    """Count the dates that unambiguously put the day first, less those that put the month first.

    ``4 February 2024`` and ``4.2.24`` have the day first, ``February 4`` the month: who writes them
    so writes ``4/2/24`` alike. ``Feb 14`` may be a year.
    """
    return sum(map(_lean, dates))


def place_signs(numbers: Iterable[str]) -> int:
    """Count the postcodes and telephone numbers of places where the day leads, less the others."""
    short = [number.strip() for number in numbers if len(number) <= _LONGEST_SIGN]
    leads = sum(bool(_DAY_LEADS_THERE.search(number)) for number in short)
    return leads - sum(bool(_MONTH_LEADS_THERE.search(number)) for number in short)


def _lean(text: str) -> int:
    if _DOTTED.search(text.strip()):
        return 1
    fields = (split_fields(text) if len(text) <= _LONGEST else None) or []
    words = [place for place, item in enumerate(fields) if item.slot is Slot.MONTH_WORD]
    if len(words) != 1:
        return 0
    place = words[0]
    return _is_day(fields[:place]) - (_read_behind(fields[place + 1 :]) is Slot.DAY)


def year_follows_month(dates: Iterable[str], *, leads: bool, note: str = "") -> bool:
    """Return whether two digits alone behind a month's name are its year, as in ``Mar 24``.

    They are where the other dates have the day before the name, or such a year behind it that is no
    day (``Nov 98``), and where days follow no name and lead in numeric dates. They are days where
    other dates have the year before the name (``2025/Oct/14``). An apostrophe says nothing: who
    writes ``Jun '19`` tells years from days by it. Where the note says that something was on such a
    day (``the night of January 14``), they are days, whatever its other dates say.

    Args:
        dates: The date mentions of one note.
        leads: Its numeric dates have the day first.
        note: The text of the note.
    """
    if _TOLD_DAY.search(note):
        return False
    votes = sum(map(_vote_for_year, dates))
    return votes > 0 or (votes == 0 and leads)


def _vote_for_year(text: str) -> int:
    fields = (split_fields(text) if len(text) <= _LONGEST else None) or []
    words = [place for place, item in enumerate(fields) if item.slot is Slot.MONTH_WORD]
    if len(words) != 1:
        return 0
    before = fields[: words[0]]
    if any(item.slot is Slot.NUMBER and len(item.text) == 4 for item in before):  # noqa: PLR2004
        # 2025/Oct/14
        return -1
    behind = None if _APOSTROPHES & set(text) else _read_behind(fields[words[0] + 1 :])
    return _is_day(before) + (behind is Slot.YEAR) - (behind is Slot.DAY)


def _read_behind(fields: Sequence[Field]) -> Slot | None:
    """Return what the number behind a month's name is: a day, a year; ``None`` if it may be both.

    A day has one digit, an ending or a year behind it; a year of two digits is no day of a month or
    has an apostrophe.
    """
    place = next((i for i, item in enumerate(fields[:2]) if item.slot is Slot.NUMBER), None)
    if place is None or len(fields[place].text) > 2:  # noqa: PLR2004
        return None
    if fields[place].value > _DAYS or fields[0].text[-1:] in _APOSTROPHES:
        return Slot.YEAR
    further = any(item.slot in {Slot.SUFFIX, Slot.NUMBER} for item in fields[place + 1 :])
    return Slot.DAY if further or len(fields[place].text) == 1 else None


def _is_day(fields: Sequence[Field]) -> bool:
    return any(item.slot is Slot.NUMBER and len(item.text) <= 2 for item in fields)  # noqa: PLR2004


def day_first(
    texts: Sequence[str], language: str | None = None, numbers: Iterable[str] = (), note: str = ""
) -> bool:
    """Return whether a note writes numeric dates day before month.

    Every numeric date with a field over 12 votes, and every one beside a weekday that only one
    order agrees with; without a clear vote the lines of a log or a chat, whose days ascend. Else
    the language decides where its tag names a region, then
    dates with the month's name, postcodes, telephone numbers and the spelling together. In American
    English, and without any evidence, the month is first. The spelling and what the sender states
    are alike in all notes of a patient, so that these are read in one order.

    Args:
        texts: The date mentions of one note.
        language: BCP 47 tag of the note, such as ``en-GB``.
        numbers: The postcodes and telephone numbers of the note, and those that the sender states.
        note: The text of the note.
    """
    votes = sum(map(_vote, texts))
    votes = votes or _vote_of_lines(note)
    if votes:
        return votes > 0
    tag = (language or "en").replace("_", "-").casefold()
    if tag == "en":
        return leaning(texts) + place_signs(numbers) + lean_british(note) > 0
    return tag not in {"en-us", "en-ph", "fil", "en-ca"}


def _vote(text: str) -> int:
    fields = (split_fields(text) if len(text) <= _LONGEST else None) or []
    numbers = [item for item in fields if item.slot is Slot.NUMBER]
    values = [item.value for item in numbers]
    words = any(item.slot in {Slot.MONTH_WORD, Slot.DAY_WORD} for item in fields)
    if words or len(values) not in {2, 3} or values[0] > _DAYS or values[1] > _DAYS:
        return 0
    if max(values[:2]) > _MONTHS:
        return (values[0] > _MONTHS) - (values[1] > _MONTHS)
    named = [item.value for item in fields if item.slot is Slot.WEEKDAY]
    full = len(values) == 3 and len(named) == 1 and len(numbers[2].text) in {2, 4}  # noqa: PLR2004
    return _weekday_vote(values, named[0]) if full else 0


def _vote_of_lines(note: str) -> int:
    """Vote for the order in which the days ascend that lines begin with, each before a time.

    If they do in both, the one counts in which fewer days lie between the first and the last line.
    """
    stamps = [[int(part) for part in match.groups()] for match in _LINE_STAMP.finditer(note)]
    lengths: list[int] = []
    for day, month in ((1, 0), (0, 1)):
        with suppress(ValueError):
            days = [date(_full(one[2]), one[month], one[day]) for one in stamps]
            if days == sorted(days):
                lengths.append((days[-1] - days[0]).days if days else 0)
                continue
        lengths.append(_NEVER)
    return (lengths[0] > lengths[1]) - (lengths[0] < lengths[1])


def _full(year: int) -> int:
    return year + (_CENTURY if year < 100 else 0)  # noqa: PLR2004


def _weekday_vote(values: list[int], weekday: int) -> int:
    """Vote for the order under which the day has the weekday beside it, if only one does."""
    first, second, year = values[0], values[1], _full(values[2])
    agrees = [False, False]
    for order, (month, day) in enumerate(((first, second), (second, first))):
        with suppress(ValueError):
            agrees[order] = date(year, month, day).weekday() == weekday
    return agrees[1] - agrees[0]
