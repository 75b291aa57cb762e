"""Read dates, ranges and lists of dates, and complete each end from the others."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

import re2

from deidstream.models.mention import Mention, NoteFacts
from deidstream.models.phi.dates.fields import Field, Slot
from deidstream.models.phi.dates.holidays import holiday
from deidstream.models.phi.dates.meaning import Near, Parts, beside, beside_note, parts
from deidstream.models.phi.dates.read_date import LONGEST, Timed, normalised, read_timed
from deidstream.models.phi.dates.roles import bared

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
_EITHER = re2.compile(rf"{_COMMAS.pattern}|{_WORDS.pattern}")
_SIGNS = re2.compile(r"-|/")
JOINT = re2.compile(
    r"(?i)\s*(?:to|through|thru|until|till|and|or|bis|au|al|hasta|[-\x{2013}\x{2014};&/,]|,\s*and)\s*"
    r"(?:the\s+)?"
)
"""What may stand between two dates of which one completes the other."""
_PLAIN = {Slot.MONTH_WORD: Slot.MONTH, Slot.DAY_WORD: Slot.DAY}
_FULL = frozenset({Slot.YEAR, Slot.MONTH, Slot.DAY})
_DAY, _YEAR, _WEEKDAY = (frozenset({one}) for one in (Slot.DAY, Slot.YEAR, Slot.WEEKDAY))
_SILENT = frozenset({Slot.TEXT, Slot.SUFFIX, Slot.QUARTER_WORD})


@dataclass(frozen=True, slots=True)
class End:
    """One date of a mention, with what the others tell of it."""

    timed: Timed
    mark: str = field(repr=False, default="")
    """What stands between the date before and this one."""
    near: Near = field(default_factory=Near)
    month_of: "End | None" = field(repr=False, default=None)
    """The date that tells the month, if this one does not."""

    @property
    def fields(self) -> list[Field]:
        """The fields of the date."""
        return self.timed.fields


def read_ends(mention: Mention) -> list[End] | None:
    """Read the date, or the dates of a range or list; ``None`` if one cannot be read."""
    own = _ends(mention.text, mention.facts)
    if own is None:
        return None
    before = (_ends(mention.before, mention.facts) or [])[-1:]
    after = (_ends(mention.after, mention.facts) or [])[:1]
    chain = [*before, *own, *after]
    if len(chain) > 1:
        chain = [_likened(chain, place) for place in range(len(chain))]
    return _completed(chain, mention.facts)[len(before) : len(before) + len(own)]


def read_all(text: str, facts: NoteFacts) -> list[Field] | None:
    """All fields of a date, range or list; ``None`` if it cannot be read."""
    ends = _ends(text, facts)
    return None if ends is None else [item for end in ends for item in _with_feast_year(end)]


def _with_feast_year(end: End) -> list[Field]:
    found = holiday(end.fields[0].text) if end.fields[0].slot is Slot.FEAST else None
    year = found[1] if found else None
    return end.fields if year is None else [*end.fields, Field(Slot.YEAR, str(year), year)]


def _ends(text: str, facts: NoteFacts) -> list[End] | None:
    read = _ends_once(text, facts) if 0 < len(text) <= LONGEST else None
    return None if read is None else list(read)


@lru_cache(maxsize=1024)
def _ends_once(text: str, facts: NoteFacts) -> tuple[End, ...] | None:
    """A date is read when a note is planned, when it is written, and beside its neighbours."""
    text = normalised(text)
    alone = read_timed(text, facts)
    if alone is not None:
        return (End(alone),)
    for pieces, strict in _splits(text):
        read = [read_timed(piece, facts) for piece in pieces[::2]]
        dates = [one for one in read if one is not None]
        if len(dates) == len(read) and (
            not strict or _are_alike(dates[0].fields, pieces[1], dates[1].fields)
        ):
            marks = ["", *pieces[1::2]]
            ends = zip(_padded_alike(dates), marks, strict=True)
            return tuple(End(one, mark) for one, mark in ends)
    return None


def _padded_alike(dates: list[Timed]) -> list[Timed]:
    """Where one date has no leading zeros, or is a lone day, the others get none."""
    numbers = [item for one in dates for item in one.fields if item.slot in {Slot.DAY, Slot.MONTH}]
    lone = any(_said(one.fields) - _YEAR == _DAY for one in dates)
    zeroed = any(item.text.startswith("0") for item in numbers)
    if zeroed or not (lone or any(len(item.text) == 1 for item in numbers)):
        return dates
    return [replace(one, fields=[bared(item) for item in one.fields]) for one in dates]


def _splits(text: str) -> Iterator[tuple[list[str], bool]]:
    """Dates and marks by turns; with true, two dates that must be alike, as ``-`` says little.

    Of commas and words together, a comma before a year parts no dates.
    """
    either, words, commas = (
        [found.span() for found in pattern.finditer(text)] for pattern in (_EITHER, _WORDS, _COMMAS)
    )
    days = [mark for mark in either if not _YEAR_NEXT.search(text[mark[1] :])]
    listed = [days] if len(days) > len(words) > 0 else []
    for marks in (*listed, words, commas):
        if 0 < len(marks) < _MOST:
            yield _cut_at(text, marks), False
    signs = [found.span() for found in _SIGNS.finditer(text)]
    for sign in signs if len(signs) <= _MOST_SIGNS else ():
        yield _cut_at(text, [sign]), True


def _cut_at(text: str, marks: list[tuple[int, int]]) -> list[str]:
    edges = [0, *(edge for mark in marks for edge in mark), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


def _said(fields: list[Field]) -> frozenset[Slot]:
    return frozenset(_PLAIN.get(item.slot, item.slot) for item in fields) - _SILENT


def _are_alike(first: list[Field], sign: str, second: list[Field]) -> bool:
    """Tell whether a sign joins two dates, of which one may leave out what the other says."""
    ours, theirs = _said(first) - _WEEKDAY, _said(second) - _WEEKDAY
    if sign in "".join(item.text for item in (*first, *second)) and ours | theirs != _FULL:
        return False
    if ours == _DAY and theirs != _DAY:
        worded = any(item.slot is Slot.MONTH_WORD for item in second)
        return worded or _day_leads(second) or _said(_as(Slot.YEAR, first)) == theirs
    if theirs == _DAY and ours == _YEAR:
        return True
    if Slot.DAY in ours and Slot.YEAR in theirs and len(theirs) == 2:  # noqa: PLR2004
        return any(item.slot is Slot.MONTH_WORD for item in first)
    return ours <= theirs or theirs <= ours


def _as(slot: Slot, fields: list[Field]) -> list[Field]:
    """Read the day or month in digits as something else."""
    return [
        replace(item, slot=slot) if item.slot in {Slot.DAY, Slot.MONTH} else item for item in fields
    ]


def _likened(chain: list[End], place: int) -> End:
    """Read ``20`` after ``2019-`` as a year, and ``5 2024`` after ``May 3-`` as a day."""
    end = chain[place]
    others = [one.fields for one in (*chain[:place], *chain[place + 1 :])]
    own, theirs = _said(end.fields), [_said(fields) for fields in others]
    lone = [item for item in end.fields if item.slot is Slot.DAY]
    yearly = any(Slot.YEAR in said and not said & _FULL - _YEAR for said in theirs)
    if own == _DAY and lone and len(lone[0].text) == 2 and yearly:  # noqa: PLR2004
        return replace(end, timed=replace(end.timed, fields=_as(Slot.YEAR, end.fields)))
    numbered = Slot.DAY not in own and _is_apart(end.fields)
    worded = any(item.slot is Slot.MONTH_WORD for fields in others for item in fields)
    if numbered and worded and any(Slot.DAY in said for said in theirs):
        return replace(end, timed=replace(end.timed, fields=_as(Slot.DAY, end.fields)))
    return end


def _is_apart(fields: list[Field]) -> bool:
    """Tell whether blanks or a comma follow a month in digits; ``5 2024`` is a day and a year."""
    place = next((i for i, item in enumerate(fields) if item.slot is Slot.MONTH), len(fields))
    return any(not item.text.strip(" ,") for item in fields[place + 1 : place + 2])


def _completed(chain: list[End], facts: NoteFacts) -> list[End]:
    """Say of each end which year, and which month, it leaves out."""
    dated = [_with_year(chain, place, facts) for place in range(len(chain))]
    return [_with_month(dated, place, facts) for place in range(len(dated))]


def _with_year(chain: list[End], place: int, facts: NoteFacts) -> End:
    end = chain[place]
    own = _own_parts(end, facts)
    if own.year is not None or own.month is None:
        return end
    places = [*range(place + 1, len(chain)), *range(place - 1, -1, -1)]
    for other in places:
        theirs = parts(chain[other].fields)
        if theirs.year is not None:
            near = beside(own, theirs, after=other < place)
            return replace(end, near=Near(near.year))
    return replace(end, near=Near(beside_note(own, facts.noted).year))


def _own_parts(end: End, facts: NoteFacts) -> Parts:
    feast = next((item for item in end.fields if item.slot is Slot.FEAST), None)
    found = holiday(feast.text) if feast else None
    if found is None or facts.noted is None:
        return parts(end.fields)
    rule, year = found
    day = rule(year or facts.noted.year)
    return Parts(year, day.month, day.day)


def _with_month(chain: list[End], place: int, facts: NoteFacts) -> End:
    end = chain[place]
    own = parts(end.fields)
    if own.month is not None or own.day is None:
        return end
    other = _month_beside(chain, place)
    if other is None:
        return replace(end, near=beside_note(own, facts.noted))
    there = chain[other]
    theirs = parts(there.fields).beside(there.near)
    return replace(end, near=beside(own, theirs, after=other < place), month_of=there)


def _month_beside(chain: list[End], place: int) -> int | None:
    """Place of the end that tells the month: as in ``3-5 May``, or ``May 3-5``."""
    told = [other for other, end in enumerate(chain) if parts(end.fields).month is not None]
    later = [other for other in told if other > place and _day_leads(chain[other].fields)]
    earlier = [other for other in told if other < place]
    return later[0] if later else earlier[-1] if earlier else told[0] if told else None


def _day_leads(fields: list[Field]) -> bool:
    order = [_PLAIN.get(item.slot, item.slot) for item in fields]
    return Slot.DAY in order and Slot.MONTH in order[order.index(Slot.DAY) :]
