"""Write a moved date, or a moved pattern of weekdays such as ``MWF``, in the form it had."""

from collections.abc import Sequence
from datetime import date, timedelta

from deidstream.models.date_reading import UNPADDED, Field, Near, Slot
from deidstream.models.phi.dates.calendar import (
    DECADES,
    FULL,
    MONTHS,
    ORDINAL_OF,
    ORDINALS,
    ROMAN,
    SEASONS,
    UNABBREVIATED_MONTHS,
    WEEKDAYS,
    remove_accents,
    suffix,
)
from deidstream.models.phi.dates.fields import is_tight, month_form
from deidstream.models.phi.dates.holidays import fast, holiday, is_fast
from deidstream.models.phi.dates.iso_forms import write_iso_form
from deidstream.models.phi.dates.meaning import ROUGH_DAYS, Moved, move, write_rough_day
from deidstream.models.phi.dates.roles import write_compact
from deidstream.models.phi.spelled_numbers import spell, spell_year
from deidstream.models.text.runs import recase

_ALONE = Near()
_PLAIN = {Slot.MONTH_WORD: Slot.MONTH, Slot.DAY_WORD: Slot.DAY}
_MONTHS = frozenset(_PLAIN) | {Slot.MONTH}
_ABBREVIATED = frozenset(form for form, table in enumerate(MONTHS) if table.short)
_ACCENTED = frozenset(
    remove_accents(word)
    for table in (*MONTHS, *WEEKDAYS)
    for word in table.words
    if not word.isascii()
)


def write_moved_date(
    fields: Sequence[Field], days: int, near: Near = _ALONE, *, day_first: bool
) -> str:
    """Write the date that lies ``days`` after the written one.

    Args:
        fields: With their slots.
        days: Signed.
        near: Month and year known from around the date.
        day_first: Order of digits without separators.

    Raises:
        ValueError: There is no such date.
        OverflowError: The new date lies outside the calendar.
    """
    return write(fields, move(fields, days, near, day_first=day_first), day_first=day_first)


def write(fields: Sequence[Field], moved: Moved, *, day_first: bool) -> str:
    """Write a moved date in the form of ``fields``."""
    written = [_write(fields, place, moved, day_first=day_first) for place in range(len(fields))]
    for place, month in enumerate(written[:-1]):
        is_short = fields[place].slot is Slot.MONTH_WORD and fields[place].form in _ABBREVIATED
        if (
            is_short
            and month.casefold() in UNABBREVIATED_MONTHS
            and _is_full_stop(written, place + 1)
        ):
            written[place + 1] = written[place + 1][1:]
    return "".join(written)


def add_month(fields: Sequence[Field], like: Sequence[Field]) -> Sequence[Field]:
    """Add the month to a day without one, in the place where ``like`` has it."""
    slots = [_PLAIN.get(item.slot, item.slot) for item in like]
    if Slot.DAY not in slots or Slot.MONTH not in slots:
        return fields
    day, month = slots.index(Slot.DAY), slots.index(Slot.MONTH)
    place = next(i for i, item in enumerate(fields) if item.slot in {Slot.DAY, Slot.DAY_WORD})
    counted = fields[place + 1 : place + 2]
    own = [fields[place], *(item for item in counted if item.slot is Slot.SUFFIX)]
    between = [
        item for item in like[min(day, month) + 1 : max(day, month)] if item.slot is not Slot.SUFFIX
    ]
    whole = [*own, *between, like[month]] if day < month else [like[month], *between, *own]
    return [*fields[:place], *whole, *fields[place + len(own) :]]


def _is_full_stop(written: list[str], place: int) -> bool:
    """Distinguish the dot of ``Apr. 3`` from that of ``3.Apr.2024``."""
    return written[place].startswith(". ") or (written[place] == "." and place == len(written) - 1)


def _write(fields: Sequence[Field], place: int, moved: Moved, *, day_first: bool) -> str:
    item, to = fields[place], moved.to
    match item.slot:
        case Slot.YEAR:
            written = _written_year(item, to.year)
        case Slot.MONTH:
            written = _pad_number(fields, item, to.month)
        case Slot.DAY:
            written = _written_day(fields, place, to.day)
        case Slot.COMPACT:
            written = write_compact(item.text, to, day_first)
        case Slot.SUFFIX:
            quarter = any(other.slot is Slot.QUARTER for other in fields)
            counted = to.month if fields[place - 1].slot is Slot.MONTH else to.day
            ending = suffix(_quarter(moved) if quarter else counted)
            if item.text.casefold() == "er":
                ending = "er" if to.day == 1 else ""
            written = recase(ending, item.text)
        case Slot.DECADE:
            written = _write_decade(item, to.year)
        case _:
            written = _write_word(fields, place, moved)
    return written


