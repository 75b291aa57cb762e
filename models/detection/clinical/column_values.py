"""Find codes of terminologies, and measures, in tables: below the heading of their column."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import re2

from deidstream.models.detection.clinical.value import AGES, NUMERIC, ClinicalValue
from deidstream.models.text.patterns import any_of
from deidstream.schemas.label import PhiLabel

_HEADING = re.compile(
    r"(?i)(?:cpt|hcpcs|cdt|icd(?:[-_ ]?(?:9|10))?|dx|diag|loinc|snomed|sct|ndc|rxnorm|rxcui|drg"
    r"|cvx|apc|proc|modifier)[-_ ]?(?:codes?|cd|[0-9])?"
)
_MEASURED = any_of("""
qty, quantity, dose, amount, amt, bal, balance, stock, bed, room, rm, token, count, total, mg, mls?
units, wt, weight, bmi, hr, pulse, rr, temp, spo2, sats, gcs, score, bgl?, bsl, hb, crp, day, week
""")
_NAMED = re2.Set.SearchSet()
_NAMED.Add(_HEADING.pattern)
_NAMED.Add(rf"(?i)[,;|\t][^,;|\t\n]{{0,24}}\b{_MEASURED}\b")
_NAMED.Compile()
_CODE = re.compile(r"(?=[^,;|\t]{0,17}[0-9])[0-9A-Z][0-9A-Z.-]{1,17}")
_SIGNS = "|\t;,"
_CELLS = {
    sign: re.compile(rf'"[^"\n]{{0,400}}"|[^{sign}\n"][^{sign}\n]{{0,400}}|') for sign in _SIGNS
}
_FEWEST = 3
"""So many columns make a table."""

_Place = tuple[int, int]


class _Kind(NamedTuple):
    """What stands in a column: how its heading and its cells are written."""

    heading: re.Pattern[str]
    cell: re.Pattern[str]
    refutes: frozenset[PhiLabel]


_KINDS = (
    _Kind(
        re.compile(rf"(?i)(?!.*\bage)(?:.{{0,24}}[^a-z])?{_MEASURED}(?:[^a-z].{{0,24}})?"),
        re.compile(r"[~<>+-]*[0-9][^A-Za-z]{0,16}"),
        AGES,
    ),
    _Kind(_HEADING, _CODE, NUMERIC),
)


def find_column_values(text: str) -> Iterator[ClinicalValue]:
    """Yield the cells of columns of codes, and of measures, which may read as ages."""
    if not _names_columns(text):
        return
    columns: dict[int, _Kind] = {}
    width = start = 0
    sign = _SIGNS[0]
    for line in text.splitlines(keepends=True):
        end = start + len(line.rstrip())
        own = max(_SIGNS, key=line.count)
        heading = [text[a:b].strip(' "') for a, b in _cells(text, start, end, own)]
        headed = {
            n: kind
            for n, cell in enumerate(heading)
            for kind in _KINDS
            if kind.heading.fullmatch(cell)
        }
        if headed and len(heading) >= _FEWEST and not any(map(str.isdecimal, heading)):
            columns, width, sign = headed, len(heading), own
        elif len(cells := list(_cells(text, start, end, sign))) == width:
            for place, kind in columns.items():
                first, last = cells[place]
                if kind.cell.fullmatch(text[first:last].strip(' "')):
                    yield ClinicalValue(first, last, kind.refutes)
        start += len(line)


def _names_columns(text: str) -> bool:
    """Return whether any cell of a text can be the heading of such a column."""
    # Only one of the two engines takes these for the letter i.
    written = text.replace("\u0130", "i").replace("\u0131", "i")
    return _NAMED.Match(written.encode(errors="replace")) is not None


def _cells(text: str, start: int, end: int, sign: str) -> Iterator[_Place]:
    """Yield the places of the cells of a line; quotes hold the signs between cells."""
    while start <= end:
        cell = _CELLS[sign].match(text, start, end)
        stop = cell.end() if cell else start
        yield start, stop
        if stop >= end or text[stop] != sign:
            return
        start = stop + 1
