"""Years that show somebody to be over the cap, such as ``born 1931`` in a note of 2024.

Source: 45 CFR 164.514(b)(2)(i)(C): "all ages over 89 and all elements of dates (including year)
indicative of such age".
"""

from collections.abc import Iterable, Sequence

from deidstream.models.date_reading import DateReading, Field, Slot
from deidstream.models.mention import NoteFacts, NoteYears
from deidstream.models.phi.dates.calendar import PRESENT
from deidstream.models.phi.dates.holidays import holiday
from deidstream.models.phi.dates.ranges import read_dates
from deidstream.models.phi.read_age import Age

_FIRST, _LAST = 1880, 2199
"""Years; a lower number of four digits is rather a time of day, such as ``1840``."""
_AHEAD = 5
"""A year of two digits may lie so far after the note, as that of an appointment does."""
_TYPED = 1990
"""No note that is read was written before; an earlier year is that of a birth or an event."""
_CENTURY, _DECADE = 100, 10
_COMPACT = 8


def note_years(
    authored_at: str | None, dates: Iterable[Sequence[DateReading]], ages: Iterable[Age | None]
) -> NoteYears:
    """Gather the year in which a note was written, its latest year and the highest age in it.

    Args:
        authored_at: The moment of writing as it came, ISO 8601.
        dates: The date mentions of the note, as read.
        ages: Its age mentions, as read.
    """
    written = read_dates((authored_at or "").strip()[:_DECADE], NoteFacts())
    authored = years_of(written, NoteYears())
    named = [year for read in dates for year in years_of(read, NoteYears())]
    read_ages = [age.years for age in ages if age]
    return NoteYears(
        max(authored, default=None), max(named, default=None), max(read_ages, default=0)
    )


def years_of(dates: Sequence[DateReading], years: NoteYears) -> list[int]:
    """Years that a mention names, as they come; of a decade the first.

    A year of two digits is that of the century which the year of writing makes likely.
    """
    known = [_year(item, years) for one in dates for item in one.fields]
    known += [_holiday_year(one) for one in dates]
    return [year for year in known if year is not None and _FIRST <= year <= _LAST]


def is_decade(dates: Sequence[DateReading]) -> bool:
    """Return whether a date with a year is a decade, such as ``1930s``."""
    return any(item.slot is Slot.DECADE for one in dates for item in one.fields)


def _holiday_year(one: DateReading) -> int | None:
    found = holiday(one.fields[0].text) if one.fields[0].slot is Slot.HOLIDAY else None
    return found[1] if found else None


def _year(item: Field, years: NoteYears) -> int | None:
    if item.slot is Slot.COMPACT and len(item.text) >= _COMPACT:
        first, last = int(item.text[:4]), int(item.text[4:_COMPACT])
        return first if _FIRST <= first <= _LAST else last
    if item.slot is Slot.ISO:
        return int(item.text[:4])
    if item.slot not in {Slot.YEAR, Slot.DECADE}:
        return None
    if item.value >= _CENTURY:
        return item.value if not (item.slot is Slot.DECADE and item.form) else None
    if item.slot is Slot.DECADE:
        return None
    latest = (years.authored or PRESENT) + _AHEAD
    year = latest // _CENTURY * _CENTURY + item.value
    return year if year <= latest else year - _CENTURY


def shows_age(year: int, years: NoteYears, cap: int) -> bool:
    """Return whether somebody alive in ``year`` is surely over the cap when the note is written."""
    return _year_of_writing(years) - year > cap


def may_show_age(years: NoteYears, cap: int) -> bool:
    """Return whether any year may be that of a birth more than ``cap`` years ago.

    It may in a note that names such an age and did not come with its own date.
    """
    return years.authored is None and years.oldest > cap


def last_year_over(years: NoteYears, cap: int) -> int:
    """Year in or before which everybody over the cap was born."""
    return _year_of_writing(years) - cap - 1


def _year_of_writing(years: NoteYears) -> int:
    """Return the year that a note came with, else its latest if notes are of it, else this one."""
    latest = years.latest or 0
    return years.authored or (latest if latest >= _TYPED else PRESENT)