def _write_word(fields: Sequence[Field], place: int, moved: Moved) -> str:
    item, to = fields[place], moved.to
    match item.slot:
        case Slot.MONTH_WORD:
            word = MONTHS[month_form(fields, place)].words[to.month - 1]
        case Slot.WEEKDAY:
            today = to.weekday() if moved.whole else (item.value + moved.days) % 7
            word = WEEKDAYS[item.form].words[today] + ("s" if _is_plural(item) else "")
        case Slot.SEASON:
            word = SEASONS[item.form][(to.month % 12) // 3]
        case Slot.QUARTER:
            word = ORDINALS[_quarter(moved) - 1] if item.form else str(_quarter(moved))
        case Slot.DAY_WORD:
            word = ORDINALS[to.day - 1]
        case Slot.ISO:
            return write_iso_form(item.text, to)
        case _:
            return _write_text(fields, item, moved)
    singular = item.text[:-1] if item.slot is Slot.WEEKDAY and _is_plural(item) else item.text
    if singular.casefold() in _ACCENTED:
        word = remove_accents(word)
    # One capital letter is no case pattern to recase, but V among Roman numbers is.
    is_roman = item.slot is Slot.MONTH_WORD and item.form == ROMAN
    return (
        word.upper() if is_roman and item.text.isupper() else recase(word.capitalize(), item.text)
    )


def _write_text(fields: Sequence[Field], item: Field, moved: Moved) -> str:
    """Write a feast, or what is no part of a date; the part of a month is that moved into."""
    if item.slot is Slot.HOLIDAY:
        return _write_holiday(item.text, moved)
    slots = {_PLAIN.get(other.slot, other.slot) for other in fields}
    rough = item.text.casefold() in ROUGH_DAYS and Slot.MONTH in slots and Slot.DAY not in slots
    return recase(write_rough_day(moved.to.day).capitalize(), item.text) if rough else item.text


def _write_holiday(text: str, moved: Moved) -> str:
    """Write the plain date: hardly ever does another holiday fall on it.

    Of a fast the weeks from the first to the last day are written, as an event may lie within it.
    """
    found = holiday(text)
    with_year = found is not None and found[1] is not None
    days = sorted({moved.to + timedelta(step) for step in fast(text)})
    plain = " to ".join(_write_plain(day, with_year=with_year) for day in days)
    return recase(f"weeks from {plain}" if is_fast(text) else plain, text)


def _write_plain(day: date, *, with_year: bool) -> str:
    plain = f"{MONTHS[FULL].words[day.month - 1].capitalize()} {day.day}"
    return f"{plain}, {day.year}" if with_year else plain


def _quarter(moved: Moved) -> int:
    return (moved.to.month - 1) // 3 + 1


def _is_plural(item: Field) -> bool:
    return item.text.casefold() == WEEKDAYS[item.form].words[item.value] + "s"


def _written_year(item: Field, year: int) -> str:
    if item.text.isdigit():
        return f"{year:04d}" if len(item.text) > 2 else f"{year % 100:02d}"  # noqa: PLR2004
    return recase(spell_year(year, item.text), item.text)


def _written_day(fields: Sequence[Field], place: int, day: int) -> str:
    item = fields[place]
    counted = any(following.slot is Slot.SUFFIX for following in fields[place + 1 : place + 2])
    if counted and not item.text.startswith("0"):
        return str(day)
    return _pad_number(fields, item, day)


def _pad_number(fields: Sequence[Field], item: Field, value: int) -> str:
    """Pad with a zero where the writer did, or would have as far as one can tell.

    A number that is spelled out is spelled.
    """
    if item.text.casefold() in ORDINAL_OF:
        return recase(ORDINALS[value - 1], item.text)
    if item.text.isalpha() or " " in item.text:
        return recase(spell(value).replace("-", " "), item.text)
    numbers = [other for other in fields if other.slot in {Slot.DAY, Slot.MONTH}]
    if item.text.startswith("0"):
        return f"{value:02d}"
    if item.form == UNPADDED or any(len(other.text) == 1 for other in numbers):
        return str(value)
    if not any(item.slot in _MONTHS for item in fields):
        return str(value)
    zeroed = any(other.text.startswith("0") for other in numbers)
    return f"{value:02d}" if zeroed or not _is_loose(fields) else str(value)


def _is_loose(fields: Sequence[Field]) -> bool:
    """Return whether a month's name is separated from the day; days are not padded then."""
    for place, item in enumerate(fields):
        if item.slot is Slot.MONTH_WORD:
            return item.form == ROMAN or not is_tight(fields, place)
    return False


def _write_decade(item: Field, year: int) -> str:
    start = year // 10 * 10
    if item.form:
        place = (start - 1920) // 10 % len(DECADES)
        return recase(DECADES[place].capitalize(), item.text)
    return str(start) if len(item.text) == 4 else f"{start % 100:02d}"  # noqa: PLR2004


_LETTERS = ("M", "T", "W", "Th", "F", "S", "Su")
_SHORT_NAMES = tuple(word.capitalize() for word in WEEKDAYS[1].words)
_READ = {"M": 0, "T": 1, "TU": 1, "W": 2, "TH": 3, "R": 3, "F": 4, "S": 5, "SA": 5, "SU": 6} | {
    word.upper(): day for day, word in enumerate(_SHORT_NAMES)
}
_BETWEEN = frozenset("/-, &.")
_LONGEST = 24


def rotate_pattern(text: str, days: int) -> str | None:
    """Move each weekday of a pattern by ``days``; ``None`` if the text is no such pattern.

    >>> rotate_pattern("MWF", 1), rotate_pattern("T/Th", -1), rotate_pattern("Mt", 1)
    ('TThS', 'M/W', None)
    >>> rotate_pattern("T/Th/Sat", 2)
    'Th/S/Mon'
    """
    if len(text) > _LONGEST or not any(map(str.isalpha, text)) or not text[:1].isupper():
        return None
    written: list[str] = []
    place, before = 0, -1
    while place < len(text):
        if text[place] in _BETWEEN:
            written.append(text[place])
            place += 1
            continue
        starts = (text[place : place + n] for n in (3, 2, 1))
        letters = next((one for one in starts if one.upper() in _READ), text[place])
        size = len(letters)
        if letters.upper() not in _READ or not letters[0].isupper():
            return None
        day = _READ[letters.upper()]
        # A second T can only be Thursday.
        before = 3 if day == before == 1 else day
        names = _LETTERS if size < len("Sat") else _SHORT_NAMES
        written.append(names[(before + days) % 7])
        place += size
    return "".join(written)
