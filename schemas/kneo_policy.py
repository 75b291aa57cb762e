"""The part of a policy about sentence KNEO: which neighbours may stand, and what else is done."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Interval


class Guard(StrEnum):
    """In what a neighbour may not contradict the sentence that it replaces."""

    NEGATION = "negation"
    """What one negates the other does not affirm, and both negate something or neither does."""
    LATERALITY = "laterality"
    """The neighbour names no side that the original does not name."""
    SEX = "sex"
    """It has no pronoun, title or organ of a sex that the original does not name."""
    NUMBERS = "numbers"
    """It has no number, with its unit, that the original lacks."""
    DRUGS = "drugs"
    """It names no drug that the original lacks, and what is done with a drug stays the same."""
    CHANGE = "change"
    """It says of nothing that it rose, fell, improved or worsened unless the original does."""


class Otherwise(StrEnum):
    """What becomes of a sentence for which the pool has no neighbour."""

    DROP = "drop"
    """``[...]`` stands in its place."""
    REDACT = "redact"
    """It stays, with labels in place of its surrogates."""
    KEEP = "keep"
    """It stays, with its surrogates."""


@dataclass(frozen=True, slots=True)
class KneoPolicy:
    """Sentence KNEO (Abdalla et al., sentence level)."""

    neighbours: Annotated[int, Interval(ge=1, le=100)] = 5
    """One of this many nearest sentences of the pool is drawn."""
    max_cosine: Annotated[float, Interval(ge=0.0, le=1.0)] = 0.98
    """A neighbour closer than this is the sentence itself and is passed over."""
    min_cosine: Annotated[float, Interval(ge=0.0, le=1.0)] = 0.4
    """A neighbour less close than this is another matter and is passed over."""
    max_jaccard: Annotated[float, Interval(ge=0.0, le=1.0)] = 0.9
    """A neighbour sharing more of its words than this is passed over."""
    min_words: Annotated[int, Interval(ge=1, le=50)] = 3
    """Shorter sentences and headings stay as they are."""
    guards: tuple[Guard, ...] = tuple(Guard)
    """In what a neighbour may not contradict the original."""
    otherwise: Otherwise = Otherwise.DROP
    """What becomes of a sentence without a neighbour that may stand in its place."""
