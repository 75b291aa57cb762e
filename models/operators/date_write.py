"""Move a written date by a number of days and write it in the form it had."""

from dataclasses import dataclass
from datetime import date, timedelta

from deidstream.models.operators.casing import recase
from deidstream.models.operators.date_fields import Field, Slot, is_tight, month_form
from deidstream.models.operators.date_words import (
    DECADES,
    MONTHS,
    ORDINALS,
    ROMAN,
    SEASONS,
    WEEKDAYS,
    suffix,
)

REFERENCE_YEAR = 2023
"""Dates without a year move as in this one, or in the leap year after it if they need one."""
_PIVOT = 50
_MONTH, _SEASON = 30, 91


@dataclass(frozen=True, slots=True)
class Moved:
    """The new date, and whether its year, month and day all came from the text."""

    to: date
    whole: bool
    days: int


def write_moved(fields: list[Field], days: int, *, day_first: bool) -> str:
    """Write the date that lies ``days`` after the written one.

    Raises:
        ValueError: There is no such date.
        OverflowError: The new date lies outside the calendar.
    """
    compact = [item for item in fields if item.slot is Slot.COMPACT]
    if compact:
        moved = Moved(
            _compact_date(compact[0].text, day_first) + timedelta(days), whole=True, days=days
        )
    else:
        moved = _move(fields, days)
    return "".join(
        _write(fields, place, moved, day_first=day_first) for place in range(len(fields))
    )


def _values(fields: list[Field]) -> dict[Slot, int]:
    values = {item.slot: item.value for item in fields}
    for item in fields:
        if item.slot is Slot.YEAR:
            values[Slot.YEAR] = _full_year(item)
        elif item.slot is Slot.MONTH_WORD:
            values[Slot.MONTH] = item.value + 1
        elif item.slot is Slot.DAY_WORD:
            values[Slot.DAY] = item.value
    return values


def _full_year(item: Field) -> int:
    if len(item.text) > 2:  # noqa: PLR2004
        return item.value
    return item.value + (2000 if item.value < _PIVOT else 1900)


def _move(fields: list[Field], days: int) -> Moved:
    values = _values(fields)
    if Slot.DECADE in values:
        return _move_decade(fields, days)
    year, month, day = (values.get(slot) for slot in (Slot.YEAR, Slot.MONTH, Slot.DAY))
    whole = year is not None and month is not None and day is not None
    if Slot.SEASON in values:
        centre = _centre(year, values[Slot.SEASON] * 3 + 1)
        return _moved_on(centre, days, _SEASON, yearly=year is not None)
    if month is not None and day is None:
        return _moved_on(_centre(year, month), days, _MONTH, yearly=year is not None)
    if day is None:
        return Moved(date(year or REFERENCE_YEAR, 7, 1) + timedelta(days), whole=whole, days=days)
    leap = year is None and month == 2 and day == 29  # noqa: PLR2004
    old = date((year or REFERENCE_YEAR) + leap, month or 1, day)
    new = old + timedelta(days)
    if month is None and new.day == day:
        new += timedelta(1 if day < 28 else -1)  # noqa: PLR2004
    return Moved(new, whole=whole, days=days)


def _centre(year: int | None, month: int) -> date:
    return date(year or REFERENCE_YEAR, month, 15)


def _moved_on(centre: date, days: int, length: int, *, yearly: bool) -> Moved:
    """Move the centre of a month or season; one that would stay moves on by ``length`` days."""
    to = centre + timedelta(days)
    if _part(to, length) == _part(centre, length) and (to.year == centre.year or not yearly):
        to += timedelta(length if days > 0 else -length)
    return Moved(to, whole=False, days=days)


def _part(day: date, length: int) -> int:
    return day.month if length == _MONTH else (day.month % 12) // 3


def _move_decade(fields: list[Field], days: int) -> Moved:
    item = next(item for item in fields if item.slot is Slot.DECADE)
    if item.value % 10 or (len(item.text) not in {2, 4} and not item.form):
        msg = "not a decade"
        raise ValueError(msg)
    start = item.value if item.form else _full_year(item)
    return Moved(date(start + 5, 7, 1) + timedelta(days), whole=False, days=days)


def _write(fields: list[Field], place: int, moved: Moved, *, day_first: bool) -> str:
    item, to = fields[place], moved.to
    match item.slot:
        case Slot.YEAR:
            written = f"{to.year:04d}" if len(item.text) > 2 else f"{to.year % 100:02d}"  # noqa: PLR2004
        case Slot.MONTH:
            written = _padded(fields, item, to.month)
        case Slot.DAY:
            written = _written_day(fields, place, to.day)
        case Slot.COMPACT:
            written = _write_compact(item.text, to, day_first)
        case Slot.SUFFIX:
            written = recase(suffix(to.day), item.text)
        case Slot.DECADE:
            written = _write_decade(item, to)
        case _:
            written = _write_word(fields, place, moved)
    return written


