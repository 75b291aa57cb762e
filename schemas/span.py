"""A span of PHI in a note, and its replacement."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from operator import attrgetter

from deidstream.schemas.label import PhiLabel

POSSIBLE = "tagger:possible"
"""Source of what a tagger thinks possible but does not find; never part of a result."""
DENIED = "dictionary:deny"
"""Source of what the site's lists of terms deny."""
BY_PATTERN = "pattern"
"""Begins the source of what a pattern of the site found: ``pattern:case_number``."""
BY_LIST = "list"
"""Begins the source of what is a term of a list of the site: ``list:staff``."""
_LISTED = (DENIED, f"{BY_LIST}:")
_OF_SITE = (*_LISTED, f"{BY_PATTERN}:")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """``[start, end)`` in code points of one note's text, with its label."""

    start: int
    end: int
    label: PhiLabel
    score: float = 1.0
    """In a result the probability that it touches PHI (``detection.calibration``); in a report the
    claim of its recognizer, 1 for what is certain by form."""
    source: str = ""
    """The recognizer that found it, and its rule where it has one: ``rules:date.iso``."""
    own: str = ""
    """The name that the site's policy has for what is like the label; empty: none."""

    @property
    def name(self) -> str:
        """The name of its label: what outputs show, counts count and operators are chosen by."""
        return self.own or self.label

    @property
    def of_site(self) -> bool:
        """Whether the site's policy states it, by a term or a pattern of its own."""
        return self.source.startswith(_OF_SITE)

    @property
    def is_denied(self) -> bool:
        """Whether it is a term that the site lists as PHI."""
        return self.source.startswith(_LISTED)

    def at(self, start: int, end: int) -> "Span":
        """Return this span at another place, in a third of the time of ``dataclasses.replace``."""
        return Span(start, end, self.label, self.score, self.source, self.own)

    def scored(self, score: float) -> "Span":
        """Return this span with another score."""
        return Span(self.start, self.end, self.label, score, self.source, self.own)

    def __post_init__(self) -> None:
        """Refuse a span that is empty or starts before the text."""
        if not 0 <= self.start < self.end:
            msg = f"[{self.start}, {self.end}) is not a span"
            raise ValueError(msg)


_take_values = attrgetter(*(one.name for one in fields(Span)))


def sort_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Sort spans as ``sorted`` does, which makes two tuples for every comparison."""
    return tuple(sorted(spans, key=_take_values))


@dataclass(frozen=True, slots=True)
class Replacement:
    """A span of the input, its new text, and the place of that text in the output."""

    span: Span
    text: str = field(repr=False)
    operator: str
    out_start: int = 0
    out_end: int = 0
