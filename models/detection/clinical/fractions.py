"""Find numbers with slashes that are clinical values: scores, lengths of time, strengths.

A form that no date has decides alone. What may be a day and a month is a value only where the words
beside it say so, or where the note has no date about that month and the numbers read as a score.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache, partial
from itertools import pairwise

from deidstream.models.detection.clinical import fraction_cues as cues
from deidstream.models.detection.clinical.note_style import DAYS, MONTHS, NoteStyle
from deidstream.models.detection.clinical.value import DATES, NUMERIC, ClinicalValue
from deidstream.models.detection.stretches import Stretches

_PART = r"[0-9]{1,3}(?:\.[0-9]{1,2})?"
_FRACTION = re.compile(
    rf"(?<![0-9A-WYZa-wyz_.,/+-])(?<!,\d\d\d)({_PART}) ?/ ?({_PART})((?: ?/ ?{_PART})*)"
    r"(?![0-9A-Za-z_/%]|\.[0-9]|-[0-9])"
)
_BEFORE, _AFTER = 48, 28
_DAY_MONTH_YEAR, _TWO_DATES = 3, 6
_GESTATION, _WEEKS, _HOURS = 40, 52, 24
_LENGTHS = frozenset({7, 12, _HOURS, _WEEKS})
"""A length of time in British notation: days of 7, months of 12, hours of 24, weeks of 52."""
_POWER = 5
"""The highest mark of muscle power: ``4/5``."""
_TEN = 10
"""The highest mark of pain, of Apgar and of many scales: ``7/10``."""
_MURMUR = 6
"""The loudest grade of a heart murmur: ``2/6``."""
_ALLRED = 8
"""The highest Allred score of a hormone receptor: ``ER 7/8``."""
_SCORES = frozenset({4, 5, 6, 7, 8, 10, 12, 15, 20, 24, 30})
"""The highest marks of scales and the lengths of time."""
_MARKS = frozenset({5, _TEN})
_DASHES = frozenset({"-", "\u2013"})
_METRES = 6
_ACUITY = {_METRES: frozenset({4, 5, 6, 7, 9, 12, 18, 24, 36, 60}), 20: frozenset({10, 12, 15, 16})}
_SYSTOLIC, _DIASTOLIC = range(50, 270), range(30, 160)
_GAPS = frozenset({"", ",", "|", "\t", ";", "->", ">", "and", "+", "to", "&"})
"""What may stand between values of one scale, blanks left out."""


class _Kind(Enum):
    """What two numbers and a slash are."""

    VALUE = auto()
    LENGTH = auto()
    """A length of time by its form; it may be the age of an infant."""
    DATE = auto()
    OPEN = auto()


@dataclass(frozen=True, slots=True)
class _Fraction:
    """Two numbers and a slash, and the text of their line around them."""

    start: int
    end: int
    parts: tuple[str, ...] = field(repr=False)
    first: int = field(repr=False)
    second: int = field(repr=False)
    before: str = field(repr=False)
    after: str = field(repr=False)

    @classmethod
    def of_match(cls, text: str, match: re.Match[str]) -> "_Fraction":
        start, end = match.span()
        reach = max(0, start - _BEFORE)
        line = max(reach, text.rfind("\n", reach, start) + 1)
        stop = text.find("\n", end, end + _AFTER)
        after = text[end : stop if stop >= 0 else end + _AFTER]
        parts = tuple(part.strip() for part in match[0].split("/"))
        first, second = int(float(parts[0])), int(float(parts[1]))
        return cls(start, end, parts, first, second, text[line:start], after)

    @property
    def place(self) -> tuple[int, int]:
        """Where they stand."""
        return self.start, self.end

    @property
    def is_acuity(self) -> bool:
        """Whether the numbers may be a visual acuity."""
        return self.second in _ACUITY.get(self.first, ())

    @property
    def is_metric_acuity(self) -> bool:
        """Whether they may be one in metres."""
        return self.first == _METRES and self.is_acuity

    @property
    def padded(self) -> bool:
        """Whether a part has a leading zero, as only dates have."""
        return any(len(part) > 1 and part[0] == "0" for part in self.parts)


def find_fraction_values(text: str, places: Stretches) -> Iterator[ClinicalValue]:
    """Yield numbers with slashes that are no dates, in order, if any of them lies in ``places``.

    The others of the note are read with them: what one is may tell what another is.
    """
    matches = list(_FRACTION.finditer(text)) if "/" in text else []
    if not any(places.within(*match.span()) for match in matches):
        return
    fractions = [_Fraction.of_match(text, match) for match in matches]
    formed = [_decide_by_form(one) for one in fractions]
    decided = list(zip(fractions, formed, strict=True))
    if not any(kind is not _Kind.DATE and places.within(*one.place) for one, kind in decided):
        return
    # Most are decided without the style of the note, and to read it takes longer than all the rest.
    style = cache(partial(NoteStyle.of_text, text))
    kinds = [kind or _decide_by_context(one, style) for one, kind in decided]
    _decide_by_neighbours(text, fractions, kinds)
    for one, kind in zip(fractions, kinds, strict=True):
        if kind is _Kind.VALUE:
            yield ClinicalValue(one.start, one.end, NUMERIC)
        elif kind is _Kind.LENGTH:
            yield ClinicalValue(one.start, one.end, DATES)


def _decide_by_form(one: _Fraction) -> _Kind | None:
    """Decide about what its form or a date of birth decides; None: its surroundings do."""
    if cues.BORN.search(one.before) or cues.OLD.search(one.after):
        return _Kind.DATE
    if _is_impossible(one):
        return _Kind.VALUE
    whole = one.padded or len(one.parts) in {_DAY_MONTH_YEAR, _TWO_DATES}
    return _Kind.DATE if whole else None


def _decide_by_context(one: _Fraction, style: Callable[[], NoteStyle]) -> _Kind:
    dated = bool(cues.DATED.search(one.before))
    if _is_scored(one) or (cues.COUNTED.search(one.after) and not dated):
        return _Kind.VALUE
    if one.second in _LENGTHS and (kind := _decide_length(one, style, dated=dated)):
        return kind
    if dated or cues.TIMED.search(one.after):
        return _Kind.DATE
    likely = one.first <= one.second and one.second in _SCORES
    return _Kind.VALUE if likely and _is_unlike_dates(one, style) else _Kind.OPEN


def _is_impossible(one: _Fraction) -> bool:
    """Return whether numbers with slashes cannot be a date of the calendar."""
    parts = one.parts
    if len(parts) == _TWO_DATES:
        return False
    if any("." in part for part in parts) or len(parts) > _DAY_MONTH_YEAR:
        return True
    days = all(1 <= int(part) <= DAYS for part in parts[:2])
    if len(parts) == _DAY_MONTH_YEAR:
        return len(parts[2]) != len("24") or not days
    lengths = [len(part) for part in parts]
    if max(lengths) > len("31") or not one.first or parts[1] == "0":
        return _is_pressure(one) or not _is_register_number(one)
    if one.first > MONTHS:
        return one.second > MONTHS or one.first > DAYS
    # A month and two digits of a year, as in 6/98 and 3/05, may be a date.
    return one.second == _GESTATION or (one.is_metric_acuity and one.second > DAYS)


def _is_register_number(one: _Fraction) -> bool:
    """Return whether it has the form in which a register counts by year: ``314/23``."""
    return [len(part) for part in one.parts] == [len("314"), len("23")]


def _is_pressure(one: _Fraction) -> bool:
    return one.first in _SYSTOLIC and one.second in _DIASTOLIC and one.first > one.second


def _is_scored(one: _Fraction) -> bool:
    """Return whether a scale, a muscle, a complaint or an eye stands before the numbers."""
    if cues.TITLED.search(one.before):
        return False
    received = one.second == _ALLRED and cues.RECEPTOR.search(one.before)
    if received or any(cue.search(one.before) for cue in (cues.SCALED, cues.AGAIN, cues.NODES)):
        return True
    if cues.PRESSED.search(one.before) or (
        one.second == _MURMUR and cues.MURMUR.search(one.before)
    ):
        return one.first > one.second or one.second == _MURMUR
    if one.is_acuity and cues.EYES.search(one.before):
        return True
    if one.first > one.second:
        return False
    limb = one.second == _POWER and cues.LIMB.search(one.before)
    complaint = cues.COMPLAINT.search(one.before) or cues.CHANGED.search(one.before)
    return bool(limb or (one.second == _TEN and complaint))


def _decide_length(one: _Fraction, style: Callable[[], NoteStyle], *, dated: bool) -> _Kind | None:
    """Decide about days, weeks or months in British notation; None: it may be a date."""
    strong = cues.STRONG_SPAN.search(one.before) or cues.STRONG_AFTER.search(one.after)
    if strong or cues.DOSED.search(one.before):
        return _Kind.VALUE
    if one.second == _HOURS and cues.HOURLY.search(one.before):
        return _Kind.VALUE
    said = cues.SPANNED.search(one.before) or cues.SPAN_AFTER.search(one.after)
    if one.second == _WEEKS:
        return _Kind.VALUE if said else _Kind.LENGTH
    if not style().british or dated or cues.TIMED.search(one.after):
        return None
    if said:
        return _Kind.VALUE
    return _Kind.LENGTH if _is_unlike_dates(one, style) else None


def _is_unlike_dates(one: _Fraction, style: Callable[[], NoteStyle]) -> bool:
    """Return whether the note has dates, and none about the month that the numbers would mean.

    What begins a line, as the entries of a log do, or ends a number does not count.
    """
    apart = one.before.strip() and not cues.NUMBERED.search(one.before)
    return bool(apart) and not style().may_be_date(one.first, one.second)


def _decide_by_neighbours(text: str, fractions: Sequence[_Fraction], kinds: list[_Kind]) -> None:
    """Turn open ones into values where others of the same scale show them to be.

    Right beside a value, or beside the same numbers once more, they are values. So are acuities in
    a note that certainly has one.
    """
    beside = [
        (place, place + 1)
        for place, (one, other) in enumerate(pairwise(fractions))
        if _go_together(text, one, other)
    ]
    for place, other in beside:
        if fractions[place].parts == fractions[other].parts and kinds[place] is _Kind.OPEN:
            kinds[place] = _Kind.VALUE
    certain = zip(fractions, kinds, strict=True)
    if any(kind is _Kind.VALUE and one.is_metric_acuity for one, kind in certain):
        for place, one in enumerate(fractions):
            if kinds[place] is _Kind.OPEN and one.is_metric_acuity:
                kinds[place] = _Kind.VALUE
    for place, other in (*beside, *((after, before) for before, after in reversed(beside))):
        if kinds[place] in {_Kind.VALUE, _Kind.LENGTH} and kinds[other] is _Kind.OPEN:
            kinds[other] = kinds[place]


def _go_together(text: str, one: _Fraction, other: _Fraction) -> bool:
    between = text[one.end : other.start]
    if one.second in _MARKS and one.second == other.second and cues.SAID_AGAIN.search(between):
        return True
    gap = between.strip(" \t")
    if gap in _DASHES and other.second == _WEEKS and one.second in _LENGTHS:
        return True
    return gap in _GAPS and (one.second == other.second or (one.is_acuity and other.is_acuity))
