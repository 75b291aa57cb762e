"""Decide which digits of a written date are the day, the month, the year.

The digits are separated, as in ``5/3/24``, or together: ``20240503``, ``050324``, ``202405031207``.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from deidstream.models.date_reading import UNPADDED, Field, Slot
from deidstream.models.mention import NoteFacts
from deidstream.models.phi.dates.calendar import PRESENT, ROMAN

_RANGE_MARKS = frozenset("-\u2013\u2014/&")
_APART = frozenset(",;&_?*")
_MONTHS, _DAYS = 12, 31
_MOST = {Slot.DAY: _DAYS, Slot.MONTH: _MONTHS}
_FIRST, _LAST = 1800, 2199
"""Years; other numbers of four digits are times, such as ``0730``."""
_PARTS = frozenset({Slot.SEASON, Slot.QUARTER})
"""Beside these a number is a year."""
_ONCE = (*_PARTS, Slot.DECADE, Slot.MONTH_WORD, Slot.DAY_WORD)
_Slots = dict[int, Slot]
"""Slot of a number, by its place among the fields."""


def assign(fields: Sequence[Field], facts: NoteFacts) -> list[Field] | None:
    """Give every number its slot; ``None`` where the form is not one of those known."""
    numbers = [place for place, item in enumerate(fields) if item.slot is Slot.NUMBER]
    if not _is_one_date(fields, numbers):
        return None
    slots = _slots(fields, numbers, facts) if numbers else {}
    if slots is None or len(slots) != len(numbers) or len({*slots.values()}) != len(slots):
        return None
    filled: Sequence[Field] = [
        replace(item, slot=slots[place]) if place in slots else item
        for place, item in enumerate(fields)
    ]
    worded = any(item.slot is Slot.MONTH_WORD for item in fields)
    zeroed = any(fields[place].text.startswith("0") for place in numbers)
    if facts.unpadded and not (worded or zeroed):
        filled = unpad(filled)
    return list(filled) if are_possible(filled) else None


def are_possible(fields: Sequence[Field]) -> bool:
    """Return whether no day, month or year is beyond those of a calendar."""
    return all(map(_is_possible, fields))


def unpad(fields: Sequence[Field]) -> tuple[Field, ...]:
    """Mark days and months in digits as those of a writer who does not pad with a zero."""
    return tuple(
        replace(item, form=UNPADDED)
        if item.slot in {Slot.DAY, Slot.MONTH} and item.text[:1] != "0"
        else item
        for item in fields
    )


def _is_one_date(fields: Sequence[Field], numbers: Sequence[int]) -> bool:
    """Return whether no part is named twice, and no Roman number is alone."""
    named = Counter(item.slot for item in fields)
    if any(named[slot] > 1 for slot in _ONCE):
        return False
    return bool(numbers) or not any(
        item.slot is Slot.MONTH_WORD and item.form == ROMAN for item in fields
    )


def _is_possible(item: Field) -> bool:
    if item.slot is Slot.YEAR:
        return len(item.text) == 2 or _FIRST <= item.value <= _LAST  # noqa: PLR2004
    most = _MOST.get(item.slot)
    return most is None or 1 <= item.value <= most


def _is_year(fields: Sequence[Field], place: int) -> bool:
    text = fields[place].text
    quoted = place > 0 and fields[place - 1].text[-1:] in {"'", "\u2019", "\u2018"}
    named = any(item.slot is Slot.MONTH_WORD for item in fields[:place])
    beyond = int(text) > _DAYS or (named and not int(text))
    return len(text) == 4 or (len(text) == 2 and (quoted or beyond))  # noqa: PLR2004


def _slots(fields: Sequence[Field], numbers: Sequence[int], facts: NoteFacts) -> _Slots | None:
    """Find the slot of each number, by its place; ``None`` where the form is unknown."""
    written = {item.slot for item in fields}
    # Of "second of the fifth 49" day and month are read already.
    if not written.isdisjoint(_PARTS | {Slot.MONTH}):
        return {numbers[0]: Slot.YEAR}
    if not written.isdisjoint({Slot.MONTH_WORD, Slot.DAY_WORD}):
        return _beside_word(fields, numbers, facts)
    match numbers:
        case [only]:
            return _single(fields, only)
        case [first, second] if _are_short(fields, numbers):
            return _pair(fields, first, second, facts)
        case [_, _, _] if _are_short(fields, numbers) and not _is_mixed(fields, numbers):
            return _triple(fields, numbers, facts)
        case _:
            return None


def _are_short(fields: Sequence[Field], numbers: Sequence[int]) -> bool:
    return all(len(fields[place].text) in {1, 2, 4} for place in numbers)


def _beside_word(
    fields: Sequence[Field], numbers: Sequence[int], facts: NoteFacts
) -> _Slots | None:
    """Numbers beside a month's name: a day, then a year."""
    if not _are_short(fields, numbers) or _ranges(fields) or _leads_twice(fields, numbers):
        return None
    if facts.year_after_month and _is_month_of_year(fields, numbers):
        return {numbers[0]: Slot.YEAR}
    slots: _Slots = {}
    day_known = any(item.slot is Slot.DAY_WORD for item in fields)
    for place in numbers:
        counted = any(item.slot is Slot.SUFFIX for item in fields[place + 1 : place + 2])
        if _is_year(fields, place) or (day_known and not counted):
            slots[place] = Slot.YEAR
        else:
            slots[place] = Slot.DAY
            day_known = True
    return slots


