"""Rules that tell values from dates by the form of the numbers.

Only a word of birth or of age beside them counts more than the form.
"""

from deidstream.models.detection.clinical import fraction_cues as cues
from deidstream.models.detection.clinical.fraction import LENGTHS, Fraction, Kind, Rule, find_kind
from deidstream.models.detection.clinical.note_style import DAYS, MONTHS

_DAY_MONTH = 2
"""Numbers of a day and a month."""
_DAY_MONTH_YEAR = 3
"""Numbers of a whole date: ``5/5/80``."""
_TWO_DATES = 6
"""Numbers of two dates with a slash between: ``3/30/31 / 4/9/31``."""
_DAY_DIGITS = 2
"""Digits of a day or a month, at most."""
_YEAR_DIGITS = 2
"""Digits of a year; one with four digits is not matched at all."""
_REGISTER_DIGITS = (3, 2)
"""Digits of the two numbers by which a register counts within a year: ``314/23``."""
_SYSTOLIC = range(50, 270)
"""Blood pressures in mmHg when the heart beats."""
_DIASTOLIC = range(30, 160)
"""Blood pressures in mmHg between two beats."""
_WEEKS_OF_PREGNANCY = 40
"""``8/40`` is the eighth week."""


def decide_by_form(one: Fraction) -> Kind | None:
    """Return what the form of numbers, or a word of birth or age, says; ``None``: nothing."""
    return find_kind(one, _RULES)


def _is_birth(one: Fraction) -> bool:
    """Return whether a birth is before the numbers: ``DOB 5/5``."""
    return bool(cues.BORN.search(one.before))


def is_age(one: Fraction) -> bool:
    """Return whether a word says that they are somebody's months, weeks or days: ``14/7 old``."""
    told = cues.AGED.search(one.before) or cues.OLD.search(one.after)
    return bool(told) and len(one.parts) == _DAY_MONTH and one.second in LENGTHS


def _is_two_dates(one: Fraction) -> bool:
    """Return whether there are so many numbers as in ``3/30/31 / 4/9/31``."""
    return len(one.parts) == _TWO_DATES


def _has_decimals(one: Fraction) -> bool:
    """Return whether a number has decimals: ``20/12.5``, ``7.29/38/88``."""
    return any("." in part for part in one.parts)


def _is_whole_date(one: Fraction) -> bool:
    """Return whether they are a day, a month and a year, in any order: ``5/5/80``."""
    if len(one.parts) != _DAY_MONTH_YEAR or len(one.parts[2]) != _YEAR_DIGITS:
        return False
    return 1 <= one.first <= DAYS and 1 <= one.second <= DAYS


def _is_series(one: Fraction) -> bool:
    """Return whether they are more than a day and a month: ``120/80/75``, ``0/1/2/4 h``."""
    return len(one.parts) > _DAY_MONTH


def _is_blood_pressure(one: Fraction) -> bool:
    """Return whether they may be the pressures of the blood: ``120/80``."""
    return one.first in _SYSTOLIC and one.second in _DIASTOLIC and one.first > one.second


def _is_no_day_and_month(one: Fraction) -> bool:
    """Return whether they are no day and month, nor the number of a record."""
    if _is_register_number(one):
        return False
    return _has_no_day(one) or _has_no_month(one) or _is_gestation(one) or _is_far_acuity(one)


def _is_register_number(one: Fraction) -> bool:
    """Return whether they have the form in which a register counts by year: ``314/23``."""
    return tuple(map(len, one.parts)) == _REGISTER_DIGITS


def _has_no_day(one: Fraction) -> bool:
    """Return whether one of them is no day: ``875/125``, ``0/5``, ``5/0``.

    ``5/00`` may be a month and a year.
    """
    return max(map(len, one.parts)) > _DAY_DIGITS or not one.first or one.parts[1] == "0"


def _has_no_month(one: Fraction) -> bool:
    """Return whether neither is a month, or the first no day: ``15/15``, ``96/5``.

    ``6/98`` and ``3/05`` may be a month and a year.
    """
    return one.first > MONTHS and (one.second > MONTHS or one.first > DAYS)


def _is_gestation(one: Fraction) -> bool:
    """Return whether they may be weeks of a pregnancy: ``8/40``."""
    return one.second == _WEEKS_OF_PREGNANCY


def _is_far_acuity(one: Fraction) -> bool:
    """Return whether they are an acuity in metres, the second being no day: ``6/36``."""
    return one.is_metric_acuity and one.second > DAYS


def _has_leading_zero(one: Fraction) -> bool:
    """Return whether a number has a leading zero, as only dates have: ``03/04``."""
    return any(len(part) > 1 and part[0] == "0" for part in one.parts)


_RULES: tuple[tuple[Rule, Kind], ...] = (
    (_is_birth, Kind.DATE),
    (is_age, Kind.LENGTH),
    (_is_two_dates, Kind.DATE),
    (_has_decimals, Kind.VALUE),
    (_is_whole_date, Kind.DATE),
    (_is_series, Kind.VALUE),
    (_is_blood_pressure, Kind.VALUE),
    (_is_no_day_and_month, Kind.VALUE),
    (_has_leading_zero, Kind.DATE),
)
"""The first that holds decides."""
