"""Find where a text returns to the entries of a register, by their numbers or the ends of these.

A register, a log or a list numbers what it holds, and a remark below it says ``0216 returned`` or
``(03) arrived?``. So short a number is found anywhere by chance: it is that of an entry where a
remark or a cell begins, and where it stands alone in brackets. One of four digits is so anywhere,
unless it may be a year.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deidstream.models.detection.stretches import Stretches
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

_NUMBERED = frozenset({PhiLabel.IDNUM, PhiLabel.MEDICALRECORD})
_SURE = 0.5
"""Probability that the number of one entry needs."""
_FEWEST = 2
"""So many numbers make a register."""
_LAST = re.compile(r"(?<![0-9])[0-9]{2,6}$")
_FEWEST_DIGITS = 2
"""Digits of the end of a number that stands for it in brackets."""
_REMARK = (
    r"(?m:(?:^|\t|\|)[ ]*(?:[0-2]?[0-9][:.h]?[0-5][0-9][Hh]?[ \t]+)?)"
    r"(?:\((?P<end>[0-9]{2,6})\)|(?P<first>[0-9]{2,6}))"
)
_RETURN = re.compile(
    rf"{_REMARK}(?![0-9A-Za-z/.,)-])|\((?P<alone>[0-9]{{3,6}})\)"
    r"|(?<![\w/.,:+-])(?P<amid>(?!19|20)[0-9]{4})(?![\w/:%-]|[.,][0-9])"
)


class Return(NamedTuple):
    """``[start, end)`` of a number, and the span of the entry that it is of."""

    start: int
    end: int
    reason: Span


def find_returns(text: str, spans: Sequence[Span]) -> Iterator[Return]:
    """Yield the numbers by which a text returns to an entry, and that no span covers.

    Args:
        text: Text of the note.
        spans: Disjoint, in order.
    """
    entries = _find_entries(text, spans)
    if not entries:
        return
    places = Stretches.of_spans(spans)
    ends = {
        number[-size:]: span
        for number, span in entries.items()
        for size in range(_FEWEST_DIGITS, len(number) + 1)
    }
    for found in _RETURN.finditer(text):
        kind = found.lastgroup or ""
        start, end = found.span(kind)
        entry = (ends if kind == "end" else entries).get(found[kind])
        if entry is not None and places.within(start, end) is None:
            yield Return(start, end, entry)


def _find_entries(text: str, spans: Sequence[Span]) -> dict[str, Span]:
    """Return by their last digits the numbers of which one is sure and others are as long."""
    lengths: dict[int, dict[str, Span]] = defaultdict(dict)
    for span in spans:
        numbered = span.label in _NUMBERED
        number = _LAST.search(text, span.start, span.end) if numbered else None
        if number is not None:
            lengths[len(number[0])].setdefault(number[0], span)
    several = (numbers for numbers in lengths.values() if len(numbers) >= _FEWEST)
    return {
        number: span
        for numbers in several
        if max(span.score for span in numbers.values()) >= _SURE
        for number, span in numbers.items()
    }
