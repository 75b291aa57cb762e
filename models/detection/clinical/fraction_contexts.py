"""Rules that tell values from dates by the words beside the numbers and the dates of the note.

What may be a day and a month is a value only if the words beside it say so, or if the note has no
date about that month and the numbers read as a score.
"""

from deidstream.models.detection.clinical import fraction_cues as cues
from deidstream.models.detection.clinical.fraction import LENGTHS, Fraction, Kind, Rule, find_kind
from deidstream.models.detection.clinical.note_style import DAYS, MONTHS

_DAY_AND_MONTH = 2
"""Numbers of a date without a year."""
_WEEKS_OF_YEAR = 52
"""``6/52`` are six weeks."""
_HIGHEST_POWER = 5
"""The highest mark of muscle power: ``4/5``."""
_HIGHEST_PAIN = 10
"""The highest mark of pain, of Apgar and of many scales: ``7/10``."""
_LOUDEST_MURMUR = 6
"""The loudest grade of a heart murmur: ``2/6``."""
_LOW_PRESSURE = 6
"""A pressure of a ventilator that may be behind a lower one: ``PEEP 5/6``."""
_INCHES = frozenset({2, 4, 8, 16})
"""An inch is divided so."""
_SMALLEST_PART = 8
"""A pint is divided into so many parts at most."""
_SCORES = frozenset({4, 5, 6, 7, 8, 10, 12, 15, 20, 24, 30})
"""The highest marks of scales, and the lengths of time."""


def decide_by_context(one: Fraction) -> Kind:
    """Return what the words beside numbers, and the dates of the note, say of them."""
    return find_kind(one, _RULES) or Kind.OPEN


def is_day_and_month(one: Fraction) -> bool:
    """Return whether they are two, a day and a month; blanks about the slash are of columns."""
    low, high = sorted((one.first, one.second))
    two = len(one.parts) == _DAY_AND_MONTH and not one.is_spaced
    return two and 1 <= low <= MONTHS and high <= DAYS


def is_in_months_of_note(one: Fraction) -> bool:
    """Return whether the note has dates about the month that they mean."""
    style = one.read_style()
    return bool(style.months) and style.may_be_date(one.first, one.second)


def is_surely_told(one: Fraction) -> bool:
    """Return whether a word of a date is before them, in the very month of another of the note."""
    counted = cues.COUNTED.search(one.after)
    return _is_date_by_words(one) and not counted and _is_in_very_month(one)


def _is_in_very_month(one: Fraction) -> bool:
    return one.read_style().has_month(one.first, one.second)


def may_be_score(one: Fraction) -> bool:
    """Return whether the first number may be a mark out of the second.

    ``19/11`` and ``11/14`` are no marks of any scale, and ``03/04`` is how dates are written.
    """
    marked = is_out_of_scale(one) or one.second <= MONTHS
    zeroed = any(len(part) > 1 and part[0] == "0" for part in one.parts)
    return one.first <= one.second and marked and not zeroed


def is_out_of_scale(one: Fraction) -> bool:
    """Return whether the second number is the highest mark of a scale."""
    return one.second in _SCORES


def _is_scored(one: Fraction) -> bool:
    """Return whether the words before say that it is a score, and are no person's name.

    ``GCS 3/15``, but not ``Dr. Bishop 4/4``.
    """
    return not cues.TITLED.search(one.before) and any(rule(one) for rule in _SCORE_RULES)


def _is_on_scale(one: Fraction) -> bool:
    """Return whether a scale or a test is before them: ``PHQ9 24/27``."""
    return bool(cues.SCALED.search(one.before))


def _is_ventilator_setting(one: Fraction) -> bool:
    """Return whether they are two pressures of a ventilator: ``BiPAP 12/5``.

    The higher one is first; only low ones may be the other way round.
    """
    ordered = one.first > one.second or one.second == _LOW_PRESSURE
    return ordered and bool(cues.PRESSED.search(one.before))


def _is_murmur(one: Fraction) -> bool:
    """Return whether they are the grade of a murmur: ``systolic murmur 2/6``."""
    return one.second == _LOUDEST_MURMUR and bool(cues.MURMUR.search(one.before))


def _is_acuity_of_eye(one: Fraction) -> bool:
    """Return whether an eye, or what it sees with, is before them: ``VA 6/9``, ``right 6/12``."""
    return one.is_acuity and bool(cues.EYES.search(one.before))


def _is_power(one: Fraction) -> bool:
    """Return whether they are the power of a muscle: ``biceps 4/5``."""
    return one.first <= one.second == _HIGHEST_POWER and bool(cues.LIMB.search(one.before))


def _is_complaint(one: Fraction) -> bool:
    """Return whether they are the mark of a complaint: ``pain 3/10``, ``better, 2/10``."""
    if not one.first <= one.second == _HIGHEST_PAIN:
        return False
    return bool(cues.COMPLAINT.search(one.before) or cues.CHANGED.search(one.before))


