"""What one note is after each pure stage of its way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from deidstream.models.operators.operator import Identity, Mention
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Replacement, Span


@dataclass(frozen=True, slots=True)
class Detected:
    """A note and the PHI found in it."""

    note: RawNote
    spans: tuple[Span, ...] = field(repr=False)
    """Disjoint, in order."""
    finished: frozenset[str]
    """The recognizers that finished on the note."""


@dataclass(frozen=True, slots=True)
class Need:
    """A surrogate that a note needs."""

    name: bytes
    """Where the store keeps it: a keyed digest."""
    label: PhiLabel
    """Whose operator derives it."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A note, and the surrogates it needs."""

    detected: Detected
    mentions: tuple[Mention, ...] = field(repr=False)
    """One for each span, in order."""
    authored: Mention | None = field(repr=False)
    """The date the note was written, where the policy shifts dates."""
    needs: Mapping[Identity, Need] = field(repr=False)

    @property
    def note(self) -> RawNote:
        """The note as it came."""
        return self.detected.note


@dataclass(frozen=True, slots=True)
class Substituted:
    """A note's new text, not yet verified."""

    planned: Planned
    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)
    """In order; where each landed in ``text``."""
    authored_at: str | None = field(repr=False, default=None)
    displaced: int = 0
    """Surrogates that could not be used because the note holds them as originals."""


KNEO = "kneo"
"""Operator of a replacement that went when its sentence became a neighbour."""


def standing(replacements: Iterable[Replacement]) -> tuple[Replacement, ...]:
    """The replacements whose own text still stands in the output."""
    return tuple(r for r in replacements if r.operator != KNEO)
