"""Let the tagger speak against what only a doubtful rule has found."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from deidstream.schemas.span import POSSIBLE, Span

SURE = 0.96
"""A rule or dictionary entry this sure needs nobody's word."""
_TAGGER = "tagger"
_DOUBTED = ("rules", "dictionary")
_DENIED = "dictionary:deny"


def findings(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans that were found, without those that are only possible."""
    return tuple(span for span in spans if span.source != POSSIBLE)


def corroborated(spans: Sequence[Span], *, length: int) -> tuple[Span, ...]:
    """Drop what a rule or the dictionary is not sure of and the tagger is sure is nothing.

    A span stays whole if it scores ``SURE`` or more, or is known or denied by the site. Of another
    stays what lies between the first and the last character that the tagger thinks possibly PHI,
    if there are any.

    Args:
        spans: Of one note, with the tagger's ``POSSIBLE`` ones, in any order.
        length: Of the note, in code points.
    """
    heard = np.zeros(length, dtype=np.bool_)
    for span in spans:
        if span.source.startswith(_TAGGER):
            heard[span.start : span.end] = True
    return tuple(kept for span in findings(spans) for kept in _kept(span, heard))


def _kept(span: Span, heard: NDArray[np.bool_]) -> Iterator[Span]:
    if span.score >= SURE or span.source == _DENIED or not span.source.startswith(_DOUBTED):
        yield span
        return
    places = np.flatnonzero(heard[span.start : span.end])
    if len(places):
        start = span.start + int(places[0])
        yield replace(span, start=start, end=span.start + int(places[-1]) + 1)
