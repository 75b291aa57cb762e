"""Define the cells of a score table: which items count, when one is found, and what is counted.

Source: the criteria and the HIPAA list are those of the i2b2/UTHealth 2014 evaluation scripts,
classes ``PHITrackEvaluation`` and ``Tag``; ``OVERLAP`` and ``COVERED`` are added.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from deidstream.schemas.label import PhiLabel


class Criterion(StrEnum):
    """When a gold span, or a token of it, is found."""

    STRICT = "strict"
    """A span: same start, same end."""
    RELAXED = "relaxed"
    """A span: same start, end within 2 characters, as in i2b2."""
    OVERLAP = "overlap"
    """A span: shares a character. One to one, as many pairs as can be made."""
    TOKEN = "token"  # noqa: S105 - no password
    """A token, as in i2b2: cut out of the span, with the same start and end."""
    COVERED = "covered"
    """A token: every character lies within spans of the other side. Redaction removes these."""


class LabelSet(StrEnum):
    """Which labels count."""

    ALL = "all"
    HIPAA = "hipaa"
    """The labels of ``HIPAA`` on both sides, as in i2b2. ``COVERED`` counts what is of the list but
    looks for it among all labels: a name that goes under another label goes all the same."""


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One way of scoring."""

    criterion: Criterion
    typed: bool
    """Whether the label must be the same too; otherwise the score is label-blind."""
    scope: LabelSet

    @property
    def name(self) -> str:
        """Such as ``strict typed all`` or ``token blind hipaa``."""
        return f"{self.criterion} {'typed' if self.typed else 'blind'} {self.scope}"


CELLS = tuple(Cell(*parts) for parts in product(Criterion, (True, False), LabelSet))
"""Every cell, in the order in which it is shown."""
REDACT = Cell(Criterion.COVERED, typed=False, scope=LabelSet.ALL)
"""The cell of redact recall: does a token leave the note, under whatever label?"""

HIPAA = frozenset(
    {
        PhiLabel.PATIENT,
        PhiLabel.AGE,
        PhiLabel.CITY,
        PhiLabel.STREET,
        PhiLabel.ZIP,
        PhiLabel.ORGANIZATION,
        PhiLabel.DATE,
        PhiLabel.PHONE,
        PhiLabel.FAX,
        PhiLabel.EMAIL,
        PhiLabel.SSN,
        PhiLabel.MEDICALRECORD,
        PhiLabel.HEALTHPLAN,
        PhiLabel.ACCOUNT,
        PhiLabel.LICENSE,
        PhiLabel.VEHICLE,
        PhiLabel.DEVICE,
        PhiLabel.BIOID,
        PhiLabel.IDNUM,
    }
)
"""The list of i2b2 with IDNUM, which its script names ``"IDNUM "`` and so never counts."""


def counts_in(scope: LabelSet, label: PhiLabel) -> bool:
    """Return whether a label counts in a scope."""
    return scope is LabelSet.ALL or label in HIPAA


NORMAL_95 = 1.959963984540054
"""Standard normal deviate that leaves 2.5 % on either side."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Items of one cell: spans or tokens."""

    found: int = 0
    """Gold items that were found: the numerator of recall."""
    gold: int = 0
    right: int = 0
    """Predicted items that are gold: the numerator of precision. One to one it equals ``found``."""
    predicted: int = 0

    @property
    def recall(self) -> float | None:
        """Share of the gold that was found; ``None`` where there is no gold."""
        return rate(self.found, self.gold)

    @property
    def precision(self) -> float | None:
        """Share of the predicted that is right; ``None`` where nothing was predicted."""
        return rate(self.right, self.predicted)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of both; ``None`` where either is undefined."""
        return harmonic(self.precision, self.recall)

    @property
    def recall_interval(self) -> tuple[float, float] | None:
        """Wilson 95 % interval of recall."""
        return wilson(self.found, self.gold)

    @property
    def precision_interval(self) -> tuple[float, float] | None:
        """Wilson 95 % interval of precision."""
        return wilson(self.right, self.predicted)


def add_counts(counts: Iterable[Counts]) -> Counts:
    """Add counts up."""
    rows = [(c.found, c.gold, c.right, c.predicted) for c in counts]
    return Counts(*map(sum, zip(*rows, strict=True))) if rows else Counts()


def rate(part: float, whole: float) -> float | None:
    """``part / whole``; ``None`` where the whole is 0."""
    return part / whole if whole else None


def harmonic(one: float | None, other: float | None) -> float | None:
    """Harmonic mean; 0 where both are 0, ``None`` where either is undefined."""
    if one is None or other is None:
        return None
    return 2 * one * other / (one + other) if one + other else 0.0


def wilson(part: int, whole: int) -> tuple[float, float] | None:
    """Wilson score interval of a share, 95 %; ``None`` where the whole is 0.

    It takes the items as independent. Those of one note are not, so it is somewhat too narrow.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    """
    if not whole:
        return None
    share, spread = part / whole, NORMAL_95**2 / whole
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    # At 0 and 1 the interval touches the share; rounding must not push it past.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
