"""Find the codes of terminologies in tables: below the heading of their column."""

import re
from collections.abc import Iterator

import re2

from deidstream.models.detection.clinical.value import NUMERIC, ClinicalValue

_HEADING = re.compile(
    r"(?i)(?:cpt|hcpcs|cdt|icd(?:[-_ ]?(?:9|10))?|dx|diag|loinc|snomed|sct|ndc|rxnorm|rxcui|drg"
    r"|cvx|apc|proc|modifier)[-_ ]?(?:codes?|cd|[0-9])?"
)
_NAMED = re2.Set.SearchSet()
_NAMED.Add(_HEADING.pattern)
_NAMED.Compile()
_CODE = re.compile(r"(?=[^,;|\t]{0,17}[0-9])[0-9A-Z][0-9A-Z.-]{1,17}")
_CELL = re.compile(r'"[^"\n]{0,400}"|[^,;|\t\n"][^,;|\t\n]{0,400}|')
_SIGNS = ",;|\t"
_FEWEST = 3
"""So many columns make a table."""

_Place = tuple[int, int]


def find_column_codes(text: str) -> Iterator[ClinicalValue]:
    """Yield the cells of columns of codes."""
    if not _names_terminology(text):
        return
    columns: set[int] = set()
    width = 0
    start = 0
    for line in text.splitlines(keepends=True):
        cells = list(_cells(text, start, start + len(line.rstrip())))
        headed = {n for n, (a, b) in enumerate(cells) if _HEADING.fullmatch(text[a:b].strip(' "'))}
        if headed and len(cells) >= _FEWEST:
            columns, width = headed, len(cells)
        elif len(cells) == width:
            yield from _codes_of_row(text, [cells[place] for place in sorted(columns)])
        start += len(line)


def _names_terminology(text: str) -> bool:
    """Return whether any cell of a text can be the heading of a column of codes."""
    # Only one of the two engines takes these for the letter i.
    written = text.replace("\u0130", "i").replace("\u0131", "i")
    return _NAMED.Match(written.encode(errors="replace")) is not None


def _codes_of_row(text: str, cells: list[_Place]) -> Iterator[ClinicalValue]:
    for start, end in cells:
        if _CODE.fullmatch(text[start:end].strip(' "')):
            yield ClinicalValue(start, end, NUMERIC)


def _cells(text: str, start: int, end: int) -> Iterator[_Place]:
    """Yield the places of the cells of a line; quotes hold the signs between cells."""
    while start <= end:
        cell = _CELL.match(text, start, end)
        stop = cell.end() if cell else start
        yield start, stop
        if stop >= end or text[stop] not in _SIGNS:
            return
        start = stop + 1
