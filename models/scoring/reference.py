"""A gold note made ready: cut once, scored against as many recognizers as there are."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from deidstream.models.scoring.tokens import Extent, Run, pieces, tokens
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span


@dataclass(frozen=True, slots=True)
class Reference:
    """What predicted spans of one note are scored against."""

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


def refer(labelled: LabelledNote) -> Reference:
    """Cut a labelled note into its tokens."""
    text = labelled.note.text
    runs, spans = tokens(text), extents(labelled.spans)
    return Reference(len(text), len(text.split()), runs, spans, tuple(pieces(runs, spans)))


def extents(spans: Iterable[Span]) -> tuple[Extent, ...]:
    """Sort spans, each once, and drop what scoring does not look at."""
    return tuple(sorted({Extent(span.start, span.end, span.label) for span in spans}))
