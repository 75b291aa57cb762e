"""Find times of day, with their seconds and their offset, which are no date and no number."""

import re
from collections.abc import Iterator

from deidstream.models.detection.clinical.value import NUMERIC, TIMES, ClinicalValue

_HOUR, _SIXTY = r"(?:[01]?[0-9]|2[0-4])", r"[0-5][0-9]"
_ZONE = r"(?:Z|[ ]?(?:UTC|GMT)|[ ]?[+-](?:0[0-9]|1[0-4]):?[0-5][0-9])"
_DAY_HOUR = r"(?:[01][0-9]|2[0-4])"
_FORMS = tuple(
    (re.compile(pattern), refutes)
    for pattern, refutes in (
        (
            (
                rf"(?:(?<![0-9A-SU-Za-z:.,])|(?<=[12][0-9]{{3}}:)){_HOUR}:{_SIXTY}(?::{_SIXTY}(?:[.,][0-9]{{1,9}})?)?"
                rf"(?:[ ]?[ap]\.?m\b|{_ZONE})?(?![0-9A-Za-z:]|[.,][0-9])"
            ),
            NUMERIC,
        ),
        (rf"(?<![0-9A-Za-z.])[0-9]{{1,2}}h{_SIXTY}(?![0-9A-Za-z])", TIMES),
        (rf"(?i)(?:\bat |@ ?){_DAY_HOUR}{_SIXTY}(?![0-9A-Za-z/-]|[.,][0-9])", TIMES),
        (rf"(?i)(?<![0-9A-Za-z./-]){_DAY_HOUR}{_SIXTY} ?(?:hrs?|hours|h)\b", NUMERIC),
    )
)
_RANGE = re.compile(
    rf"(?<![0-9A-Za-z.:/#-])(?<![A-Za-z][.:#] )(?<![A-Za-z] ){_DAY_HOUR}{_SIXTY} ?[-\u2013] ?"
    rf"{_DAY_HOUR}{_SIXTY}(?![0-9A-Za-z./-])"
)
_ROW = re.compile(
    rf"(?<![^ \t\n|]){_DAY_HOUR}{_SIXTY}(?:[ \t|]{{1,12}}{_DAY_HOUR}{_SIXTY}){{2,31}}(?![^ \t\n|])"
)
_YEARS = range(1900, 2060)


def find_clock_times(text: str) -> Iterator[ClinicalValue]:
    """Yield the times of day; of ranges and rows of four digits those that are no years."""
    for form, refutes in _FORMS:
        for match in form.finditer(text):
            yield ClinicalValue(*match.span(), refutes)
    for form in (_RANGE, _ROW):
        for match in form.finditer(text):
            if not all(int(number) in _YEARS for number in re.findall(r"[0-9]{4}", match[0])):
                yield ClinicalValue(*match.span(), NUMERIC)
