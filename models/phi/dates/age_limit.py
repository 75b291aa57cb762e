"""Years that show somebody to be over the cap, such as ``born 1931`` in a note of 2024.

Source: 45 CFR 164.514(b)(2)(i)(C): "all ages over 89 and all elements of dates (including year)
indicative of such age".
"""

import unicodedata
from collections.abc import Sequence

from deidstream.models.mention import NoteFacts, NoteYears
from deidstream.models.phi.dates.fields import Field, Slot
from deidstream.models.phi.dates.ranges import read_all
from deidstream.models.phi.dates.read_date import LONGEST
from deidstream.models.phi.read_age import read_age

_FIRST, _LAST = 1800, 2199
_AHEAD = 5
"""A year of two digits may lie so far after the note, as that of an appointment does."""
_CENTURY, _DECADE = 100, 10
_COMPACT = 8


def note_years(authored_at: str | None, dates: Sequence[str], ages: Sequence[str]) -> NoteYears:
    """Gather what a note says of when it was written and of how old people in it are.

    Args:
        authored_at: The moment of writing as it came, ISO 8601.
        dates: The date mentions of the note.
        ages: Its age mentions.
    """
    authored = years_of((authored_at or "").strip()[:_DECADE], NoteFacts())
    told = [year for text in dates for year in years_of(text, NoteFacts())]
    read_ages = [age.years for age in map(read_age, ages) if age]
    return NoteYears(
        max(authored, default=None), max(told, default=None), max(read_ages, default=0)
    )


def years_of(text: str, facts: NoteFacts) -> list[int]:
    """Years that a date names, as they come; of a decade the first.

    A year of two digits is that of the century which the years of ``facts`` make likely; where
    they say nothing, it is left out.
    """
    text = unicodedata.normalize("NFKC", text) if len(text) <= LONGEST else ""
    fields = read_all(text, facts) or []
    known = (_year(item, facts.years) for item in fields)
    return [year for year in known if year is not None and _FIRST <= year <= _LAST]


def is_decade(text: str) -> bool:
    """Tell whether a date with a year is a decade, such as ``1930s``."""
    fields = read_all(unicodedata.normalize("NFKC", text), NoteFacts()) or []
    return any(item.slot is Slot.DECADE for item in fields)


def _year(item: Field, years: NoteYears) -> int | None:
    if item.slot is Slot.COMPACT and len(item.text) >= _COMPACT:
        first, last = int(item.text[:4]), int(item.text[4:_COMPACT])
        return first if _FIRST <= first <= _LAST else last
    if item.slot not in {Slot.YEAR, Slot.DECADE}:
        return None
    if item.value >= _CENTURY:
        return item.value if not (item.slot is Slot.DECADE and item.form) else None
    written = years.authored or years.latest
    if written is None or item.slot is Slot.DECADE:
        return None
    year = (written + _AHEAD) // _CENTURY * _CENTURY + item.value
    return year if year <= written + _AHEAD else year - _CENTURY


def shows_age(year: int, years: NoteYears, cap: int) -> bool:
    """Tell whether somebody alive in ``year`` is surely over the cap when the note is written."""
    written = years.authored or years.latest
    return written is not None and written - year > cap


def may_show_age(years: NoteYears, cap: int) -> bool:
    """Tell whether any year may be that of a birth more than ``cap`` years ago.

    It may in a note that names such an age and did not come with its own date.
    """
    return years.authored is None and years.oldest > cap


def last_year_over(years: NoteYears, cap: int) -> int:
    """Year in or before which everybody over the cap was born; only where ``shows_age`` holds."""
    return (years.authored or years.latest or 0) - cap - 1