def _is_month_of_year(fields: Sequence[Field], numbers: Sequence[int]) -> bool:
    """Return whether a month and two digits are all there is, and the year is none to come."""
    words = [item.slot for item in fields if item.slot not in {Slot.TEXT, Slot.NUMBER}]
    only = fields[numbers[0]]
    ahead = fields[0].slot is Slot.NUMBER or only.value > PRESENT % 100 + 1
    return words == [Slot.MONTH_WORD] and len(numbers) == 1 and len(only.text) == 2 and not ahead  # noqa: PLR2004


def _leads_twice(fields: Sequence[Field], numbers: Sequence[int]) -> bool:
    """Return whether two days are written before one month, as in ``24, 25 June``."""
    word = next((i for i, item in enumerate(fields) if item.slot is Slot.MONTH_WORD), 0)
    return sum(place < word and len(fields[place].text) < 4 for place in numbers) > 1  # noqa: PLR2004


def _ranges(fields: Sequence[Field]) -> bool:
    """Return whether two days are written beside one month: ``May 3-5``, not ``MAY-3-2024``."""
    return any(
        left.slot is right.slot is Slot.NUMBER
        and len(right.text) < 4  # noqa: PLR2004
        and set(mark.text.split()) & _RANGE_MARKS
        for left, mark, right in zip(fields, fields[1:], fields[2:], strict=False)
    )


def _is_mixed(fields: Sequence[Field], numbers: Sequence[int]) -> bool:
    """Return whether a range is written like ``5/3-10``; a misread ``5/3-2024`` is one date."""
    marks = {fields[place + 1].text.strip() for place in numbers[:2]}
    return len(marks) > 1 and "" not in marks and all(len(fields[i].text) < 4 for i in numbers)  # noqa: PLR2004


def _single(fields: Sequence[Field], place: int) -> _Slots | None:
    length = len(fields[place].text)
    if length in {6, 8, 12, 14}:
        return {place: Slot.COMPACT}
    if _is_year(fields, place):
        return {place: Slot.YEAR}
    return {place: Slot.DAY} if length <= 2 and not _is_torn(fields) else None  # noqa: PLR2004


def _pair(fields: Sequence[Field], first: int, second: int, facts: NoteFacts) -> _Slots | None:
    if len(fields[first].text) == 4:  # noqa: PLR2004
        return {first: Slot.YEAR, second: Slot.MONTH}
    between = fields[first + 1 : second]
    if _is_year(fields, second):
        counted = any(item.slot is Slot.SUFFIX or "," in item.text for item in between)
        return {first: Slot.DAY if counted else Slot.MONTH, second: Slot.YEAR}
    if not _are_signs(between) or _is_torn(fields):
        return None
    # A full stop after both is how German and its neighbours count days and months.
    if {item.text for item in fields[first + 1 :] if item.slot is Slot.TEXT} == {"."} and (
        len(fields) > second + 1
    ):
        facts = replace(facts, day_first=True)
    return _day_and_month(fields, first, second, facts)


