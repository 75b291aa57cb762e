"""The outcome of a note: anonymized with its risk, or failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import (
    LeakDetected,
    LeakKind,
    NoteField,
    Reason,
    Rejected,
    Stage,
)
from deidstream.schemas.kneo_report import KneoReport
from deidstream.schemas.languages import UNDETERMINED
from deidstream.schemas.note import LinkType, NoteStatus, PipelineStamp, PolicyStamp
from deidstream.schemas.permit import EmitPermit


class RiskLevel(StrEnum):
    """The three levels of DeIDClinic, section 3.3.4."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"


class LevelRule(StrEnum):
    """What said from which score on a note is yellow or red."""

    THRESHOLD = "threshold"
    """The thresholds of the policy."""
    SHARE = "share"
    """The share of all notes that the policy wants to be red."""
    SHARE_OF_TYPE = "share-of-type"
    """The same, among the notes of the note's own type."""


@dataclass(frozen=True, slots=True)
class LevelCuts:
    """The scores from which a note is yellow and red."""

    yellow: float
    red: float

    def level_of(self, score: float) -> RiskLevel:
        """Return the level of a score; one that reaches a cut has its level."""
        if score >= self.red:
            return RiskLevel.RED
        return RiskLevel.YELLOW if score >= self.yellow else RiskLevel.GREEN


@dataclass(frozen=True, slots=True)
class RiskReport:
    """How likely one de-identified note is to be re-identified."""

    level: RiskLevel
    score: float
    """The value of the worst measure, in ``[0, 1]``, rounded to four digits."""
    measures: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    reasons: tuple[str, ...] = ()
    """Codes such as ``UNIQUE_CONTEXT:DATE``, most weighty first; never text."""
    method: str = "context-uniqueness"
    """The measures that made the level."""
    method_version: int = 1
    """Counts the ways in which measures were computed; 1: the uniqueness of contexts alone."""
    rule: LevelRule = LevelRule.THRESHOLD
    """By which rule the level was made."""
    cuts: LevelCuts | None = None
    """What was in force for the measure of the score."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Among which notes the level of one is decided, where its policy has levels by share.

    Both names are keyed digests: they tell nothing of a tenant, and a note type may be anything.
    """

    group: str
    """Of the notes of one tenant under one policy."""
    note_type: str
    """Of those of its type; empty: it has none."""
    red_share: float
    yellow_share: float
    """Beside those that are red."""


@dataclass(frozen=True, slots=True)
class Changes:
    """How much of a note was replaced for the sake of its identifiers."""

    words: int
    """Words and numbers of the note that its replacements do not have."""
    clinical: int
    """Those of them that belong to the vocabulary of notes, so that a fact may have been lost."""
    labels: int
    """Replacements that are labels, such as ``[DATE]``."""


@dataclass(frozen=True, slots=True)
class AnonymizedNote:
    """A note that may leave. Its ids are pseudonyms; its text comes from a permit."""

    output_id: str
    note_id: str
    patient_id: str
    permit: EmitPermit = field(repr=False)
    technique: str
    policy: PolicyStamp
    pipeline: PipelineStamp
    language: str = UNDETERMINED
    """Code of BCP 47 (``models.text.language``)."""
    note_type: str | None = None
    authored_at: str | None = field(default=None, repr=False)
    correlation: str | None = None
    """As the sender chose it."""
    changes: Changes | None = None
    """What identifiers cost; what KNEO exchanged beside them is in ``kneo``."""
    kneo: KneoReport | None = None
    precedence: str | None = None
    """Greater for a newer version of the note (``models.precedence``); ``None``: unknown."""
    status: NoteStatus | None = None
    """As it came: ``corrected`` where it stands in place of an earlier output of the note."""
    resource: bytes | None = field(default=None, repr=False)
    """The FHIR resource that the text was cut out of, de-identified, in JSON."""
    document: str | None = field(default=None, repr=False)
    """The clinical document that the text was cut out of, de-identified, in XML."""

    @property
    def text(self) -> str:
        """The de-identified text."""
        return self.permit.text


@dataclass(frozen=True, slots=True)
class LinkedPatients:
    """What a sender said of two patients, by their pseudonyms alone."""

    output_id: str
    patient_id: str
    """The patient that survives, where one replaces the other."""
    type: LinkType
    """What ``patient_id`` is to ``other_id``; never ``replaced-by``."""
    other_id: str
    policy: PolicyStamp
    pipeline: PipelineStamp


@dataclass(frozen=True, slots=True)
class Anonymized:
    """The note passed every stage."""

    note: AnonymizedNote
    risk: RiskReport
    displaced: int = 0
    """Surrogates not used in this note because it holds them as originals."""
    unread_dates: int = 0
    """Dates that should have been shifted, counted or shortened, and became labels instead."""
    patients: tuple[LinkedPatients, ...] = ()
    """What the message said of patients, whatever became of its note."""
    ranking: Ranking | None = None
    """Where its level waits for a share; ``None``: the level is final."""


@dataclass(frozen=True, slots=True)
class Retracted:
    """The sender takes a note back: readers delete what they have of it."""

    output_id: str
    note_id: str
    patient_id: str
    policy: PolicyStamp
    pipeline: PipelineStamp
    precedence: str | None = None
    """As that of a note; ``None``: it takes back what was there before it."""
    patients: tuple[LinkedPatients, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """The note did not pass; its text is not written anywhere."""

    reason: Reason
    stage: Stage
    attempts: int = 1
    stamp: PipelineStamp | None = None
    """Stamp of the pipeline it failed in, where that is a tenant's own."""
    field: NoteField | None = None
    """The field that is wrong, where one is."""
    position: int | None = None
    """The byte of the message at which reading ended, where it is no JSON."""
    leak: LeakKind | None = None
    """How the verifier saw a leak, where that is the reason."""
    fault: AttachmentFault | None = None
    """Why the text of an attachment cannot be read, where that is the reason."""
    correlation: str | None = None
    """As the sender chose it, where none of its words is a word of the note."""
    patients: tuple[LinkedPatients, ...] = ()

    @classmethod
    def by(cls, rejected: Rejected, attempts: int = 1) -> "Failed":
        """Return the outcome of a note that was rejected."""
        return cls(
            rejected.reason,
            rejected.stage,
            attempts,
            field=rejected.field,
            position=rejected.position,
            leak=rejected.kind if isinstance(rejected, LeakDetected) else None,
            fault=rejected.fault if isinstance(rejected, UnscannableAttachment) else None,
        )


Outcome = Anonymized | Retracted | Failed


Place = tuple[str, int]
"""Topic and partition."""


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The topic, partition and offset of a message in Kafka."""

    topic: str
    partition: int
    offset: int

    @property
    def place(self) -> Place:
        """Topic and partition."""
        return self.topic, self.partition


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A failed note's record: coordinates and a reason, never its text."""

    source: Coordinates
    failed: Failed
    pipeline: PipelineStamp
