"""Dates and ages in every written form, moved together within a note."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from deidstream.models.date_reading import Field, Slot
from deidstream.models.mention import NoteFacts
from deidstream.models.phi.dates.calendar import (
    DECADES,
    FRENCH,
    FULL,
    GERMAN,
    MONTHS,
    ORDINALS,
    ROMAN,
    SEASONS,
    SHORT,
    SHORT_SEPT,
    SPANISH,
    WEEKDAYS,
    suffix,
)  # fmt: skip
from deidstream.models.phi.dates.holidays import HOLIDAYS, holiday
from deidstream.models.phi.dates.meaning import REFERENCE_YEAR
from deidstream.models.phi.dates.read_date import read_fields
from deidstream.models.phi.dates.write_date import rotate_pattern, write_moved_date
from deidstream.models.text.runs import recase
from deidstream.study.corpus.fillers.word_lists import Pen, Site, read_symbols

_LONGEST = 60
_FAR = 4000
"""Most days by which a note's dates move."""
_PIVOT = 50

_DMY, _MD, _MY, _Y, _M, _W, _D = "full", "day", "month", "year", "bare month", "weekday", "bare day"

_FORMS = read_symbols("fillers.dates.txt")
_CLASSES: Mapping[frozenset[Slot], str] = {
    frozenset({Slot.YEAR, Slot.MONTH, Slot.DAY}): _DMY,
    frozenset({Slot.MONTH, Slot.DAY}): _MD,
    frozenset({Slot.YEAR, Slot.MONTH}): _MY,
    frozenset({Slot.YEAR}): _Y,
    frozenset({Slot.MONTH}): _M,
}
_SAME = {Slot.MONTH_WORD: Slot.MONTH, Slot.DAY_WORD: Slot.DAY}
_MARKS = frozenset({Slot.TEXT, Slot.SUFFIX, Slot.WEEKDAY})
_SMALL = {"of", "the", "and", "de"}
_LETTERS = ("MWF", "TTS", "TThS", "M/W/F", "T/Th/S", "T/Th", "M-W-F", "MTW", "W/F", "M/Th", "MTThF")
_OTHER = (
    "{season}",
    "{season} {Y}",
    "{season} of {Y}",
    "{decade}",
    "{feast}",
    "{feast} {Y}",
    "{days}",
)


def _days_off() -> tuple[str, ...]:
    named = {"new years": "New Year's", "mlk": "MLK", "valentines": "Valentine's",
             "presidents": "Presidents'", "mothers": "Mother's", "fathers": "Father's",
             "veterans": "Veterans", "st patricks": "St. Patrick's", "xmas": "Xmas"}  # fmt: skip
    dayed = {"new years", "mlk", "valentines", "presidents", "mothers", "fathers", "veterans",
             "memorial", "labor", "labour", "independence", "columbus", "st patricks", "boxing",
             "canada", "australia", "anzac", "victoria", "remembrance", "groundhog"}  # fmt: skip
    left_out = {"may", "new year", "martin luther king", "st davids", "lent", "advent", "ascension"}
    return tuple(
        _capitals(named.get(key, key)) + (" Day" if key in dayed else "")
        for key in sorted(HOLIDAYS.keys() - left_out)
    )


def _capitals(text: str) -> str:
    return " ".join(w if w in _SMALL else w[:1].upper() + w[1:] for w in text.split())


_HOLIDAYS = _days_off()


def like_date(pen: Pen, site: Site) -> str | None:
    """Move a date as all dates of the note move, in its own form; ``None`` if it is unread."""
    text, day_first = site.text, site.day_first
    if len(text) > _LONGEST:
        return None
    try:
        if holiday(text):
            return _holiday_day(pen, text)
        fields = read_fields(text, NoteFacts(day_first))
        if fields is None:
            return rotate_pattern(text, _shift(pen))
        return write_moved_date(fields, _shift(pen), day_first=day_first)
    except (ValueError, OverflowError):
        return None


def reform_date(pen: Pen, site: Site) -> str | None:
    """Move a date and write it in another form; dates written alike stay alike.

    ``None`` for what is no date of numbers or names of months and weekdays.
    """
    known = len(site.text) > _LONGEST or holiday(site.text)
    fields = None if known else read_fields(site.text, NoteFacts(site.day_first))
    if fields is None:
        return None
    values = _read_values(fields)
    kind = _classify(fields, values)
    if not kind:
        return None
    shape = " ".join(item.slot.name for item in fields) + str(site.text.isupper())
    form = pen.recall("date form", kind + shape, lambda: pen.pick(_FORMS[kind]))
    moved = _move_date(pen, values)
    return recase(_write_form(pen, form, *moved), site.text) if moved else None


