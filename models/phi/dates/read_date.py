"""Read one written date: its fields, and the time beside it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

import re2

from deidstream.models.date_reading import DateReading, Field, Slot
from deidstream.models.mention import NoteFacts
from deidstream.models.phi.dates.calendar import are_day_letters
from deidstream.models.phi.dates.fields import join_fields, join_spelled_numbers, split_fields
from deidstream.models.phi.dates.holidays import holiday
from deidstream.models.phi.dates.iso_forms import is_iso_form
from deidstream.models.phi.dates.roles import are_possible, assign
from deidstream.models.text.characters import SLASHES

LONGEST = 80
"""Most characters of a date; longer text is read as none."""
_HOLIDAY_WORDS = 4
_SLASHES = dict.fromkeys(map(ord, SLASHES), "/")

_HOUR, _MINUTE = r"(?:[01]?\d|2[0-4])", r"[0-5]\d"
_NAMED_ZONE = (
    r"\s?(?:Z|UTC|GMT|BST|WES?T|CES?T|EES?T|[ECMP][SD]?T|AK[SD]T|HST|IST|SAST|A[CEW][SD]?T"
    r"|NZ[SD]T)\b"
)
_ZONE = rf"(?:{_NAMED_ZONE}|\s?[+-]\d{{2}}:?\d{{2}})"
_HALF = r"\s?[ap]\.?m\b\.?"
_HOURS = r"\s?(?:hours|hrs|hr|h|uhr)\b\.?"
_CLOCK = rf"{_HOUR}:{_MINUTE}(?::{_MINUTE}(?:[.,]\d{{1,6}})?)?(?:{_HALF}|{_HOURS})?(?:{_ZONE})?"
_DIGITS = rf"(?:[01]\d|2[0-3]){_MINUTE}"
_DASH = r"\s?(?:-|\x{2013}|to)\s?"
_TIME = rf"(?:{_CLOCK}|{_HOUR}(?:[.:]?{_MINUTE})?(?:{_HALF}|{_HOURS})(?:{_ZONE})?|noon|midnight)"
_LATER = re2.compile(
    rf"(?i)(?:,?\s+(?:at\s+|from\s+)?|\s*@\s*)"
    rf"(?:{_TIME}{_DASH})?{_TIME}$"
)
_LATER_ISO = re2.compile(
    rf"(?i)\d(T(?:{_CLOCK}|\d{{2}}(?:\d{{2}}(?:\d{{2}})?)?(?:\.\d{{1,6}})?(?:{_ZONE})?))$"
)
_LATER_AGE = re2.compile(r"(?i)[0-9] ?/ ?(?:0[0-9]{2}y?|[0-9]{1,2}y)$")
"""Behind a date of birth, the age in three digits or with its unit; it stays, as ages do."""
_LATER_DIGITS = re2.compile(rf"(?i)\s(?:at\s)?{_DIGITS}(?:{_DASH}{_DIGITS}|{_NAMED_ZONE})?$")
_EARLIER = re2.compile(
    rf"(?i)^(?:{_HOUR}:{_MINUTE}(?::{_MINUTE})?(?:{_HALF}|{_HOURS})?|{_HOUR}\s?[ap]\.?m\.?|noon"
    rf"|midnight),?\s+(?:on\s+)?"
)
_EARLIER_DIGITS = re2.compile(rf"(?i)^{_DIGITS}(?:{_DASH}{_DIGITS})?h?\s(?:on\s)?")
_YEARS_AFTER = re2.compile(r"\b(?:1[89]|20|21)\d\d\b")
_CALENDAR = frozenset({Slot.YEAR, Slot.MONTH_WORD, Slot.WEEKDAY, Slot.HOLIDAY})
_FOUR_DIGITS = re.compile(r"\d{4}")
_ZONED = re2.compile(rf"^\d{{12}}(?:\d{{2}})?((?:\.\d{{1,6}})?(?:{_ZONE})?)$")

_WORD = re.compile(r"[^\W\d_]+")
_NUMERIC = re.compile(r"[0-9]{1,4}(?:[/.-][0-9]{1,4}){0,2}")
"""A date that surely has no time beside it and is no holiday: most are written so."""


def normalise(text: str) -> str:
    """Normal form in which dates are read and written: NFKC, each slash the plain one."""
    return unicodedata.normalize("NFKC", text).translate(_SLASHES)


def holds_date(text: str) -> bool:
    """Return whether any of a text is of a date: a digit, a word of the calendar, or a feast.

    >>> holds_date("late spring"), holds_date("Diwali"), holds_date("Humira")
    (True, True, False)
    """
    words = _WORD.findall(text)
    return any(map(str.isdigit, text)) or bool(holiday(text)) or any(map(_is_of_dates, words))


def _is_of_dates(word: str) -> bool:
    fields = split_fields(word)
    named = fields is not None and any(item.slot is not Slot.TEXT for item in fields)
    return named or holiday(word) is not None or are_day_letters(word.lower())


def names_calendar(text: str) -> bool:
    """Return whether a text is one date with a year, a month or weekday in words, or a feast.

    No score and hardly any measurement is written so.

    >>> [names_calendar(text) for text in ("2003", "10MAR", "Sat", "Easter", "3/7", "27th")]
    [True, True, True, True, False, False]
    """
    reading = read_date_and_time(normalise(text), NoteFacts())
    return reading is not None and any(item.slot in _CALENDAR for item in reading.fields)


def read_fields(text: str, facts: NoteFacts) -> list[Field] | None:
    """Cut a date without a time into fields with meaning; ``None`` if it cannot be read."""
    if is_iso_form(text):
        return [Field(Slot.ISO, text)]
    split = split_fields(text)
    fields = None if split is None else join_fields(split)
    fields = None if fields is None else assign(fields, facts)
    if split is not None and fields is None:
        said = join_spelled_numbers(split, day_first=facts.day_first)
        fields = said if said and are_possible(said) else None
    if fields is None or all(item.slot is Slot.TEXT for item in fields):
        return None
    return fields


def read_date_and_time(text: str, facts: NoteFacts) -> DateReading | None:
    """Read a date that may have a time, or be a holiday; ``None`` if it cannot be read."""
    if len(text) > LONGEST:
        return None
    if _NUMERIC.fullmatch(text):
        fields = read_fields(text, facts)
        return DateReading(tuple(fields)) if fields else None
    if holiday(text):
        return DateReading((Field(Slot.HOLIDAY, text),))
    certain, possible = _without_times(text), _without_digits(text)
    for start, end in (certain, *(possible if certain == (0, len(text)) else ())):
        if (start, end) != (0, len(text)):
            # A month of a year has no time of day.
            facts = replace(facts, year_after_month=False)
        fields = read_fields(text[start:end], facts) or _read_beside_holiday(text[start:end], facts)
        if fields and ((start, end) == certain or _has_time(fields, text[:start] + text[end:])):
            return DateReading(tuple(fields), text[:start], text[end:])
    return None


def _has_time(fields: Sequence[Field], digits: str) -> bool:
    """Return whether four digits beside a date are a time, and not its year or a second one.

    Of two of them, as in ``1900-0730``, one at least is no year.
    """
    slots = {item.slot for item in fields}
    dated = Slot.YEAR in slots or any(
        _YEARS_AFTER.fullmatch(each) is None for each in _FOUR_DIGITS.findall(digits)
    )
    return Slot.COMPACT in slots or (dated and not slots.isdisjoint({Slot.DAY, Slot.DAY_WORD}))


def _without_times(text: str) -> tuple[int, int]:
    """Find the extent of the date once all that can only be a time is cut off."""
    earlier, later = _EARLIER.search(text), _LATER.search(text)
    zoned = _LATER_ISO.search(text) or _ZONED.search(text)
    end = zoned.start(1) if zoned else later.start() if later else len(text)
    if age := _LATER_AGE.search(text):
        end = age.start() + 1
    return (earlier.end() if earlier else 0), end


def _without_digits(text: str) -> Iterator[tuple[int, int]]:
    """Find its extent if four digits at an end are a time; they may be a year as well."""
    later, earlier = _LATER_DIGITS.search(text), _EARLIER_DIGITS.search(text)
    if later:
        yield 0, later.start()
    if earlier:
        yield earlier.end(), len(text)


def _read_beside_holiday(text: str, facts: NoteFacts) -> list[Field] | None:
    """Read ``Christmas Day 25/12/2023`` without the holiday, whose name gives the day."""
    words = text.split(" ")
    for count in range(min(_HOLIDAY_WORDS, len(words) - 1), 0, -1):
        before, after = " ".join(words[:count]), " ".join(words[-count:])
        if holiday(before):
            return read_fields(" ".join(words[count:]), facts)
        if holiday(after.strip("()")):
            return read_fields(" ".join(words[:-count]).rstrip(","), facts)
    return None
