"""What one note is after each pure stage of its way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from deidstream.models.mention import Identity, Mention
from deidstream.models.text.search import Term
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Scope
from deidstream.schemas.span import Replacement, Span


@dataclass(frozen=True, slots=True, order=True)
class Realm:
    """One consistency scope: this patient, this document, this mention or this tenant."""

    digest: bytes
    """Keyed; of the scope's kind, the mapping epoch and whose it is."""
    owner: bytes
    """Under which the store keeps what belongs to the patient; empty: to no patient."""
    scope: Scope

    @property
    def alone(self) -> bool:
        """Whether one note holds all of it, so that no other worker need know of it."""
        return self.scope in {Scope.MENTION, Scope.DOCUMENT}


@dataclass(frozen=True, slots=True, order=True)
class Scoped:
    """An identity within its scope: what has one surrogate."""

    realm: Realm
    identity: Identity = field(repr=False)


@dataclass(frozen=True, slots=True)
class Detected:
    """A note and the PHI found in it."""

    note: RawNote
    spans: tuple[Span, ...] = field(repr=False)
    """Disjoint, in order."""
    finished: frozenset[str]
    """The recognizers that finished on the note."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A note, and the surrogates it needs."""

    detected: Detected
    mentions: tuple[Mention, ...] = field(repr=False)
    """One for each span, in order."""
    authored: Mention | None = field(repr=False)
    """The date the note was written, where the policy shifts dates."""
    needs: Mapping[Scoped, PhiLabel] = field(repr=False)
    """Whose operator derives each surrogate."""
    leak_terms: tuple[Term, ...] = field(repr=False)
    """What must not be left of the note in its output: the terms that the sweep looked for."""
    realms: tuple[Realm, ...] = ()
    """The scope of each mention, in order, then of ``authored``."""
    registered: tuple[Scoped, ...] = field(repr=False, default=())
    """Those of ``needs`` whose surrogates are nobody else's in their scopes, by the store."""
    marks: tuple[bytes, ...] = field(repr=False, default=())
    """Slots of the note's originals, which are to be nobody's surrogate."""

    @property
    def note(self) -> RawNote:
        """The note as it came."""
        return self.detected.note


@dataclass(frozen=True, slots=True)
class Recall:
    """Asks the store for the values of names."""

    names: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """Asks the store to keep values under names that have none, and for what they have then."""

    pairs: tuple[tuple[bytes, bytes], ...]

    @property
    def names(self) -> tuple[bytes, ...]:
        """The names, in order."""
        return tuple(name for name, _ in self.pairs)


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
    unread_dates: int = 0
    """Dates that were to be moved, counted or shortened, and could be redacted only."""


KNEO = "kneo"
"""Operator of a replacement that went when its sentence became a neighbour."""


def standing(replacements: Iterable[Replacement]) -> tuple[Replacement, ...]:
    """The replacements whose own text still stands in the output."""
    return tuple(r for r in replacements if r.operator != KNEO)