def _are_signs(between: Sequence[Field]) -> bool:
    """Return whether a sign joins two numbers; ``3, 4`` are two, ``3/__/24`` lacks one."""
    return not set("".join(item.text for item in between)) & _APART


def _is_torn(fields: Sequence[Field]) -> bool:
    """Return whether a number is missing at an end, as in ``/3``."""
    return "/" in fields[0].text or "/" in fields[-1].text


def _triple(fields: Sequence[Field], numbers: Sequence[int], facts: NoteFacts) -> _Slots | None:
    first, second, third = numbers
    if len(fields[first].text) != 4:  # noqa: PLR2004
        if fields[first].value <= _DAYS:
            return _day_and_month(fields, first, second, facts) | {third: Slot.YEAR}
        if fields[first + 1].text != fields[second + 1].text:
            # 34 3/7: weeks and days
            return None
    if fields[second].value > _MONTHS >= fields[third].value:
        return {first: Slot.YEAR, second: Slot.DAY, third: Slot.MONTH}
    return {first: Slot.YEAR, second: Slot.MONTH, third: Slot.DAY}


def _day_and_month(fields: Sequence[Field], first: int, second: int, facts: NoteFacts) -> _Slots:
    values = fields[first].value, fields[second].value
    day_leads = facts.day_first if max(values) <= _MONTHS else values[0] > _MONTHS
    day, month = (first, second) if day_leads else (second, first)
    return {day: Slot.DAY, month: Slot.MONTH}


_PIVOT = 50
_SHORT = 6
_ORDERS = {
    8: (("ymd", "mdy", "dmy"), ("ymd", "dmy", "mdy")),
    6: (("mdy", "dmy", "ymd"), ("dmy", "mdy", "ymd")),
}


def compact_date(text: str, day_first: bool) -> date:  # noqa: FBT001
    """Read digits in the first order that makes them a date.

    Raises:
        ValueError: None does.
    """
    return _read_digits(text, _order(text, day_first))


def write_compact(text: str, to: date, day_first: bool) -> str:  # noqa: FBT001
    """Write the digits of another date in the order of ``text``; those of a time after it stay."""
    order = _order(text, day_first)
    year = f"{to.year % 100:02d}" if len(text) == _SHORT else f"{to.year:04d}"
    written = {"y": year, "m": f"{to.month:02d}", "d": f"{to.day:02d}"}
    return "".join(written[part] for part in order) + text[8:]


def compact_time(text: str) -> str:
    """Write the digits after the date as a time.

    >>> compact_time("202405031207"), compact_time("20240503")
    ('12:07', '')
    """
    return ":".join(text[place : place + 2] for place in range(8, len(text), 2))


def _order(text: str, day_first: bool) -> str:  # noqa: FBT001
    for order in _ORDERS[min(len(text), 8)][day_first]:
        try:
            found = _read_digits(text, order)
        except ValueError:
            continue
        if len(text) == _SHORT or (1800 <= found.year < 2200 and _is_time(text[8:])):  # noqa: PLR2004
            return order
    msg = "no order of the digits is a date"
    raise ValueError(msg)


def _is_time(digits: str) -> bool:
    return digits[:2] < "24" and digits[2:4] < "60" and digits[4:] < "60"


def _read_digits(text: str, order: str) -> date:
    width = 2 if len(text) == _SHORT else 4
    values: dict[str, int] = {}
    for part in order:
        size = width if part == "y" else 2
        values[part], text = int(text[:size]), text[size:]
    year = values["y"] + (2000 if values["y"] < _PIVOT else 1900) * (width == 2)  # noqa: PLR2004
    return date(year, values["m"], values["d"])
