"""Find the numbers of the rows of a register, and where it returns to them, which read as ages.

``62 | Wife of 61, Dije`` names no age: the rows of its table are counted by one.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from deidstream.models.detection.clinical.value import AGES, ClinicalValue

_ROW = re.compile(r"(?m)^[ \t]{0,4}([0-9]{1,3})(?=[ ]?[|;\t])")
_RETURN = re.compile(
    r"(?i)(?<![a-z])(?:wife|husband|spouse|partner|mother|father|mum|dad|brother|sister|twin|same)"
    r" (?:of|as|to) (?:no\.? ?|row |#)?([0-9]{1,3})(?![0-9A-Za-z/.%-])"
)
_FEWEST = 3


def find_row_numbers(text: str) -> Iterator[ClinicalValue]:
    """Yield the numbers of at least three rows, all but one counted by one, and what names them."""
    rows = list(_ROW.finditer(text))
    numbers = [int(row[1]) for row in rows]
    counted = sum(later - earlier == 1 for earlier, later in pairwise(numbers))
    if len(rows) < _FEWEST or counted < len(rows) - 2:
        return
    known = set(numbers)
    for found in (*rows, *(one for one in _RETURN.finditer(text) if int(one[1]) in known)):
        yield ClinicalValue(*found.span(1), AGES)
