"""Write a known date in every form in which a note may hold it."""

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import date
from functools import lru_cache

from deidstream.models.date_reading import DateReading, Slot
from deidstream.models.mention import NoteFacts
from deidstream.models.phi.dates.calendar import MONTHS, ROMAN, remove_accents, suffix
from deidstream.models.phi.dates.meaning import find_day
from deidstream.models.phi.dates.ranges import complete, read_dates

_WORD = re.compile(r"[\W\d_]")
_ORDINAL = ("", "st", "nd", "rd", "th")
_SEPARATORS = "/-. "
_NUMERIC = ("{m}{s}{d}{s}{y}", "{d}{s}{m}{s}{y}")
_YEAR_FIRST = "{y}{s}{m}{s}{d}"
_JOINED = ("{y}{mm}{dd}", "{mm}{dd}{y}", "{dd}{mm}{y}")
_ENGLISH = (
    "{month} {d}, {y}",
    "{month} {d} {y}",
    "{d} {month} {y}",
    "{d} {month}, {y}",
    "{d} of {month} {y}",
    "{d}-{month}-{y}",
    "{d}/{month}/{y}",
    "{d}.{month}.{y}",
    "{d}{month}{y}",
)
FOREIGN_FORMS = (
    "{d} {month} {y}",
    "{d}. {month} {y}",
    "{d} de {month} de {y}",
    "{d} de {month} {y}",
    "{d}-{month}-{y}",
    "{d}/{month}/{y}",
)
"""Forms of a date with its month in another language; the year has four digits."""
_CENTURY = 100


def date_forms(text: str, seen: Collection[str] | None = None) -> frozenset[str]:
    """Return the written forms of a date, and the date as given; without accents.

    The search for them folds case and accents, and folding plain ASCII is several times faster.

    The date may have any form that notes may have it in; a time beside it is left out. A numeric
    date that may be read with either the day or the month first counts as both, a year of two
    digits as that of either century. What is not one whole date gives only itself.

    Args:
        text: The date.
        seen: Runs of digits and of folded letters of the text in which it is looked for; forms that
            cannot occur there are left out.

    >>> {"May 24, 2024", "24 de Mayo de 2024", "24.05.2024"} <= date_forms("24 mai 2024")
    True
    """
    return frozenset({text.strip()} - {""}) | whole_date_forms(text, seen)


def whole_date_forms(text: str, seen: Collection[str] | None = None) -> frozenset[str]:
    """Return what ``date_forms`` does; nothing if the text is not one whole date."""
    forms: set[str] = set()
    for day_first in (False, True):
        day = _whole_date(text.strip(), NoteFacts(day_first))
        if day is not None:
            forms.add(text.strip())
            forms.update(_forms(*day, seen))
    return frozenset(forms)


def _whole_date(text: str, facts: NoteFacts) -> tuple[date, bool] | None:
    """Read the one date of a text, and whether its century is written."""
    dates = complete(read_dates(text, facts), (), (), facts)
    if len(dates) != 1:
        return None
    with suppress(ValueError, OverflowError):
        found = find_day(dates[0].fields, dates[0].near, day_first=facts.day_first)
        return (found.day, _has_century(dates[0])) if found.whole else None
    return None


def _has_century(one: DateReading) -> bool:
    return not any(
        (item.slot is Slot.YEAR and len(item.text) == 2)  # noqa: PLR2004
        or (item.slot is Slot.COMPACT and len(item.text) == len("310211"))
        for item in one.fields
    )


def _forms(
    day: date,
    has_century: bool,  # noqa: FBT001
    seen: Collection[str] | None,
) -> Iterator[str]:
    rest = f"{day.year % _CENTURY:02d}"
    full = _full_years(day, has_century)
    for year in (*full, rest):
        yield from _keep(_joined(day, year), seen)
    days = _keep((f"{day.day}", f"{day.day:02d}"), seen)
    if not days:
        return
    english, foreign = (_keep_names(names, seen) for names in _month_names(day.month))
    months = _keep({f"{day.month}", f"{day.month:02d}"}, seen)
    for year in _keep((*full, rest), seen):
        yield from _numeric(days, months, year)
        yield from _fill_forms([*days, f"{day.day}{suffix(day.day)}"], english, year, _ENGLISH)
    roman = MONTHS[ROMAN].words[day.month - 1]
    for year in _keep(full, seen):
        yield from _fill_forms(days, foreign, year, FOREIGN_FORMS)
        yield from (f"{day.day}{sign}{roman}{sign}{year}" for sign in (".", ". ", "-", "/"))
        if day.day == 1:
            yield from _fill_forms(("1er",), foreign, year, FOREIGN_FORMS[:1])


def _keep(forms: Iterable[str], seen: Collection[str] | None) -> list[str]:
    """Keep the numbers that the searched text holds as a run of digits."""
    return [form for form in forms if seen is None or form in seen]


def _keep_names(names: Iterable[str], seen: Collection[str] | None) -> list[str]:
    """Keep the names of months of which the searched text holds the first word.

    The ending of an ordinal number may touch it: ``19thFebruary1956``.
    """
    if seen is None:
        return list(names)
    words = ((name, _WORD.split(name.lower())[0]) for name in names)
    return [name for name, word in words if any(end + word in seen for end in _ORDINAL)]


def _full_years(day: date, has_century: bool) -> tuple[str, ...]:  # noqa: FBT001
    rest = f"{day.year % _CENTURY:02d}"
    return (str(day.year),) if has_century else (f"19{rest}", f"20{rest}")


def _joined(day: date, year: str) -> Iterator[str]:
    for form in _JOINED:
        yield form.format(y=year, mm=f"{day.month:02d}", dd=f"{day.day:02d}")


def _numeric(days: Iterable[str], months: Collection[str], year: str) -> Iterator[str]:
    forms = (*_NUMERIC, _YEAR_FIRST) if len(year) > 2 else _NUMERIC  # noqa: PLR2004
    for form in forms:
        for m in months:
            for d in days:
                yield from (form.format(y=year, m=m, d=d, s=sign) for sign in _SEPARATORS)


def _fill_forms(
    days: Iterable[str], months: Iterable[str], year: str, forms: tuple[str, ...]
) -> Iterator[str]:
    for month in months:
        for d in days:
            yield from (form.format(d=d, month=month, y=year) for form in forms)


@lru_cache(maxsize=12)
def _month_names(month: int) -> tuple[set[str], set[str]]:
    """English and other names of the month, without accents; short ones also with a full stop."""
    english: set[str] = set()
    foreign: set[str] = set()
    for form, table in enumerate(MONTHS):
        if form == ROMAN:
            continue
        name = remove_accents(table.words[month - 1]).capitalize()
        names = english if table.language == "English" else foreign
        names.update({name, f"{name}."} if table.short else {name})
    return english, foreign
