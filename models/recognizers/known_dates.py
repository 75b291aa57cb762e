"""Write a known date in every form in which a note may hold it."""

import re2

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_SHORT = 3
_YEAR_DIGITS = 4
_NUMBERS = re2.compile("[0-9]+|[A-Za-z]+")
_MOST_DAYS, _MOST_MONTHS = 31, 12
_CENTURY = 100
_NUMERIC = "/-. "


def date_forms(date: str) -> frozenset[str]:
    """Return the written forms of a date, and the date as given.

    Reads ``2031-02-11``, ``20310211``, ``2/11/2031``, ``11.02.31``, ``11 Feb 2031`` and ``February
    11, 2031``. A numeric date that may be read with either the day or the month first counts as
    both. What cannot be read gives only itself.
    """
    forms = {date.strip()} - {""}
    for year, month, day in _readings(date):
        forms |= _numeric(year, month, day) | _worded(year, month, day)
    return frozenset(forms)


def _readings(date: str) -> set[tuple[int, int, int]]:
    parts = _NUMBERS.findall(date.partition("T")[0] if date[:1].isdigit() else date)
    if len(parts) == 1 and len(parts[0]) == len("20310211"):
        parts = [parts[0][:4], parts[0][4:6], parts[0][6:]]
    numbers = [int(part) for part in parts if part.isascii() and part.isdigit()]
    months = [place for part in parts if part.isalpha() and (place := _month(part))]
    return {reading for reading in _orders(parts, numbers, months) if _is_date(reading)}


def _orders(parts: list[str], numbers: list[int], months: list[int]) -> list[tuple[int, int, int]]:
    if months and len(numbers) > 1:
        one, other = numbers[0], numbers[1]
        return [(one, months[0], other), (other, months[0], one)]
    if len(numbers) < _SHORT:
        return []
    one, two, three = numbers[:3]
    if len(parts[0]) == _YEAR_DIGITS:
        return [(one, two, three)]
    return [(three, one, two), (three, two, one)]


def _month(word: str) -> int:
    starts = [month[:_SHORT].lower() for month in _MONTHS]
    start = word[:_SHORT].lower()
    return starts.index(start) + 1 if start in starts else 0


def _is_date(reading: tuple[int, int, int]) -> bool:
    year, month, day = reading
    in_year = 1 <= month <= _MOST_MONTHS and 1 <= day <= _MOST_DAYS
    return in_year and (year < _CENTURY or year > 10 * _CENTURY)


def _years(year: int) -> tuple[str, ...]:
    if year >= _CENTURY:
        return str(year), f"{year % _CENTURY:02d}"
    return f"{year:02d}", f"19{year:02d}", f"20{year:02d}"


def _numeric(year: int, month: int, day: int) -> set[str]:
    forms: set[str] = set()
    for written in _years(year):
        padded, bare = (f"{month:02d}", f"{day:02d}"), (str(month), str(day))
        for m, d in (padded, bare, (padded[0], bare[1]), (bare[0], padded[1])):
            forms |= {
                s.join(order) for s in _NUMERIC for order in ((m, d, written), (d, m, written))
            }
            if len(written) == _YEAR_DIGITS:
                forms |= {s.join((written, m, d)) for s in _NUMERIC}
        forms.add(f"{written}{padded[0]}{padded[1]}")
        forms |= {f"{padded[0]}{padded[1]}{written}", f"{padded[1]}{padded[0]}{written}"}
    return forms


def _worded(year: int, month: int, day: int) -> set[str]:
    full = _MONTHS[month - 1]
    names = {full, full[:_SHORT], full[:_SHORT] + "."} | (
        {"Sept", "Sept."} if full == "September" else set()
    )
    days = {str(day), f"{day:02d}", f"{day}{_ordinal(day)}"}
    forms: set[str] = set()
    for written in _years(year):
        for name in names:
            for d in days:
                forms |= {
                    f"{name} {d}, {written}",
                    f"{name} {d} {written}",
                    f"{d} {name} {written}",
                }
                forms |= {f"{d} {name}, {written}", f"{d}-{name}-{written}", f"{d}{name}{written}"}
                forms |= {
                    f"{d} of {name} {written}",
                    f"{d}/{name}/{written}",
                    f"{d}.{name}.{written}",
                }
    return forms


def _ordinal(day: int) -> str:
    if day in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
