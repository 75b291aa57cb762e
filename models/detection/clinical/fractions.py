"""Find numbers with slashes that are clinical values: scores, lengths of time, strengths."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from deidstream.models.detection.clinical.fraction import Fraction, Kind
from deidstream.models.detection.clinical.fraction_contexts import (
    decide_by_context,
    is_apposed,
    is_day_and_month,
    is_in_months_of_note,
    is_out_of_scale,
    is_said_length,
    is_surely_told,
    is_told_as_date,
    may_be_age,
    may_be_like_lengths,
    may_be_score,
)
from deidstream.models.detection.clinical.fraction_forms import decide_by_form, is_age
from deidstream.models.detection.clinical.note_style import DAYS, MONTHS, NoteStyle
from deidstream.models.detection.clinical.value import DATES, NUMERIC, ClinicalValue
from deidstream.models.detection.stretches import Stretches

_PART = r"[0-9]{1,3}(?:\.[0-9]{1,2})?"
_FRACTION = re.compile(
    rf"(?<![0-9A-WYZa-wyz_.,/+-])(?<!,\d\d\d)({_PART}) ?/ ?({_PART})((?: ?/ ?{_PART})*)"
    r"(?![0-9A-Za-z_/%]|\.[0-9]|-[0-9])"
)
_UNDATED = frozenset({Kind.VALUE, Kind.LENGTH})
_SHORTEST_ROW, _LONGEST_ROW = 3, 93
"""Dates of a row, and days from its first to its last one."""
_CELL = re.compile(r"[<>~]?[0-9]{1,5}(?:\.[0-9]{1,3})?")
"""A value of a table."""
_LONGEST_LINE = 200
_GAPS = frozenset({"", ",", "|", "\t", ";", "->", ">", "and", "+", "to", "&"})
"""What may be between values of one scale, blanks left out."""


@dataclass(frozen=True, slots=True)
class TaggedDates:
    """What the tagger says of the dates of a note."""

    seen: Stretches
    """Where it holds anything for possible."""
    likely: Stretches
    """Where it rather reads a date than none."""
    rather_sure: Stretches
    """Where it is rather sure of one."""
    aged: Stretches
    """Where it is rather sure of an age."""


def find_fraction_values(text: str, places: Stretches) -> Iterator[ClinicalValue]:
    """Yield numbers with slashes that are no dates, in order, if any of them lies in ``places``.

    The others of the note are read with them: what one is may tell what another is.
    """
    fractions = _cut_fractions(text, places)
    formed = [decide_by_form(one) for one in fractions]
    if not _is_any_undated(fractions, formed, places):
        return
    for one, kind in zip(fractions, _decide_kinds(text, fractions, formed), strict=True):
        if kind is Kind.VALUE:
            yield ClinicalValue(one.start, one.end, NUMERIC)
        elif kind is Kind.LENGTH:
            yield ClinicalValue(one.start, one.end, DATES)


def find_fraction_dates(text: str, tagged: TaggedDates) -> Iterator[tuple[int, int]]:
    """Yield where a day and a month stand that the rest of the note confirms, in order.

    They ascend in a row of such; or they can be no score, and the tagger has read a date there, or
    seen something where the note has dates about that month; or the tagger is rather sure, in such
    a note. None is where it reads an age beside a name, in a note that has such ages.

    Args:
        text: The note.
        tagged: What the tagger says of it.
    """
    fractions = _cut_fractions(text, tagged.seen)
    kinds = _decide_kinds(text, fractions, [decide_by_form(one) for one in fractions])
    read = list(zip(fractions, kinds, strict=True))
    rows = set(_find_rows(text, read))
    ages = _list_parts_of_ages(fractions)
    for place, (one, kind) in enumerate(read):
        if kind in _UNDATED or not is_day_and_month(one):
            continue
        told = one.second in ages and kind is Kind.OPEN and is_apposed(one)
        if told and tagged.aged.covers(one.start, one.end):
            continue
        if place in rows or _is_confirmed(one, tagged):
            yield one.start, one.end


def _is_confirmed(one: Fraction, tagged: TaggedDates) -> bool:
    """Return whether the tagger, and the months of the note, say that it is a date."""
    fits = is_in_months_of_note(one)
    if may_be_score(one) and not is_told_as_date(one):
        return fits and tagged.rather_sure.covers(one.start, one.end)
    seen = tagged.seen.within(one.start, one.end) is not None
    if may_be_score(one) and is_surely_told(one):
        return True
    return tagged.likely.covers(one.start, one.end) or (fits and seen)


def _find_rows(text: str, read: Sequence[tuple[Fraction, Kind]]) -> Iterator[int]:
    """Yield the places of days that ascend in a row with nothing but blanks between.

    ``INR 3/1 3/3 3/5``; what may all be marks of one scale is none: ``power 3/5 4/5 5/5``.
    """
    row: list[int] = []
    for place, (one, kind) in enumerate(read):
        able = kind not in _UNDATED and is_day_and_month(one)
        before = read[row[-1]][0] if row else None
        if not (able and before and not text[before.end : one.start].strip(" \t|,")):
            yield from _keep_row(text, row, read)
            row = []
        if able:
            row.append(place)
    yield from _keep_row(text, row, read)


def _keep_row(text: str, row: list[int], read: Sequence[tuple[Fraction, Kind]]) -> list[int]:
    fractions = [read[place][0] for place in row]
    if len(row) < _SHORTEST_ROW or not is_in_months_of_note(fractions[0]):
        return []
    marks = all(is_out_of_scale(one) and may_be_score(one) for one in fractions)
    of_one_scale = marks and len({one.second for one in fractions}) == 1
    acuities = all(one.is_metric_acuity for one in fractions)
    if acuities or (of_one_scale and not _head_columns(text, fractions)):
        return []
    days = (
        [(one.second, one.first) for one in fractions],
        [(one.first, one.second) for one in fractions],
    )
    return row if any(map(_do_days_ascend, days)) else []


def _head_columns(text: str, row: Sequence[Fraction]) -> bool:
    """Return whether as many numbers stand in the next line."""
    line = text.find("\n", row[-1].end)
    if line < 0:
        return False
    below = text[line + 1 : line + 1 + _LONGEST_LINE]
    cells = below.partition("\n")[0].split()
    return len(cells) == len(row) and all(map(_CELL.fullmatch, cells))


def _do_days_ascend(days: Sequence[tuple[int, int]]) -> bool:
    """Return whether months and days of them are those of one quarter of a year, in order."""
    counted = [month * DAYS + day for month, day in days]
    steps = [later - earlier for earlier, later in pairwise(counted)]
    valid = all(1 <= month <= MONTHS for month, _ in days)
    return valid and min(steps) > 0 and counted[-1] - counted[0] <= _LONGEST_ROW


def _cut_fractions(text: str, places: Stretches) -> list[Fraction]:
    """Return the numbers with slashes of a note, if any of them lies in ``places``."""
    matches = list(_FRACTION.finditer(text)) if "/" in text else []
    if not any(places.within(*match.span()) for match in matches):
        return []
    read_style = cache(partial(NoteStyle.of_text, text))
    return [Fraction.of_match(text, match, read_style) for match in matches]


def _decide_kinds(
    text: str, fractions: Sequence[Fraction], formed: Sequence[Kind | None]
) -> list[Kind]:
    """Decide what numbers are by their form, the words beside them, and each other."""
    kinds: list[Kind] = []
    for one, kind in zip(fractions, formed, strict=True):
        kinds.append(kind or decide_by_context(one))
    _decide_by_neighbours(text, fractions, kinds)
    return kinds


def _is_any_undated(
    fractions: Sequence[Fraction], formed: Sequence[Kind | None], places: Stretches
) -> bool:
    """Return whether any fraction in ``places`` is no date by its form."""
    return any(
        kind is not Kind.DATE and places.within(one.start, one.end)
        for one, kind in zip(fractions, formed, strict=True)
    )


def _decide_by_neighbours(text: str, fractions: Sequence[Fraction], kinds: list[Kind]) -> None:
    """Turn open ones into values if others of the same scale show them to be."""
    beside = [
        index
        for index, (one, other) in enumerate(pairwise(fractions))
        if _go_together(text, one, other)
    ]
    _decide_repeated(fractions, kinds, beside)
    _decide_acuities(fractions, kinds)
    _decide_by_column(text, fractions, kinds)
    _decide_by_scale(fractions, kinds)
    for index in beside:
        _take_over(kinds, index, index + 1)
    for index in reversed(beside):
        _take_over(kinds, index + 1, index)


def _go_together(text: str, one: Fraction, other: Fraction) -> bool:
    """Return whether two are values of one scale in a list: ``8/10 to 5/10``, ``6/6, 6/9``."""
    alike = one.second == other.second or (one.is_acuity and other.is_acuity)
    return alike and text[one.end : other.start].strip(" \t") in _GAPS


def _decide_repeated(fractions: Sequence[Fraction], kinds: list[Kind], beside: list[int]) -> None:
    """Turn open ones into values if the same numbers are right behind them: ``6/6  6/6``."""
    for index in beside:
        if kinds[index] is Kind.OPEN and fractions[index].parts == fractions[index + 1].parts:
            kinds[index] = Kind.VALUE


def _decide_acuities(fractions: Sequence[Fraction], kinds: list[Kind]) -> None:
    """Turn open acuities in metres into values if the note has a certain one: ``VA 6/9``."""
    acuities = [index for index, one in enumerate(fractions) if one.is_metric_acuity]
    if any(kinds[index] is Kind.VALUE for index in acuities):
        for index in acuities:
            if kinds[index] is Kind.OPEN:
                kinds[index] = Kind.VALUE


def _decide_by_column(text: str, fractions: Sequence[Fraction], kinds: list[Kind]) -> None:
    """Turn open ones alone in a cell into values if its column has values and no date."""
    columns: dict[int, list[int]] = {}
    for index, one in enumerate(fractions):
        line = text.rfind("\n", 0, one.start) + 1
        left, right = text[line : one.start], text[one.end : one.end + 1]
        if right in {"|", "\t"} and left[-1:] == right:
            columns.setdefault(left.count(right), []).append(index)
    for column in columns.values():
        if {kinds[index] for index in column} == {Kind.VALUE, Kind.OPEN}:
            for index in column:
                kinds[index] = Kind.VALUE


def _decide_by_scale(fractions: Sequence[Fraction], kinds: list[Kind]) -> None:
    """Turn open ones into what another one of the note is that tells of the same.

    It is behind the same word and out of the same number, ``sx 14/22``; lengths of time are out of
    the same number, and so are ages, which may be in a month that the note has dates of.
    """
    known = {one.scale for one, kind in zip(fractions, kinds, strict=True) if kind is Kind.VALUE}
    for index, one in enumerate(fractions):
        if kinds[index] is Kind.OPEN and one.scale[0] and one.scale in known:
            kinds[index] = Kind.VALUE
    timed = {
        one.second
        for one, kind in zip(fractions, kinds, strict=True)
        if kind in _UNDATED and is_said_length(one)
    }
    ages = _list_parts_of_ages(fractions)
    for index, one in enumerate(fractions):
        like = one.second in timed and may_be_like_lengths(one)
        aged = one.second in ages and may_be_age(one)
        if kinds[index] is Kind.OPEN and (like or aged):
            kinds[index] = Kind.LENGTH


def _list_parts_of_ages(fractions: Sequence[Fraction]) -> set[int]:
    """Return what the ages of a note are written out of: twelve where one is ``aged 18/12``."""
    return {one.second for one in fractions if is_age(one)}


def _take_over(kinds: list[Kind], known: int, other: int) -> None:
    """Give an open one the kind of the value or length of time beside it."""
    if kinds[known] in {Kind.VALUE, Kind.LENGTH} and kinds[other] is Kind.OPEN:
        kinds[other] = kinds[known]
