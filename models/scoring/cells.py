"""The cells of a score table: which items are counted, and when one is found.

Source: the criteria and the HIPAA list are those of the i2b2/UTHealth 2014 evaluation scripts,
classes ``PHITrackEvaluation`` and ``Tag``; ``OVERLAP`` and ``COVERED`` are added.
"""

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
