"""How likely a note is to be re-identified."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class RiskLevel(StrEnum):
    """DeIDClinic's three levels, section 3.3.4."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"


@dataclass(frozen=True, slots=True)
class RiskReport:
    """The risk of one de-identified note."""

    level: RiskLevel
    score: float
    """In ``[0, 1]``, rounded to four digits."""
    measures: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    reasons: tuple[str, ...] = ()
    """Codes such as ``UNIQUE_CONTEXT:DATE``, most weighty first; never text."""
    method: str = "context-uniqueness"
