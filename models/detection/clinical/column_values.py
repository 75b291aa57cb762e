"""Find codes, amounts and measures in tables: below the heading of their column."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from deidstream.models.detection.clinical.value import AGES, NUMERIC, ClinicalValue
from deidstream.models.text.patterns import any_of, word_set
from deidstream.schemas.label import PhiLabel

_CODES = (
    r"(?:cpt|hcpcs|cdt|icd(?:[-_ ]?(?:9|10))?|dx|diag|loinc|snomed|sct|ndc|rxnorm|rxcui|drg"
    r"|cvx|apc|proc|modifier|denial|reject(?:ion)?|reason|error|tariff)[-_ ]?(?:codes?|cd|[0-9])?"
)
_AMOUNTS = any_of("""
net, gross, total, balance, bal, amount, amt, price, cost, fee, qty, quantity, stock, count, dose
wasted, paid
""")
_MEASURES = any_of("""
bed, room, rm, token, mg, mls?, units, wt, weight, bmi, hr, pulse, rr, temp, spo2, sats, gcs, score
bgl?, bsl, hb, crp, day, week
""")
_FIELDS = word_set("""
id name surname dob date sex age pt mrn payer clinician doctor ward status remark remarks
""")
"""Words of headings of other columns."""
_WORDED = re.compile(r"[^\W\d_]+[0-9]{0,2}(?:[ _/.()-]{1,3}[^\W\d_]+[0-9]{0,2}){0,3}[.?)]?|#?")
_WORD = re.compile(r"[^\W\d_]+")
_CODE = r"(?=[^,;|\t]{0,17}[0-9])[0-9A-Z][0-9A-Z.-]{1,17}"
_NUMBER = r"[~<>+-]*[0-9][^A-Za-z]{0,16}"
_QUOTED = re.compile(r'"[^"\n]{0,400}"')
_SIGNS = ";|\t,"
"""Those between cells; a comma only where no other is, as a number may have one."""
_FEWEST = 3
"""So many columns make a table."""


class _Column(NamedTuple):
    """How the heading and the cells of a kind of column are written."""

    heading: re.Pattern[str]
    cell: re.Pattern[str]
    refutes: frozenset[PhiLabel]


_KINDS = (
    _Column(
        re.compile(rf"(?i){_CODES}|{_AMOUNTS}(?:[-_ ](?:in|out|left|due|[a-z]{{2,3}}))?"),
        re.compile(rf"{_CODE}|{_NUMBER}"),
        NUMERIC,
    ),
    _Column(
        re.compile(rf"(?i)(?!.*\bage)(?:.{{0,24}}[^a-z])?{_MEASURES}(?:[^a-z].{{0,24}})?"),
        re.compile(_NUMBER),
        AGES,
    ),
)


def find_column_values(text: str) -> Iterator[ClinicalValue]:
    """Yield the cells of columns of codes and amounts, and of measures, which may read as ages."""
    columns: Mapping[int, _Column] = {}
    width, sign = 0, ""
    start = 0
    for line in text.splitlines(keepends=True):
        own = next((one for one in _SIGNS if line.count(one) >= _FEWEST - 1), "")
        cells = list(_cells(text, start, start + len(line.rstrip()), own)) if own else []
        written = [text[first:last].strip(' "') for first, last in cells]
        if headed := _read_headings(written):
            columns, width, sign = headed, len(cells), own
        elif cells and len(cells) == width and own == sign:
            for place, column in columns.items():
                if column.cell.fullmatch(written[place]):
                    yield ClinicalValue(*cells[place], column.refutes)
        start += len(line)


def _read_headings(cells: Sequence[str]) -> Mapping[int, _Column]:
    """Return the kinds of columns below a row of headings alone; else nothing.

    In a row of a form every second cell is none.
    """
    if not all(map(_WORDED.fullmatch, cells)):
        return {}
    kinds: dict[int, _Column] = {}
    for place, cell in enumerate(cells):
        kind = next((kind for kind in _KINDS if kind.heading.fullmatch(cell)), None)
        if kind is not None:
            kinds[place] = kind
    known = [
        place in kinds or not _FIELDS.isdisjoint(_WORD.findall(cell.casefold()))
        for place, cell in enumerate(cells)
    ]
    return kinds if any(map(all, pairwise(known))) else {}


def _cells(text: str, start: int, end: int, sign: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the cells of a line; quotes hold the signs between cells."""
    while start <= end:
        quoted = _QUOTED.match(text, start, end)
        stop = text.find(sign, quoted.end() if quoted else start, end)
        stop = stop if stop >= 0 else end
        yield start, stop
        start = stop + 1
