"""Find the numbers that items of a list begin with, and cut them off the number before them."""

import re
from collections.abc import Iterable, Iterator

from deidstream.models.detection.clinical.line_forms import NoteLine
from deidstream.models.detection.clinical.value import NUMERIC, ClinicalValue
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

_ITEM = re.compile(r"[ \t]{0,8}([0-9]{1,2})(?=[.)][ \t]|[ \t]\|)")
_DATED = re.compile(
    r"(?i)[.)][ \t]+(?:jan|feb|m[a\u00e4]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])"
)
_MONTH_AT_END = re.compile(r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\s*$")
_TAIL = re.compile(r"(?<=[0-9.,;:)])\s*\n[ \t]*[0-9]{1,2}[.)]?$")
_COUNTED = NUMERIC - {PhiLabel.DATE}
"""Labels that the number of an item has not; "3. April" begins a line too."""


def find_list_numbers(text: str, lines: Iterable[NoteLine]) -> Iterator[ClinicalValue]:
    """Yield the numbers of items of lists, ``2) `` and ``14. ``, where some lines begin."""
    for line in lines:
        match = _ITEM.match(text, line.start)
        if match is not None:
            # "March" may end the line before, and a month stand behind the number.
            before = text[max(0, match.start() - 12) : match.start()]
            dated = _MONTH_AT_END.search(before) or _DATED.match(text, match.end(1))
            yield ClinicalValue(*match.span(1), _COUNTED if dated else NUMERIC)


def cut_at_line_end(text: str, span: Span) -> Span:
    """Cut the number of the next line off a number, which a tagger reads as its last group."""
    tail = _TAIL.search(text[span.start : span.end]) if span.label in NUMERIC else None
    if tail is None or (
        span.label not in _COUNTED and text[span.end : span.end + 1] not in {".", ")"}
    ):
        return span
    end = span.start + len(text[span.start : span.start + tail.start()].rstrip(" .,;:"))
    return span.at(span.start, end) if end > span.start else span
