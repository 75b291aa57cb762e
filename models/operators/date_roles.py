"""Decide which number of a written date is the day, the month, the year."""

from collections.abc import Sequence
from dataclasses import replace

from deidstream.models.operators.date_fields import Field, Slot, cut
from deidstream.models.operators.date_words import ROMAN
from deidstream.models.operators.operator import NoteFacts

_RANGE_MARKS = frozenset("-\u2013\u2014/&")
_MONTHS, _DAYS = 12, 31
_LONGEST = 60


def assign(fields: list[Field], facts: NoteFacts) -> list[Field] | None:
    """Give every number its slot; ``None`` where the form is not one of those known."""
    numbers = [place for place, item in enumerate(fields) if item.slot is Slot.NUMBER]
    months = sum(item.slot is Slot.MONTH_WORD for item in fields)
    days = sum(item.slot is Slot.DAY_WORD for item in fields)
    roman = any(item.slot is Slot.MONTH_WORD and item.form == ROMAN for item in fields)
    if max(months, days) > 1 or (roman and not numbers):
        return None
    slots = _with_word(fields, numbers, days) if months or days else _bare(fields, numbers, facts)
    if slots is None or len(slots) != len(numbers) or len(set(slots)) != len(slots):
        return None
    return _filled(fields, numbers, slots)


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
    if any(len(fields[place].text) not in {1, 2, 4} for place in numbers) or _ranges(fields):
        return None
    slots: list[Slot] = []
    for place in numbers:
        taken = day_words or Slot.DAY in slots
        slots.append(Slot.YEAR if _is_year(fields, place) or taken else Slot.DAY)
    return slots


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
    return _triple(texts, facts) if len(numbers) == 3 else None  # noqa: PLR2004


def _single(fields: list[Field], place: int) -> list[Slot] | None:
    length = len(fields[place].text)
    if length in {6, 8, 12, 14}:
        return [Slot.COMPACT]
    if _is_year(fields, place):
        return [Slot.YEAR]
    return [Slot.DAY] if length <= 2 else None  # noqa: PLR2004


def _pair(fields: list[Field], numbers: list[int], facts: NoteFacts) -> list[Slot]:
    first, second = numbers
    if len(fields[first].text) == 4:  # noqa: PLR2004
        return [Slot.YEAR, Slot.MONTH]
    if _is_year(fields, second):
        comma = "," in fields[first + 1].text
        return [Slot.DAY if comma else Slot.MONTH, Slot.YEAR]
    return _day_and_month(fields[first].value, fields[second].value, facts)


def _triple(texts: list[str], facts: NoteFacts) -> list[Slot]:
    first, second, third = map(int, texts)
    if len(texts[0]) == 4 or first > _DAYS:  # noqa: PLR2004
        day_last = not (second > _MONTHS >= third)
        return [Slot.YEAR, *((Slot.MONTH, Slot.DAY) if day_last else (Slot.DAY, Slot.MONTH))]
    return [*_day_and_month(first, second, facts), Slot.YEAR]


def _day_and_month(first: int, second: int, facts: NoteFacts) -> list[Slot]:
    day_leads = facts.day_first if max(first, second) <= _MONTHS else first > _MONTHS
    return [Slot.DAY, Slot.MONTH] if day_leads else [Slot.MONTH, Slot.DAY]


def day_first(texts: Sequence[str], language: str | None = None) -> bool:
    """Tell whether a note writes numeric dates day before month.

    Every numeric date with a field over 12 votes; without a clear vote the language decides:
    American English, and text of unknown language, is month first.

    Args:
        texts: The date mentions of one note.
        language: BCP 47 tag of the note, such as ``en-GB``.
    """
    votes = sum(map(_vote, texts))
    if votes:
        return votes > 0
    tag = (language or "en-US").replace("_", "-").casefold()
    return tag not in {"en", "en-us", "en-ph", "fil", "en-ca"}


def _vote(text: str) -> int:
    fields = (cut(text) if len(text) <= _LONGEST else None) or []
    numbers = [item.value for item in fields if item.slot is Slot.NUMBER]
    words = any(item.slot in {Slot.MONTH_WORD, Slot.DAY_WORD} for item in fields)
    if words or len(numbers) not in {2, 3} or numbers[0] > _DAYS or numbers[1] > _DAYS:
        return 0
    return (numbers[0] > _MONTHS) - (numbers[1] > _MONTHS)
