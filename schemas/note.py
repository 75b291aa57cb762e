"""A clinical note as it comes in, and the stamps of its output.

Text stays ``str``, in fields with ``repr=False``. A wrapper type would have to be opened in some
sixty functions that cut and match text. Instead, a test (``tests/contract/test_object_text.py``)
fails if ``repr``, ``str`` or ``format`` of any object shows text of a note in the pipeline.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from deidstream.schemas.documents.note_form import NoteForm


class NoteStatus(StrEnum):
    """What a record says of an earlier one with the same note id; absent: it is a new note."""

    CORRECTED = "corrected"
    """This text stands in place of the earlier one."""
    CANCELLED = "cancelled"
    """The earlier note must no longer be used; the record has no text."""


@dataclass(frozen=True, slots=True)
class KnownIdentifiers:
    """The PHI of a note that the sender already knows; any field may be empty."""

    names: tuple[str, ...] = field(default=(), repr=False)
    """Names of the patient and of relatives."""
    identifiers: tuple[str, ...] = field(default=(), repr=False)
    dates: tuple[str, ...] = field(default=(), repr=False)
    phones: tuple[str, ...] = field(default=(), repr=False)
    addresses: tuple[str, ...] = field(default=(), repr=False)
    staff: tuple[str, ...] = field(default=(), repr=False)
    """Names of those who treat the patient, or write about them."""


class LinkType(StrEnum):
    """What one patient number is to another one, as FHIR names it; ``apart`` is ours."""

    REPLACES = "replaces"
    """The patient survives: the other number is one that it was merged with."""
    REPLACED_BY = "replaced-by"
    """The other number survives."""
    SEEALSO = "seealso"
    """Both are of one person and stay in use."""
    APART = "apart"
    """They are not of one person, whatever was said before."""


@dataclass(frozen=True, slots=True)
class PatientLink:
    """What a sender says of the number of a note's patient and another number."""

    type: LinkType
    patient_id: str = field(repr=False)
    """The other number."""


@dataclass(frozen=True, slots=True)
class RawNote:
    """One clinical document as a hospital sent it; its ``repr`` shows none of it."""

    note_id: str = field(repr=False)
    patient_id: str = field(repr=False)
    text: str = field(repr=False)
    tenant: str = field(default="default", repr=False)
    note_type: str | None = field(default=None, repr=False)
    language: str | None = field(default=None, repr=False)
    authored_at: str | None = field(default=None, repr=False)
    known: KnownIdentifiers = field(default_factory=KnownIdentifiers, repr=False)
    status: NoteStatus | None = None
    form: NoteForm | None = field(default=None, repr=False)
    """What the text was taken from, where the note came as a structured document."""
    version: int | None = None
    """Number of the version in the source; a higher one is newer."""
    source_time: str | None = field(default=None, repr=False)
    """When the source changed the note, ISO 8601; a later one is newer, whatever the version."""
    correlation: str | None = field(default=None, repr=False)
    """Chosen by the sender; its outputs carry it unchanged (``schemas.correlation``)."""
    links: tuple[PatientLink, ...] = field(default=(), repr=False)
    """Numbers that the patient was merged with, or is apart from."""
    states_links: bool = False
    """Whether ``links`` are all that the document states, so that an earlier one is withdrawn."""
    merged_id: str | None = field(default=None, repr=False)
    """The number that the sender states, if it was merged: ``patient_id`` is the surviving one."""

    @property
    def cancelled(self) -> bool:
        """Whether it takes an earlier note back; its text is empty then."""
        return self.status is NoteStatus.CANCELLED


@dataclass(frozen=True, slots=True)
class PolicyStamp:
    """Which policy made an output."""

    name: str
    sha256: str
    release: str = ""
    """Release whose ids the output has (``Policy.id_release``)."""


@dataclass(frozen=True, slots=True)
class PipelineStamp:
    """Which software, models and key made an output; nothing in it depends on time."""

    version: str
    recognizers: tuple[str, ...]
    """The recognizers that all finished on the note, sorted."""
    tagger: str | None
    """Digest of the tagger's weights; of both, with a comma, if two judge; ``None`` when the policy
    names no tagger."""
    embedder: str | None
    index: str | None
    """Digest of the index's manifest; ``None`` when none is used."""
    key_version: int
    mapping: str = "prf"
    """``prf``: surrogates follow from the key; ``random``: from seeds that the store alone has."""
    epoch: int = 1
    """Mapping epoch: in another one all surrogates are other ones."""
    vectors: str | None = None
    """Digest of the word vectors' manifest; ``None`` when no words are drawn."""