def _move_date(pen: Pen, values: Mapping[Slot, int]) -> tuple[date, int] | None:
    """Move a date and its weekday by the note's shift; missing parts get middle values."""
    year = values.get(Slot.YEAR, REFERENCE_YEAR)
    try:
        old = date(year, values.get(Slot.MONTH, 7), values.get(Slot.DAY, 15))
        new = old + timedelta(_shift(pen))
    except (ValueError, OverflowError):
        return None
    whole = {Slot.YEAR, Slot.MONTH, Slot.DAY} <= values.keys()
    turned = (values.get(Slot.WEEKDAY, old.weekday()) + _shift(pen)) % 7
    return new, new.weekday() if whole else turned


def fresh_date(pen: Pen) -> str:
    """Write a date, or part of one, in any form."""
    day = date(1925, 1, 1) + timedelta(int(41_000 * pen.rng.random() ** 0.5))
    kind = pen.pick((_DMY,) * 10 + (_MD,) * 6 + (_MY,) * 3 + (_Y, _Y, _M, _W, _W, _D, "other"))
    form = pen.pick(_OTHER if kind == "other" else _FORMS[kind])
    written = _write_form(pen, form, day, day.weekday())
    return pen.pick((written,) * 12 + (written.upper(), written.lower()))


def _shift(pen: Pen) -> int:
    return pen.number("days", -_FAR, _FAR) or 1


def _read_values(fields: Sequence[Field]) -> dict[Slot, int]:
    """Numbers by slot: years in full, months from 1, weekdays from 0."""
    values: dict[Slot, int] = {}
    for item in fields:
        slot = _SAME.get(item.slot, item.slot)
        values[slot] = item.value + (item.slot is Slot.MONTH_WORD)
        if slot is Slot.YEAR and len(item.text) == 2:  # noqa: PLR2004
            values[slot] += 2000 if item.value < _PIVOT else 1900
    return values


def _classify(fields: Sequence[Field], values: Mapping[Slot, int]) -> str:
    """Return which parts of a date are written; empty if they must keep their form."""
    worded = any(item.slot is Slot.TEXT and any(map(str.isalpha, item.text)) for item in fields)
    if worded and not values.keys() & {Slot.DAY}:
        return ""
    slots = frozenset(values.keys() - _MARKS)
    if not slots and Slot.WEEKDAY in values:
        plural = any(item.text.casefold().endswith("days") for item in fields)
        return "" if plural else _W
    if slots == frozenset({Slot.DAY}) and Slot.WEEKDAY in values:
        return _D
    return _CLASSES.get(slots, "")


def _write_form(pen: Pen, form: str, day: date, weekday: int) -> str:
    short = pen.pick(("1", "1", "2", "3"))
    abbreviated = _month(SHORT_SEPT if short == "2" else SHORT, day).capitalize()
    fields = {
        "Y": day.year, "y": f"{day.year % 100:02d}", "m": day.month, "mm": f"{day.month:02d}",
        "d": day.day, "dd": f"{day.day:02d}", "th": f"{day.day}{suffix(day.day)}",
        "ord": ORDINALS[day.day - 1], "Month": _month(FULL, day).capitalize(),
        "Mon": abbreviated, "MON": abbreviated[:3].upper(), "rom": _month(ROMAN, day).upper(),
        "mois": _month(FRENCH, day), "mes": _month(SPANISH, day),
        "Monat": _month(GERMAN, day).capitalize(),
        "Wd": WEEKDAYS[FULL].words[weekday].capitalize(),
        "Wk": WEEKDAYS[int(short)].words[weekday].capitalize(),
        "season": pen.pick(SEASONS[day.year % 2]), "feast": pen.pick(_HOLIDAYS),
        "decade": pen.pick((f"{day.year // 10}0s", f"'{day.year // 10 % 10}0s", pen.pick(DECADES))),
        "days": pen.pick(_LETTERS),
    }  # fmt: skip
    return form.format_map(fields).replace("May.", "May")


def _month(form: int, day: date) -> str:
    return MONTHS[form].words[day.month - 1]


def _holiday_day(pen: Pen, text: str) -> str:
    found = holiday(text)
    year = found[1] if found else None
    named = pen.pick(_HOLIDAYS)
    return recase(f"{named} {year + _shift(pen) // 366}" if year else named, text)
