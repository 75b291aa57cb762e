"""Decide which digits of a written date are the day, the month, the year.

The digits stand apart, as in ``5/3/24``, or together: ``20240503``, ``050324``, ``202405031207``.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from deidstream.models.mention import NoteFacts
from deidstream.models.phi.dates.calendar import ROMAN
from deidstream.models.phi.dates.fields import UNPADDED, Field, Slot

_RANGE_MARKS = frozenset("-\u2013\u2014/&")
_APART = frozenset(",;&_?*")
_MONTHS, _DAYS = 12, 31
_FIRST, _LAST = 1800, 2199
"""Years; other numbers of four digits are times, such as ``0730``."""
_PARTS = frozenset({Slot.SEASON, Slot.QUARTER})
"""Beside these a number is a year."""


def assign(fields: list[Field], facts: NoteFacts) -> list[Field] | None:
    """Give every number its slot; ``None`` where the form is not one of those known."""
    numbers = [place for place, item in enumerate(fields) if item.slot is Slot.NUMBER]
    months = sum(item.slot is Slot.MONTH_WORD for item in fields)
    days = sum(item.slot is Slot.DAY_WORD for item in fields)
    roman = any(item.slot is Slot.MONTH_WORD and item.form == ROMAN for item in fields)
    if max(months, days) > 1 or (roman and not numbers) or _is_several(fields):
        return None
    if any(item.slot in _PARTS for item in fields):
        slots: list[Slot] | None = [Slot.YEAR]
    elif months or days:
        slots = _with_word(fields, numbers, days)
    else:
        slots = _bare(fields, numbers, facts)
    if not numbers:
        slots = []
    if slots is None or len(slots) != len(numbers) or len(set(slots)) != len(slots):
        return None
    filled = _filled(fields, numbers, slots)
    zeroed = any(fields[place].text.startswith("0") for place in numbers)
    if facts.unpadded and not (months or zeroed):
        filled = [bared(item) for item in filled]
    return filled if all(map(_is_possible, filled)) else None


def bared(item: Field) -> Field:
    """Mark a day or month that its writer would not pad with a zero."""
    bare = item.slot in {Slot.DAY, Slot.MONTH} and item.text[:1] != "0"
    return replace(item, form=UNPADDED) if bare else item


def _is_several(fields: list[Field]) -> bool:
    named = Counter(item.slot for item in fields)
    return any(named[slot] > 1 for slot in (*_PARTS, Slot.DECADE))


def _is_possible(item: Field) -> bool:
    if item.slot is Slot.YEAR:
        return len(item.text) == 2 or _FIRST <= item.value <= _LAST  # noqa: PLR2004
    most = {Slot.DAY: _DAYS, Slot.MONTH: _MONTHS}.get(item.slot)
    return most is None or 1 <= item.value <= most


def _filled(fields: list[Field], numbers: list[int], slots: Sequence[Slot]) -> list[Field]:
    filled = list(fields)
    for place, slot in zip(numbers, slots, strict=True):
        filled[place] = replace(filled[place], slot=slot)
    return filled


def _is_year(fields: list[Field], place: int) -> bool:
    text = fields[place].text
    quoted = place > 0 and fields[place - 1].text[-1:] in {"'", "\u2019", "\u2018"}
    return len(text) == 4 or (len(text) == 2 and (quoted or int(text) > _DAYS))  # noqa: PLR2004


def _with_word(fields: list[Field], numbers: list[int], day_words: int) -> list[Slot] | None:
    """Numbers beside a month's name: a day, then a year."""
    if any(len(fields[place].text) not in {1, 2, 4} for place in numbers):
        return None
    if _ranges(fields) or _leads_twice(fields, numbers):
        return None
    slots: list[Slot] = []
    for place in numbers:
        counted = any(item.slot is Slot.SUFFIX for item in fields[place + 1 : place + 2])
        taken = (day_words or Slot.DAY in slots) and not counted
        slots.append(Slot.YEAR if _is_year(fields, place) or taken else Slot.DAY)
    return slots


