"""A clinical value in a note, and the labels of PHI that it cannot have."""

from dataclasses import dataclass

from deidstream.schemas.label import NUMBERS, PHONES, PhiLabel

DATES = frozenset({PhiLabel.DATE})
AGES = frozenset({PhiLabel.AGE})
TIMES = DATES | AGES
NUMERIC = TIMES | NUMBERS | PHONES | {PhiLabel.ZIP, PhiLabel.IPADDR, PhiLabel.STREET}
"""Labels whose spans may be mistaken for a number of clinical content."""
MACHINED = frozenset({PhiLabel.USERNAME, PhiLabel.URL})
"""Labels whose spans may be mistaken for a name that a program has or gives."""
ALL = frozenset(PhiLabel)


@dataclass(frozen=True, slots=True, order=True)
class ClinicalValue:
    """``[start, end)`` of a score, a length of time, a dose or a code."""

    start: int
    end: int
    refutes: frozenset[PhiLabel]
    """Labels that what stands here does not have."""
