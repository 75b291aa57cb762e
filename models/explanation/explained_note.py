"""Records that explain a note: what was reported, decided and drawn. They hold its text."""

from dataclasses import dataclass, field
from enum import StrEnum

from deidstream.models.records import Decision
from deidstream.schemas.kneo_report import KneoReport
from deidstream.schemas.outcome import Outcome
from deidstream.schemas.policy import OperatorName, Policy, Scope
from deidstream.schemas.span import Span


@dataclass(frozen=True, slots=True)
class SpanDecision:
    """One decision that changed the spans at a place."""

    decision: Decision
    before: tuple[Span, ...] = field(repr=False)
    after: tuple[Span, ...] = field(repr=False)
    detail: str = field(repr=False, default="")
    """By what: a list, a threshold, the place that is repeated."""


class DrawReason(StrEnum):
    """Why an identity has this draw and no earlier one."""

    FIRST = "first"
    """It is the first draw of the identity."""
    NEXT = "next"
    """The earlier ones are originals, or surrogates of other identities of the scope."""
    SHARED = "shared"
    """All draws that are considered are held by others: it shares the last one with its holder."""
    REDRAWN = "redrawn"
    """The earlier ones are originals of this note, or stand in it for another identity."""


@dataclass(frozen=True, slots=True)
class ExplainedDraw:
    """The surrogate of one identity, and where it comes from."""

    kind: str
    """Kind of the identity, such as ``name.family``."""
    value: str = field(repr=False)
    """Normal form of the original, by which mentions share the surrogate; may be empty."""
    surrogate: str = field(repr=False)
    pool: str
    """What it was drawn from."""
    scope: Scope
    """Within it, the identity always has this surrogate."""
    number: int
    """Number of the draw, from 0."""
    reason: DrawReason


@dataclass(frozen=True, slots=True)
class ExplainedPiece:
    """A piece of a replaced span, as its operator reads it."""

    text: str = field(repr=False)
    role: str
    """What it is read as; ``kept`` for a piece that stays."""
    draw: ExplainedDraw | None
    """What it is written from; ``None`` for a piece that rests on no draw."""


@dataclass(frozen=True, slots=True)
class ExplainedReplacement:
    """How one span was replaced."""

    span: Span
    original: str = field(repr=False)
    text: str = field(repr=False)
    operator: str
    named: OperatorName
    """The operator that the policy names for the label."""
    doubtful: bool
    """Whether the span is too doubtful for it, so that another one ran, or it may add nothing."""
    labelled: bool
    """Whether the operator could not replace the span, so that its label stands there."""
    pieces: tuple[ExplainedPiece, ...]
    exchanged: bool
    """Whether KNEO replaced the whole sentence, so that ``text`` is not in the output."""


class PlaceEnd(StrEnum):
    """What became of a place."""

    REPLACED = "replaced"
    DROPPED = "dropped"
    """It stays in the text: a decision dropped what was reported."""
    POSSIBLE = "possible"
    """It stays in the text: the tagger holds it for possible, and less than its threshold asks."""
    UNREPORTED = "unreported"
    """It stays in the text: no recognizer reported it."""


@dataclass(frozen=True, slots=True)
class ExplainedPlace:
    """``[start, end)`` of a note, and all that was decided about it."""

    start: int
    end: int
    text: str = field(repr=False)
    ended: PlaceEnd
    reports: tuple[Span, ...]
    """What recognizers report, in the order of the text, with what is possible to the tagger."""
    decisions: tuple[SpanDecision, ...]
    """In order: the first one changes the reports, the last one leaves what is replaced."""
    replacements: tuple[ExplainedReplacement, ...]
    """How the spans that touch the place were replaced."""
    doubts: tuple[Span, ...]
    """What the risk of the note counts as possibly overlooked here."""


@dataclass(frozen=True, slots=True)
class ExplainedNote:
    """A note, what it became, and why."""

    outcome: Outcome
    note_id: str = field(repr=False, default="")
    """As it came; empty for a note that failed before it had surrogates."""
    text: str = field(repr=False, default="")
    """The text of the note; all offsets are of it."""
    policy: Policy | None = field(repr=False, default=None)
    """That made the outcome; ``None`` for a note that failed before it had surrogates."""
    places: tuple[ExplainedPlace, ...] = ()
    kneo: KneoReport | None = None
