"""Cut a note into tokens, the tokens out of spans, and a gold note once for every recognizer."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import re2

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span

_RUN = re2.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*")


class Extent(NamedTuple):
    """A labelled stretch ``[start, end)`` of a note: a span without its score, or a piece of it."""

    start: int
    end: int
    label: PhiLabel


Run = tuple[int, int]
"""``[start, end)`` of a token, in code points."""


def tokens(text: str) -> tuple[Run, ...]:
    """Find the tokens of a text: longest runs of letters and digits of any script, in order.

    i2b2 cuts by ``[a-zA-Z0-9]+``. This is the same on ASCII; beyond it a letter is a letter and the
    marks that follow it (accents, vowel signs) belong to it.
    """
    return tuple(match.span() for match in _RUN.finditer(text))


def pieces(runs: Sequence[Run], extents: Iterable[Extent]) -> list[Extent]:
    """Cut extents into their tokens; of a token that an extent cuts, the part inside.

    Args:
        runs: The tokens of the whole text, in order.
        extents: Any stretches of that text.
    """
    return [piece for extent in extents for piece in _cut(runs, extent)]


def _cut(runs: Sequence[Run], extent: Extent) -> Iterator[Extent]:
    place = bisect_right(runs, extent.start, key=_end)
    while place < len(runs) and runs[place][0] < extent.end:
        start, end = runs[place]
        yield Extent(max(start, extent.start), min(end, extent.end), extent.label)
        place += 1


def _end(run: Run) -> int:
    return run[1]


@dataclass(frozen=True, slots=True)
class Reference:
    """The gold side of one note: what predicted spans are scored against."""

    length: int
    """Code points."""
    words: int
    """Words between white space."""
    runs: tuple[Run, ...] = field(repr=False)
    """Tokens of the whole note, in order."""
    spans: tuple[Extent, ...] = field(repr=False)
    """Gold spans; disjoint, in order."""
    pieces: tuple[Extent, ...] = field(repr=False)
    """Their tokens, in order."""


def prepare_reference(labelled: LabelledNote) -> Reference:
    """Cut a labelled note into its tokens."""
    text = labelled.note.text
    runs, spans = tokens(text), extents(labelled.spans)
    return Reference(len(text), len(text.split()), runs, spans, tuple(pieces(runs, spans)))


def extents(spans: Iterable[Span]) -> tuple[Extent, ...]:
    """Sort spans, each once, and drop what scoring does not look at."""
    return tuple(sorted({Extent(span.start, span.end, span.label) for span in spans}))