def _leads_twice(fields: list[Field], numbers: list[int]) -> bool:
    """Tell whether two days stand before one month, as in ``24, 25 June``."""
    word = next((i for i, item in enumerate(fields) if item.slot is Slot.MONTH_WORD), 0)
    return sum(place < word and len(fields[place].text) < 4 for place in numbers) > 1  # noqa: PLR2004


def _ranges(fields: list[Field]) -> bool:
    """Tell whether two days stand beside one month, as in ``May 3-5``."""
    return any(
        left.slot is right.slot is Slot.NUMBER and set(mark.text.split()) & _RANGE_MARKS
        for left, mark, right in zip(fields, fields[1:], fields[2:], strict=False)
    )


def _bare(fields: list[Field], numbers: list[int], facts: NoteFacts) -> list[Slot] | None:
    texts = [fields[place].text for place in numbers]
    if not numbers:
        return []
    if len(numbers) == 1:
        return _single(fields, numbers[0])
    if any(len(text) not in {1, 2, 4} for text in texts):
        return None
    if len(numbers) == 2:  # noqa: PLR2004
        return _pair(fields, numbers, facts)
    if len(numbers) != 3 or _is_mixed(fields, numbers):  # noqa: PLR2004
        return None
    return _triple(texts, facts)


def _is_mixed(fields: list[Field], numbers: list[int]) -> bool:
    """Tell whether a range is written like ``5/3-10``; a misread ``5/3-2024`` is none."""
    marks = {fields[place + 1].text.strip() for place in numbers[:2]}
    return len(marks) > 1 and "" not in marks and all(len(fields[i].text) < 4 for i in numbers)  # noqa: PLR2004


def _single(fields: list[Field], place: int) -> list[Slot] | None:
    length = len(fields[place].text)
    if length in {6, 8, 12, 14}:
        return [Slot.COMPACT]
    if _is_year(fields, place):
        return [Slot.YEAR]
    return [Slot.DAY] if length <= 2 and not _is_torn(fields) else None  # noqa: PLR2004


def _pair(fields: list[Field], numbers: list[int], facts: NoteFacts) -> list[Slot] | None:
    first, second = numbers
    if len(fields[first].text) == 4:  # noqa: PLR2004
        return [Slot.YEAR, Slot.MONTH]
    between = fields[first + 1 : second]
    if _is_year(fields, second):
        counted = any(item.slot is Slot.SUFFIX or "," in item.text for item in between)
        return [Slot.DAY if counted else Slot.MONTH, Slot.YEAR]
    if not _are_signs(between) or _is_torn(fields):
        return None
    # A full stop after both is how German and its neighbours count days and months.
    if {item.text for item in fields[first + 1 :] if item.slot is Slot.TEXT} == {"."} and (
        len(fields) > second + 1
    ):
        facts = replace(facts, day_first=True)
    return _day_and_month(fields[first].value, fields[second].value, facts)


def _are_signs(between: list[Field]) -> bool:
    """Tell whether what parts two numbers joins them; ``3, 4`` are two, ``3/__/24`` lacks one."""
    return not set("".join(item.text for item in between)) & _APART


def _is_torn(fields: list[Field]) -> bool:
    """Tell whether a number is missing at an end, as in ``/3``."""
    return "/" in fields[0].text or "/" in fields[-1].text


def _triple(texts: list[str], facts: NoteFacts) -> list[Slot]:
    first, second, third = map(int, texts)
    if len(texts[0]) == 4 or first > _DAYS:  # noqa: PLR2004
        day_last = not (second > _MONTHS >= third)
        return [Slot.YEAR, *((Slot.MONTH, Slot.DAY) if day_last else (Slot.DAY, Slot.MONTH))]
    return [*_day_and_month(first, second, facts), Slot.YEAR]


def _day_and_month(first: int, second: int, facts: NoteFacts) -> list[Slot]:
    day_leads = facts.day_first if max(first, second) <= _MONTHS else first > _MONTHS
    return [Slot.DAY, Slot.MONTH] if day_leads else [Slot.MONTH, Slot.DAY]


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
