"""Read dates, ranges and lists of dates, and complete each date from those beside it."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import re2

from deidstream.models.date_reading import DateReading, Field, Near, Slot
from deidstream.models.mention import Mention, NoteFacts
from deidstream.models.phi.dates.holidays import holiday
from deidstream.models.phi.dates.meaning import Parts, beside, beside_note, find_month_day, parts
from deidstream.models.phi.dates.read_date import LONGEST, normalise, read_date_and_time
from deidstream.models.phi.dates.roles import unpad

_MOST = 4
"""Most dates of a list."""
_MOST_SIGNS = 5
"""Most hyphens and slashes of two dates."""
_WORDS = re2.compile(
    r"(?i)\s+(?:to|through|thru|until|till|and|or|bis|au|al|hasta)\s+(?:the\s+|le\s+|el\s+)?"
    r"|\s*[\x{2013}\x{2014};&]\s*|\s+[-/]\s+"
)
_COMMAS = re2.compile(r"(?i),\s*(?:(?:and|or|&)\s+)?")
_YEAR_NEXT = re2.compile(r"^[0-9]{4}")
_YEAR_LAST = re2.compile(r"[0-9]{4}$")
_EITHER = re2.compile(rf"{_COMMAS.pattern}|{_WORDS.pattern}")
_SIGNS = re2.compile(r"-|/")
_BLANKS = re2.compile(r"\s+")
JOINT = re2.compile(
    r"(?i)\s*(?:to|through|thru|until|till|and|or|bis|au|al|hasta|[-\x{2013}\x{2014};&/,]|,\s*and"
    r"|,?(?:\s*(?:uh|um|er|no|sorry|i mean|rather|make that|correction)\b,?)+)\s*(?:the\s+)?"
)
"""Signs and words between two dates of which one completes the other, or takes its place."""
_SAME = {Slot.MONTH_WORD: Slot.MONTH, Slot.DAY_WORD: Slot.DAY}
_FULL = frozenset({Slot.YEAR, Slot.MONTH, Slot.DAY})
_DAY, _YEAR, _WEEKDAY = (frozenset({one}) for one in (Slot.DAY, Slot.YEAR, Slot.WEEKDAY))
_SILENT = frozenset({Slot.TEXT, Slot.SUFFIX, Slot.QUARTER_WORD})


@dataclass(frozen=True, slots=True)
class _Split:
    """A text cut into what may be dates, and the marks between them."""

    dates: list[str] = field(repr=False)
    marks: list[str] = field(repr=False)
    """One fewer than the dates."""
    signed: bool = False
    """The mark is ``-`` or ``/``, which dates have inside too: it needs two dates that match."""
    alike: bool = False
    """The marks may be inside of dates too: it needs dates of one form."""


def dates_of(mention: Mention) -> tuple[DateReading, ...]:
    """Return the dates of a mention as its note read them; read them if it did not."""
    if mention.dates is not None:
        return mention.dates
    facts = mention.facts
    before, after = read_dates(mention.before, facts), read_dates(mention.after, facts)
    return complete(read_dates(mention.text, facts), before, after, facts)


def read_dates(text: str, facts: NoteFacts) -> tuple[DateReading, ...]:
    """Read a date, or the dates of a range or list, by themselves; empty if one is unreadable."""
    if not 0 < len(text) <= LONGEST:
        return ()
    text = normalise(text)
    alone = read_date_and_time(text, facts)
    if alone is not None:
        return (alone,)
    for split in itertools.chain(_rows(text), _halves(text), _splits(text)):
        dates = _read_pieces(split, facts)
        if dates:
            return dates
    return ()


def complete(
    own: Sequence[DateReading],
    before: Sequence[DateReading],
    after: Sequence[DateReading],
    facts: NoteFacts,
    *,
    to_come: bool = False,
    gone: bool = False,
) -> tuple[DateReading, ...]:
    """Add to each date of a mention the year and month it leaves out.

    Args:
        own: The dates of the mention as read by themselves.
        before: Those of the mention that a mark joins to it; the last one counts.
        after: Those of the mention joined after it; the first one counts.
        facts: The note's own date completes what they leave open.
        to_come: The words before the mention say that it is after the note.
        gone: They say that it is before it.
    """
    if not own:
        return ()
    first, last = before[-1:], after[:1]
    chain = [*first, *own, *last]
    if len(chain) > 1:
        chain = [_reinterpret(chain, place) for place in range(len(chain))]
    places = range(len(chain))
    chain = [_with_year(chain, place, facts, to_come=to_come, gone=gone) for place in places]
    chain = [_with_month(chain, place, facts) for place in places]
    chain = [_with_land(_with_day(one, facts), facts) for one in chain]
    return tuple(chain[len(first) : len(first) + len(own)])


def _read_pieces(split: _Split, facts: NoteFacts) -> tuple[DateReading, ...]:
    dates: list[DateReading] = []
    for piece in split.dates:
        read = read_date_and_time(piece, facts)
        if read is None:
            return ()
        dates.append(read)
    if split.signed and not _match(dates[0].fields, split.marks[0], dates[1].fields):
        return ()
    if split.alike and not _are_alike(dates):
        return ()
    marks = ["", *split.marks]
    return tuple(
        replace(one, mark=mark) for one, mark in zip(_padded_alike(dates), marks, strict=True)
    )


def _are_alike(dates: Sequence[DateReading]) -> bool:
    """Return whether dates have the same parts: several, as ``May June`` is a name, or a year."""
    forms = {_written_slots(one.fields) for one in dates}
    return len(forms) == 1 and all(len(form) > 1 or form == _YEAR for form in forms)


def _padded_alike(dates: list[DateReading]) -> list[DateReading]:
    """Where one date has no leading zeros, or is a lone day, the others get none."""
    numbers = [item for one in dates for item in one.fields if item.slot in {Slot.DAY, Slot.MONTH}]
    lone = any(_written_slots(one.fields) - _YEAR == _DAY for one in dates)
    zeroed = any(item.text.startswith("0") for item in numbers)
    if zeroed or not (lone or any(len(item.text) == 1 for item in numbers)):
        return dates
    return [replace(one, fields=unpad(one.fields)) for one in dates]


def _rows(text: str) -> Iterator[_Split]:
    """Cut a text at blanks into equally many words each, as in a row of a table."""
    blanks = [found.span() for found in _BLANKS.finditer(text)]
    for count in range(2, _MOST + 1):
        each, left = divmod(len(blanks) + 1, count)
        if each and not left:
            split = next(_cut_at(text, blanks[each - 1 :: each]))
            yield replace(split, alike=True)


def _halves(text: str) -> Iterator[_Split]:
    """Cut a text at each single sign into what may be two dates of one form."""
    signs = [found.span() for found in _SIGNS.finditer(text)]
    if len(signs) <= _MOST_SIGNS:
        for sign in signs:
            yield replace(next(_cut_at(text, [sign], signed=True)), alike=True)


def _splits(text: str) -> Iterator[_Split]:
    """Cut a text at commas and words together, at words, at commas, then at each single sign."""
    words = [found.span() for found in _WORDS.finditer(text)]
    commas = [found.span() for found in _COMMAS.finditer(text)]
    # The comma of "May 3, 2024" is inside a date, that of "2019, 2021 and 2023" is not.
    either = [
        found.span()
        for found in _EITHER.finditer(text)
        if _YEAR_LAST.search(text[: found.start()]) or not _YEAR_NEXT.search(text[found.end() :])
    ]
    if len(either) > len(words) > 0:
        yield from _cut_at(text, either)
    yield from _cut_at(text, words)
    yield from _cut_at(text, commas)
    signs = [found.span() for found in _SIGNS.finditer(text)]
    if len(signs) <= _MOST_SIGNS:
        for sign in signs:
            yield from _cut_at(text, [sign], signed=True)


def _cut_at(text: str, marks: list[tuple[int, int]], *, signed: bool = False) -> Iterator[_Split]:
    if not 0 < len(marks) < _MOST:
        return
    starts = [0, *(end for _, end in marks)]
    ends = [*(start for start, _ in marks), len(text)]
    dates = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    yield _Split(dates, [text[start:end] for start, end in marks], signed)


def read_expiry(own: Sequence[DateReading]) -> tuple[DateReading, ...]:
    """Read two numbers as month and year, as goods say until when they keep: ``exp 06/25``."""
    numbers = [item for one in own for item in one.fields if item.slot is not Slot.TEXT]
    if len(own) != 1 or {item.slot for item in numbers} != {Slot.DAY, Slot.MONTH}:
        return tuple(own)
    month, year = numbers[0], numbers[-1]
    if len(numbers) != 2 or len(year.text) != len("25") or not 1 <= month.value <= 12:  # noqa: PLR2004
        return tuple(own)
    slots = iter((Slot.MONTH, Slot.YEAR))
    fields = tuple(
        item if item.slot is Slot.TEXT else replace(item, slot=next(slots))
        for item in own[0].fields
    )
    return (replace(own[0], fields=fields),)


def _written_slots(fields: Sequence[Field]) -> frozenset[Slot]:
    """Which parts of a date are written; a month in words is a month."""
    return frozenset(_SAME.get(item.slot, item.slot) for item in fields) - _SILENT


def _match(first: Sequence[Field], sign: str, second: Sequence[Field]) -> bool:
    """Return whether ``-`` or ``/`` joins two dates, of which one may leave out parts."""
    ours, theirs = _written_slots(first) - _WEEKDAY, _written_slots(second) - _WEEKDAY
    inside = any(sign in item.text for item in (*first, *second))
    if inside and ours | theirs != _FULL:
        # 2024-05-01-2024-05-03 is a range, 1-1-1-1 is not.
        return False
    if ours == _DAY and theirs != _DAY:
        return _completes_day(first, second)
    if ours == _YEAR and theirs == _DAY:
        # 2019-20
        return True
    if Slot.DAY in ours and Slot.YEAR in theirs and len(theirs) == 2:  # noqa: PLR2004
        # May 3-5 2024, whose second date reads as a month and a year by itself
        return any(item.slot is Slot.MONTH_WORD for item in first)
    # 5/3-5/8/2024, Jan-Mar 2024
    return ours <= theirs or theirs <= ours


def _completes_day(day: Sequence[Field], date: Sequence[Field]) -> bool:
    """Return whether a date has what the number before it leaves out.

    The number is a day in ``3-5 May`` and ``3-5.5.2024``, a year in ``98-2003``.
    """
    worded = any(item.slot is Slot.MONTH_WORD for item in date)
    return (
        worded
        or _day_leads(date)
        or _written_slots(_as(Slot.YEAR, day)) == _written_slots(date) - _WEEKDAY
    )


def _as(slot: Slot, fields: Sequence[Field]) -> tuple[Field, ...]:
    """Read the day or month in digits as something else."""
    return tuple(
        replace(item, slot=slot) if item.slot in {Slot.DAY, Slot.MONTH} else item for item in fields
    )


def _reinterpret(chain: Sequence[DateReading], place: int) -> DateReading:
    """Read ``20`` after ``2019-`` as a year, and ``5 2024`` after ``May 3-`` as a day."""
    fields = chain[place].fields
    others = [one.fields for one in (*chain[:place], *chain[place + 1 :])]
    own, theirs = _written_slots(fields), [_written_slots(other) for other in others]
    lone = [item for item in fields if item.slot is Slot.DAY]
    two_digits = own == _DAY and lone and len(lone[0].text) == len("20")
    if two_digits and any(map(_says_only_year, theirs)):
        return replace(chain[place], fields=_as(Slot.YEAR, fields))
    numbered = Slot.DAY not in own and _is_loose_month(fields)
    worded = any(item.slot is Slot.MONTH_WORD for other in others for item in other)
    if numbered and worded and any(Slot.DAY in named for named in theirs):
        return replace(chain[place], fields=_as(Slot.DAY, fields))
    return chain[place]


def _says_only_year(slots: frozenset[Slot]) -> bool:
    """Return whether a date has a year and neither day nor month: ``2019``, ``Easter 2019``."""
    return Slot.YEAR in slots and not slots & (_FULL - _YEAR)


def _is_loose_month(fields: Sequence[Field]) -> bool:
    """Return whether blanks or a comma follow a month in digits: ``5 2024`` is a day and a year."""
    place = next((i for i, item in enumerate(fields) if item.slot is Slot.MONTH), len(fields))
    return any(not item.text.strip(" ,") for item in fields[place + 1 : place + 2])


def _with_year(
    chain: Sequence[DateReading], place: int, facts: NoteFacts, *, to_come: bool, gone: bool
) -> DateReading:
    one = chain[place]
    own = _own_parts(one, facts)
    if own.year is not None or own.month is None:
        return one
    for other in (*range(place + 1, len(chain)), *range(place - 1, -1, -1)):
        theirs = parts(chain[other].fields)
        if theirs.year is not None:
            near = beside(own, theirs, after=other < place)
            return replace(one, near=Near(near.year))
    near = beside_note(own, facts.noted, to_come=to_come, gone=gone)
    return replace(one, near=Near(near.year))


def _with_day(one: DateReading, facts: NoteFacts) -> DateReading:
    """Let a month alone stand for the day of a date of the note that lies beside it."""
    own = parts(one.fields).beside(one.near)
    if own.year is None or own.month is None or own.day is not None:
        return one
    day = find_month_day(own.year, own.month, facts.days)
    return replace(one, near=replace(one.near, day=day))


def _with_land(one: DateReading, facts: NoteFacts) -> DateReading:
    """Let a feast be that of the country of the note."""
    feast = any(item.slot is Slot.HOLIDAY for item in one.fields)
    return replace(one, near=replace(one.near, land=facts.lands.land)) if feast else one


def _own_parts(one: DateReading, facts: NoteFacts) -> Parts:
    named = next((item for item in one.fields if item.slot is Slot.HOLIDAY), None)
    found = holiday(named.text, facts.lands.land) if named else None
    if found is None or facts.noted is None:
        return parts(one.fields)
    rule, year = found
    day = rule(year or facts.noted.year)
    return Parts(year, day.month, day.day)


def _with_month(chain: Sequence[DateReading], place: int, facts: NoteFacts) -> DateReading:
    one = chain[place]
    own = parts(one.fields)
    if own.month is not None or own.day is None:
        return one
    other = _month_beside(chain, place)
    if other is None:
        return replace(one, near=beside_note(own, facts.noted))
    there = chain[other]
    theirs = parts(there.fields).beside(there.near)
    return replace(one, near=beside(own, theirs, after=other < place), month_of=there)


def _month_beside(chain: Sequence[DateReading], place: int) -> int | None:
    """Find the date with the month: of ``3-5 May`` the later one, of ``May 3-5`` the earlier."""
    months = [other for other, one in enumerate(chain) if parts(one.fields).month is not None]
    later = [other for other in months if other > place and _day_leads(chain[other].fields)]
    if later:
        return later[0]
    earlier = [other for other in months if other < place]
    if earlier:
        return earlier[-1]
    return months[0] if months else None


def _day_leads(fields: Sequence[Field]) -> bool:
    order = [_SAME.get(item.slot, item.slot) for item in fields]
    return Slot.DAY in order and Slot.MONTH in order[order.index(Slot.DAY) :]
