"""Find numbers with slashes that are clinical values: scores, lengths of time, strengths."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import pairwise

from deidstream.models.detection.clinical import fraction_cues as cues
from deidstream.models.detection.clinical.fraction import Fraction, Kind
from deidstream.models.detection.clinical.fraction_contexts import (
    HIGHEST_PAIN,
    HIGHEST_POWER,
    LENGTHS,
    WEEKS_OF_YEAR,
    decide_by_context,
)
from deidstream.models.detection.clinical.fraction_forms import decide_by_form
from deidstream.models.detection.clinical.note_style import NoteStyle
from deidstream.models.detection.clinical.value import DATES, NUMERIC, ClinicalValue
from deidstream.models.detection.stretches import Stretches

_PART = r"[0-9]{1,3}(?:\.[0-9]{1,2})?"
_FRACTION = re.compile(
    rf"(?<![0-9A-WYZa-wyz_.,/+-])(?<!,\d\d\d)({_PART}) ?/ ?({_PART})((?: ?/ ?{_PART})*)"
    r"(?![0-9A-Za-z_/%]|\.[0-9]|-[0-9])"
)
_MARKS = frozenset({HIGHEST_POWER, HIGHEST_PAIN})
"""The highest marks of scales on which a sentence may have two."""
_DASHES = frozenset({"-", "\u2013"})
_GAPS = frozenset({"", ",", "|", "\t", ";", "->", ">", "and", "+", "to", "&"})
"""What may be between values of one scale, blanks left out."""


def find_fraction_values(text: str, places: Stretches) -> Iterator[ClinicalValue]:
    """Yield numbers with slashes that are no dates, in order, if any of them lies in ``places``.

    The others of the note are read with them: what one is may tell what another is.
    """
    matches = list(_FRACTION.finditer(text)) if "/" in text else []
    if not any(places.within(*match.span()) for match in matches):
        return
    read_style = cache(partial(NoteStyle.of_text, text))
    fractions = [Fraction.of_match(text, match, read_style) for match in matches]
    formed = [decide_by_form(one) for one in fractions]
    if not _is_any_undated(fractions, formed, places):
        return
    kinds: list[Kind] = []
    for one, kind in zip(fractions, formed, strict=True):
        kinds.append(kind or decide_by_context(one))
    _decide_by_neighbours(text, fractions, kinds)
    for one, kind in zip(fractions, kinds, strict=True):
        if kind is Kind.VALUE:
            yield ClinicalValue(one.start, one.end, NUMERIC)
        elif kind is Kind.LENGTH:
            yield ClinicalValue(one.start, one.end, DATES)


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
    for index in beside:
        _take_over(kinds, index, index + 1)
    for index in reversed(beside):
        _take_over(kinds, index + 1, index)


def _go_together(text: str, one: Fraction, other: Fraction) -> bool:
    """Return whether two fractions, the second behind the first, are of one kind."""
    between = text[one.end : other.start]
    gap = between.strip(" \t")
    return (
        _are_marks_of_sentence(one, other, between)
        or _are_range(one, other, gap)
        or _are_listed(one, other, gap)
    )


def _are_marks_of_sentence(one: Fraction, other: Fraction, between: str) -> bool:
    """Return whether one sentence has both: ``pain 4/10 on dressing, 1/10 otherwise``."""
    marks = one.second in _MARKS and one.second == other.second
    return marks and bool(cues.SAID_AGAIN.search(between))


def _are_range(one: Fraction, other: Fraction, gap: str) -> bool:
    """Return whether they are from how long to how long: ``10/7-6/52``."""
    return gap in _DASHES and one.second in LENGTHS and other.second == WEEKS_OF_YEAR


def _are_listed(one: Fraction, other: Fraction, gap: str) -> bool:
    """Return whether they are values of one scale in a list: ``8/10 to 5/10``, ``6/6, 6/9``."""
    alike = one.second == other.second or (one.is_acuity and other.is_acuity)
    return alike and gap in _GAPS


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


def _take_over(kinds: list[Kind], known: int, other: int) -> None:
    """Give an open one the kind of the value or length of time beside it."""
    if kinds[known] in {Kind.VALUE, Kind.LENGTH} and kinds[other] is Kind.OPEN:
        kinds[other] = kinds[known]