_SCORE_RULES: tuple[Rule, ...] = (
    _is_on_scale,
    _is_ventilator_setting,
    _is_murmur,
    _is_acuity_of_eye,
    _is_power,
    _is_complaint,
)


def _is_counted(one: Fraction) -> bool:
    """Return whether a unit, or what was counted, is behind them: ``1/2 tablet``, ``3/8"``."""
    part = one.first < one.second
    inches = part and one.second in _INCHES and one.after[:1] == '"' and '"' not in one.before
    pint = one.second <= _SMALLEST_PART and bool(cues.PINT.search(one.after))
    counted = inches or pint or bool(cues.COUNTED.search(one.after))
    return counted and not _is_behind_date_word(one)


def _is_behind_date_word(one: Fraction) -> bool:
    """Return whether a word that a date stands behind is before them: ``since 3/7``."""
    return bool(cues.DATED.search(one.before))


def _is_certain_length(one: Fraction) -> bool:
    """Return whether a word is beside them that no date has: ``2/52 ago``, ``tds 5/7``."""
    if one.second not in LENGTHS:
        return False
    strong = cues.STRONG_SPAN.search(one.before) or cues.STRONG_AFTER.search(one.after)
    return bool(strong or cues.DOSED.search(one.before))


def _is_length_by_words(one: Fraction) -> bool:
    """Return whether a word of a length of time is beside them.

    ``for 3/7`` in a British note, ``review in 6/52`` in any. A visit ``review 18/12`` has a day
    where the note has another one of that month.
    """
    if one.second not in LENGTHS or (
        one.first > MONTHS and cues.VISIT.search(one.before) and _is_in_very_month(one)
    ):
        return False
    said = cues.SPANNED.search(one.before) or cues.SPAN_AFTER.search(one.after)
    return bool(said) and (_is_in_weeks(one) or _may_be_british_length(one))


def _is_in_weeks(one: Fraction) -> bool:
    """Return whether they may be weeks: ``6/52``."""
    return one.second == _WEEKS_OF_YEAR


def _is_british_length(one: Fraction) -> bool:
    """Return whether a British note has no dates that they would fit: ``Swab 3/7``."""
    return one.second in LENGTHS and _may_be_british_length(one) and _is_unlike_dates(one)


def is_said_length(one: Fraction) -> bool:
    """Return whether words beside them say that they are a length of time: ``pred x 3/7``."""
    return _is_certain_length(one) or _is_length_by_words(one)


def may_be_like_lengths(one: Fraction) -> bool:
    """Return whether they may be a length of time in a note that has one out of the same number.

    No date of the note is of the very month that they would mean.
    """
    return _may_be_british_length(one) and not _is_in_very_month(one)


def may_be_age(one: Fraction) -> bool:
    """Return whether they may be an age in a note that has one out of the same number."""
    return bool(cues.MAYBE_AGED.search(one.before)) and not _is_date_by_words(one)


def is_apposed(one: Fraction) -> bool:
    """Return whether they stand where an age does beside a name: ``Kofi, 18/12``, ``Ada (4/7)``."""
    return bool(cues.APPOSED.search(one.before))


def is_told_as_date(one: Fraction) -> bool:
    """Return whether a word of a date, or a time of day, makes a date of what may be a score.

    What may be a length of time is one only in a month that the note has.
    """
    length = one.second in LENGTHS and one.read_style().british
    near = not length or _is_in_very_month(one)
    return near and _is_date_by_words(one)


def _may_be_british_length(one: Fraction) -> bool:
    """Return whether the note is British, and no word beside the numbers is one of dates."""
    return not _is_date_by_words(one) and one.read_style().british


def _is_date_by_words(one: Fraction) -> bool:
    """Return whether a word of a date, or a time of day, is beside them: ``3/7 0900``."""
    return _is_behind_date_word(one) or bool(cues.TIMED.search(one.after))


def _is_likely_score(one: Fraction) -> bool:
    """Return whether they read as a score, and the note has no dates that they would fit.

    ``Sore today: 3/10`` in a note whose dates are all of May.
    """
    return one.first <= one.second and is_out_of_scale(one) and _is_unlike_dates(one)


def _is_unlike_dates(one: Fraction) -> bool:
    """Return whether the note has dates, and none about the month that the numbers would mean.

    What begins a line, as the entries of a log do, or ends a number does not count.
    """
    if not one.before.strip() or cues.NUMBERED.search(one.before):
        return False
    return not one.read_style().may_be_date(one.first, one.second)


_RULES: tuple[tuple[Rule, Kind], ...] = (
    (_is_scored, Kind.VALUE),
    (_is_counted, Kind.VALUE),
    (_is_certain_length, Kind.VALUE),
    (_is_length_by_words, Kind.VALUE),
    (_is_in_weeks, Kind.LENGTH),
    (_is_british_length, Kind.LENGTH),
    (_is_date_by_words, Kind.DATE),
    (_is_likely_score, Kind.VALUE),
)
"""The first that holds decides."""