def _write_word(fields: list[Field], place: int, moved: Moved) -> str:
    item, to = fields[place], moved.to
    match item.slot:
        case Slot.MONTH_WORD:
            word = MONTHS[month_form(fields, place)][to.month - 1]
            if item.form == ROMAN and item.text.isupper():
                return word.upper()
        case Slot.WEEKDAY:
            today = to.weekday() if moved.whole else (item.value + moved.days) % 7
            word = WEEKDAYS[item.form][today] + ("s" if _is_plural(item) else "")
        case Slot.SEASON:
            word = SEASONS[item.form][(to.month % 12) // 3]
        case Slot.DAY_WORD:
            word = ORDINALS[to.day - 1]
        case _:
            return item.text
    return recase(word.capitalize(), item.text)


def _is_plural(item: Field) -> bool:
    return item.text.casefold() == WEEKDAYS[item.form][item.value] + "s"


def _written_day(fields: list[Field], place: int, day: int) -> str:
    item = fields[place]
    counted = any(following.slot is Slot.SUFFIX for following in fields[place + 1 : place + 2])
    if counted and not item.text.startswith("0"):
        return str(day)
    return _padded(fields, item, day)


def _padded(fields: list[Field], item: Field, value: int) -> str:
    """Pad with a zero where the writer did, or would have as far as one can tell."""
    numbers = [other for other in fields if other.slot in {Slot.DAY, Slot.MONTH}]
    if item.text.startswith("0"):
        return f"{value:02d}"
    if len(item.text) == 1 or any(len(other.text) == 1 for other in numbers):
        return str(value)
    zeroed = any(other.text.startswith("0") for other in numbers)
    return f"{value:02d}" if zeroed or not _is_loose(fields) else str(value)


def _is_loose(fields: list[Field]) -> bool:
    """Tell whether a month's name stands apart from the day; nobody pads then."""
    for place, item in enumerate(fields):
        if item.slot is Slot.MONTH_WORD:
            return item.form == ROMAN or not is_tight(fields, place)
    return False


def _write_decade(item: Field, to: date) -> str:
    start = to.year // 10 * 10
    if item.form:
        place = (start - 1920) // 10 % len(DECADES)
        return recase(DECADES[place].capitalize(), item.text)
    return str(start) if len(item.text) == 4 else f"{start % 100:02d}"  # noqa: PLR2004


_COMPACT_ORDERS = {8: (("ymd", "mdy", "dmy"), ("ymd", "dmy", "mdy")), 6: (("mdy", "dmy", "ymd"),
                   ("dmy", "mdy", "ymd"))}  # fmt: skip


def _compact_order(text: str, day_first: bool) -> str:  # noqa: FBT001
    """Order of day, month and year in digits without separators; the first that is a date."""
    for order in _COMPACT_ORDERS[min(len(text), 8)][day_first]:
        try:
            found = _read_compact(text, order)
        except ValueError:
            continue
        if len(text) == 6 or (1800 <= found.year < 2200 and _is_time(text[8:])):  # noqa: PLR2004
            return order
    msg = "no order of the digits is a date"
    raise ValueError(msg)


def _is_time(digits: str) -> bool:
    return digits[:2] < "24" and digits[2:4] < "60" and digits[4:] < "60"


def _read_compact(text: str, order: str) -> date:
    width = 2 if len(text) == 6 else 4  # noqa: PLR2004
    values: dict[str, int] = {}
    for part in order:
        size = width if part == "y" else 2
        values[part], text = int(text[:size]), text[size:]
    year = values["y"] + (2000 if values["y"] < _PIVOT else 1900) * (width == 2)  # noqa: PLR2004
    return date(year, values["m"], values["d"])


def _compact_date(text: str, day_first: bool) -> date:  # noqa: FBT001
    return _read_compact(text, _compact_order(text, day_first))


def _write_compact(text: str, to: date, day_first: bool) -> str:  # noqa: FBT001
    """Write the digits of the date; those of a time after it stay."""
    order = _compact_order(text, day_first)
    year = f"{to.year % 100:02d}" if len(text) == 6 else f"{to.year:04d}"  # noqa: PLR2004
    written = {"y": year, "m": f"{to.month:02d}", "d": f"{to.day:02d}"}
    return "".join(written[part] for part in order) + text[8:]
