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
    FINDINGS = "findings"
    """It calls nothing normal unless the original does, and names no grave finding or decision that
    the original does not name: cancer, infarction, stroke, allergy, code status, consent …"""


class Otherwise(StrEnum):
    """What becomes of a sentence for which the pool has no neighbour."""

    DROP = "drop"
    """``[...]`` stands in its place."""
    REDACT = "redact"
    """It stays, with labels in place of its surrogates."""
    KEEP = "keep"
    """It stays, with its surrogates."""


class Take(StrEnum):
    """What is taken of the donors of a note."""

    ALIGNED = "aligned"
    """For each sentence of the note the nearest of theirs."""
    ALL = "all"
    """All their sentences, in their own order: the note is exchanged as a whole."""


class OtherLines(StrEnum):
    """What becomes of headings, short lines, cells and all else that is no prose."""

    KEEP = "keep"
    """They stay."""
    COMMON = "common"
    """Those stay that ``common_lines`` notes of the index have; the others are dropped."""
    DROP = "drop"


class OnUndeniable(StrEnum):
    """What becomes of a note whose own original stays too near to its output."""

    QUARANTINE = "quarantine"
    """It does not leave: ``UNDENIABLE``."""
    REDACT = "redact"
    """Every sentence is left out; of other lines only those stay that many notes have."""
    EMIT = "emit"
    """It leaves as near to deniability as it came; its record says so."""


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
    donors: Annotated[int, Interval(ge=0, le=50)] = 0
    """Notes of the index that neighbours come from, chosen by the note; 0: from any."""
    donors_among: Annotated[int, Interval(ge=1, le=1_000)] = 50
    """Nearest notes among which the donors are drawn."""
    same_type: bool = True
    """Donors are notes of the type that the note states, or else of that of most like it."""
    take: Take = Take.ALIGNED
    """What is taken of the donors."""
    other_lines: OtherLines = OtherLines.KEEP
    """What becomes of what is no prose."""
    common_lines: Annotated[int, Interval(ge=2, le=100_000)] = 5
    """Notes of the index that have a line for which ``other_lines`` counts it as common."""
    signs: bool = False
    """White square brackets stand around each sentence of the pool."""
    notice: bool = False
    """The text begins with a line that says that it is true of no single patient."""
    deniability: Annotated[int, Interval(ge=0, le=10_000)] = 0
    """Least rank of the own original among reference notes, by words and by vectors; 0: any."""
    references: Annotated[int, Interval(ge=1, le=100_000)] = 2_000
    """Most notes of the index that the output is compared with."""
    most_dropped: Annotated[float, Interval(ge=0.0, le=1.0)] = 0.5
    """Largest share of a note's units that may be dropped for the sake of deniability."""
    on_undeniable: OnUndeniable = OnUndeniable.QUARANTINE
    """What becomes of a note whose rank cannot be reached."""
