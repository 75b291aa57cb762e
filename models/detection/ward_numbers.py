"""Find the wards of a note that are numbered as another ward of it: ``W11`` beside ``W6``.

So short a number is no ward by itself. It is one where the note has another of its form, or the
same in a longer name: ``5A`` of ``Women's Pavilion 5A``.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deidstream.models.detection.stretches import Stretches
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

_SURE = 0.5
"""Probability that the ward needs which shows the form."""
_SHORT = re.compile(
    r"(?<![\w./+-])(?:(?![BCDGHLPSTV][0-9])[A-Z][A-Za-z]{0,4}[ -]?[0-9]{1,2}[A-Z]?"
    r"|[0-9]{1,2}[A-Z]{1,2})(?![\w/%+]|-\w|\.[0-9])"
)
"""A ward by its letters and number, but for those of vertebrae, vitamins, leads and grades."""
_LAST = re.compile(r"(?<![0-9A-Za-z])[0-9]{1,2}[A-Z]$")
"""What of a longer name stands for it alone: ``5A``."""
_DIGITS = re.compile("[0-9]+")


class Ward(NamedTuple):
    """``[start, end)`` of a ward, and the span that it is written as."""

    start: int
    end: int
    reason: Span


def find_wards_alike(text: str, spans: Sequence[Span]) -> Iterator[Ward]:
    """Yield the wards that no span covers and that are numbered as one that a span has.

    Args:
        text: Text of the note.
        spans: Disjoint, in order.
    """
    known: dict[str, Span] = {}
    for span in spans:
        if span.label is PhiLabel.HOSPITAL and span.score >= _SURE:
            for ward in _SHORT.finditer(text, span.start, span.end):
                if ward.span() == (span.start, span.end):
                    known.setdefault(_form(ward[0]), span)
                if last := _LAST.search(ward[0]):
                    known.setdefault(last[0], span)
    places = Stretches.of_spans(spans)
    for found in _SHORT.finditer(text) if known else ():
        reason = known.get(found[0]) or known.get(_form(found[0]))
        if reason is not None and places.within(*found.span()) is None:
            yield Ward(*found.span(), reason)


def _form(ward: str) -> str:
    return _DIGITS.sub("9", ward)
