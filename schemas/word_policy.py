"""The part of a policy about word KNEO: how far words move, and what becomes of all else."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Interval


class NumberRule(StrEnum):
    """What becomes of a number."""

    LABEL = "label"
    """``[NUMBER]`` stands in its place."""
    PERTURB = "perturb"
    """Another number of as many digits, drawn by the key."""
    KEEP = "keep"
    """It stays: numbers in a row single a note out."""


class CodeRule(StrEnum):
    """What becomes of the letters and digits of a code, such as ``T2DM`` or ``E11.9``."""

    EXCHANGE = "exchange"
    """Its words and numbers are written as all others are."""
    KEEP = "keep"
    """It stays, unless it resembles an identifier of the note: a reader of codes needs them, and an
    overlooked identifier of this form stays too."""


class UnknownRule(StrEnum):
    """What becomes of a word that has no neighbour."""

    LABEL = "label"
    """``[UNK]`` stands in its place."""
    DROP = "drop"
    """Nothing stands in its place."""


class DrawnFor(StrEnum):
    """How long a drawn neighbour counts."""

    MENTION = "mention"
    """Each occurrence of a word is drawn by itself."""
    NOTE = "note"
    """A word has one neighbour throughout a note."""


@dataclass(frozen=True, slots=True)
class WordPolicy:
    """Word KNEO (Abdalla et al., Algorithm 1)."""

    degree: Annotated[int, Interval(ge=2, le=100)] = 3
    """Degree of obfuscation: one of this many nearest words is drawn."""
    degree_to: Annotated[int, Interval(ge=2, le=100)] = 14
    """The degree is drawn from ``degree`` to this for each word; the same: it is fixed."""
    drawn_for: DrawnFor = DrawnFor.NOTE
    """How long a drawn neighbour counts. Several neighbours of one word tell more of it."""
    numbers: NumberRule = NumberRule.LABEL
    """What becomes of a number."""
    codes: CodeRule = CodeRule.EXCHANGE
    """What becomes of a code: letters and digits in one, of at most three digits in a row."""
    unknown: UnknownRule = UnknownRule.LABEL
    """What becomes of a word without neighbours."""
    signs: bool = False
    """White square brackets stand around each drawn word and number."""
