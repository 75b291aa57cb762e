"""What a row writes down while it acts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """Something that the nemesis did, or that happened."""

    at: float
    """Of the monotonic clock."""
    kind: str
    """``fault``, ``healed`` or ``seen``."""
    what: str
    limit: float = 0.0
    """Of a healed fault: the seconds within which there must be progress."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One more thing that a row demands."""

    what: str
    held: bool
    detail: str = ""
