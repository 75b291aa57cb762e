"""Records that pass from one pure stage to the next: detected, planned, substituted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from deidstream.models.mention import Identity, Mention
from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.text.search import Term
from deidstream.schemas.kneo_report import KneoReport
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Scope
from deidstream.schemas.span import Replacement, Span


@dataclass(frozen=True, slots=True, order=True)
class ConsistencyScope:
    """One mention, document, patient or tenant, within which an original has one surrogate."""

    digest: bytes
    """Keyed digest of the kind, the mapping epoch and the mention, document, patient or tenant."""
    owner: bytes
    """Key under which the store keeps the patient's values; empty where no patient owns them."""
    kind: Scope

    def __hash__(self) -> int:
        """Hash the digest alone: it tells the scopes apart, and keeps its hash."""
        return hash(self.digest)

    @property
    def within_note(self) -> bool:
        """Whether the scope lies inside one note, so that no other worker needs to know of it."""
        return self.kind is Scope.MENTION or self.kind is Scope.DOCUMENT


@dataclass(frozen=True, slots=True, order=True)
class ScopedIdentity:
    """An identity within its scope: the unit that has one surrogate."""

    scope: ConsistencyScope
    identity: Identity = field(repr=False)

    def __hash__(self) -> int:
        """Hash the texts that tell identities apart, without a step through each record."""
        return hash((self.scope.digest, self.identity.kind, self.identity.value))

    def sorting_key(self) -> tuple[bytes, bytes, str, str, str]:
        """A key that sorts as the comparison of two does, and much faster."""
        scope, identity = self.scope, self.identity
        return scope.digest, scope.owner, scope.kind, identity.kind, identity.value


@dataclass(frozen=True, slots=True)
class ScopedMention:
    """A mention, its scope, and the identities whose surrogates it is written from."""

    mention: Mention = field(repr=False)
    scope: ConsistencyScope
    identities: tuple[Identity, ...] = field(repr=False)


class Decision(StrEnum):
    """What changes the spans of a note on their way through detection: a closed list."""

    REPORTED = "reported"
    """The recognizers report them; what the tagger holds for possible is among them."""
    CORROBORATED = "corroborated"
    """Possible ones are no spans; the tagger may contradict a doubtful rule or term."""
    NOT_PHI = "not-phi"
    """Terms of the policy's allow list and of the built-in lists are dropped."""
    ALLOWED = "allowed"
    """What stands in an allowed phrase of several words is taken out."""
    CLINICAL = "clinical"
    """Scores, doses, times, codes and what codes are called are dropped, or cut off the edges."""
    HIDDEN = "hidden"
    """Those found where the note hides words, or tears them over two lines, are added."""
    FORM = "form"
    """Borders of HL7 fields and FHIR elements cut spans; what a field states is added."""
    TRIMMED = "trimmed"
    """Titles, grades, and what belongs to the next line are cut off the edges."""
    RECONCILED = "reconciled"
    """Overlapping spans become disjoint, by the borders and labels of the tagger, and lose at their
    edges what is no part of an identifier."""
    CALIBRATED = "calibrated"
    """Scores become probabilities."""
    THRESHOLD = "threshold"
    """Those that score less than the policy asks for are dropped."""
    SWEPT = "swept"
    """Other occurrences of direct identifiers are added."""
    REPEATED = "repeated"
    """Scores are raised to that of a surer span of the same words, or of the name whose initials or
    user name they are; mentions of what has a label of the site's own get that label."""
    REVIEWED = "reviewed"
    """A reviewer's marks are added, and what a reviewer cleared is taken out."""


class DetectionStep(NamedTuple):
    """The spans of a note after one decision about them."""

    decision: Decision
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Detected:
    """A note and the PHI found in it."""

    note: RawNote
    spans: tuple[Span, ...] = field(repr=False)
    """Disjoint, in order."""
    finished: frozenset[str]
    """The recognizers that finished on the note."""
    messages: Hl7Guard = field(repr=False)
    """The HL7 messages in its text."""
    counted: tuple[Span, ...] = field(repr=False, default=())
    """What they found and the policy let count, before it was reconciled."""
    dropped: tuple[Span, ...] = field(repr=False, default=())
    """What of it scores less than the policy asks for, and so stays in the text; disjoint."""
    doubts: tuple[Span, ...] = field(repr=False, default=())
    """What a recognizer saw, or the tagger holds for possible, and what stays in the text."""
    cleared: tuple[Span, ...] = field(repr=False, default=())
    """What a reviewer or an allowed phrase says is no PHI at its place; disjoint."""
    steps: tuple[DetectionStep, ...] = field(repr=False, default=())
    """How ``spans`` came about: the last step has them."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A note, and the surrogates it needs."""

    detected: Detected
    mentions: tuple[ScopedMention, ...] = field(repr=False)
    """One for each span, in order."""
    authored: ScopedMention | None = field(repr=False)
    """The date of writing in the note's metadata, where the policy replaces dates."""
    needs: Mapping[ScopedIdentity, Mention] = field(repr=False)
    """A mention of each identity; the operator of its label derives the surrogate."""
    leak_terms: tuple[Term, ...] = field(repr=False)
    """Terms that must not be left in the output: those that the sweep looked for."""
    exclusive: tuple[ScopedIdentity, ...] = field(repr=False, default=())
    """Those of ``needs`` whose surrogates the store gives to no other identity of their scope."""
    reserved: tuple[bytes, ...] = field(repr=False, default=())
    """Slots of the note's originals, which must not be given out as surrogates."""

    @property
    def note(self) -> RawNote:
        """The note as it came."""
        return self.detected.note

    def without_text(self) -> "Planned":
        """Return what an allocation needs of it: the identities, without the text around them."""
        note = replace(self.note, text="", form=None)
        detected = Detected(note, (), self.detected.finished, Hl7Guard.read(""))
        return replace(self, detected=detected, mentions=(), authored=None, leak_terms=())


@dataclass(frozen=True, slots=True)
class Recall:
    """A question to the store: the values of these names."""

    names: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A request to the store: keep each value whose name has none; return what each name has."""

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
    """In order, with the place of each in ``text``."""
    authored_at: str | None = field(repr=False, default=None)
    displaced: int = 0
    """Surrogates that could not be used because the note holds them as originals."""
    unread_dates: int = 0
    """Dates that should have been shifted, counted or shortened, and became labels instead."""
    written: tuple[tuple[int, int], ...] = ()
    """``[start, end)`` in ``text`` of what word KNEO wrote; in order, disjoint."""
    kept: tuple[tuple[int, int], ...] = ()
    """``[start, end)`` in ``text`` of the codes that word KNEO kept; in order, disjoint."""
    kneo: KneoReport | None = None
    """What KNEO did, under a technique of it."""


KNEO = "kneo"
"""Operator of a replacement whose whole sentence was replaced by a neighbour."""


def remaining(replacements: Iterable[Replacement]) -> tuple[Replacement, ...]:
    """Return the replacements whose own text is still part of the output."""
    return tuple(r for r in replacements if r.operator != KNEO)
