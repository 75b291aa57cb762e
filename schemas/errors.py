"""Everything that can go wrong, grouped by what the caller should do.

DeidError
├── Rejected               this note cannot pass: quarantine it, never retry
│   ├── InvalidNote        the message is not a note
│   ├── InvalidSpan        a span does not fit its text
│   ├── LeakDetected       PHI would survive in the output
│   ├── IdentifyingCorrelation  the correlation holds an identifier of the note
│   ├── UnscannableAttachment  the text of an attachment cannot be read
│   ├── TooSlow            the note takes more processor time than its budget
│   └── StageFailed        a stage raised on this note
├── Unavailable            Redis, Kafka or the accelerator: back off, retry, keep the input
└── Refused                do not start, or stop
    ├── InvalidSettings    every wrong setting, at once
    ├── InvalidPolicy      every wrong line of a policy, at once
    ├── MissingArtefact    a key, model or index is absent or does not match its checksum
    ├── MissingExtra       a library that is asked for is of an extra that is not installed
    ├── MostNotesFail      the deployment is wrong: a list, a model, a policy
    └── UntrustedStore     Redis may lose, or has lost, surrogates that cannot be made again

No message of any of these ever holds text of a note.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why a note was quarantined: a closed list, so that it may label a metric."""

    BAD_UTF8 = "BAD_UTF8"
    """The bytes are not UTF-8."""
    BAD_JSON = "BAD_JSON"
    """The bytes are not one JSON object."""
    BAD_UNICODE = "BAD_UNICODE"
    """A string holds a lone surrogate or a NUL."""
    MISSING_FIELD = "MISSING_FIELD"
    """A required field is absent or null."""
    WRONG_TYPE = "WRONG_TYPE"
    """A field is not of its type."""
    UNKNOWN_TENANT = "UNKNOWN_TENANT"
    """The tenant may not send notes."""
    UNSUPPORTED_LANGUAGE = "UNSUPPORTED_LANGUAGE"
    """The note is not in English, and the policy quarantines such notes."""
    EMPTY_TEXT = "EMPTY_TEXT"
    """There is no text to de-identify."""
    DUPLICATE_ID = "DUPLICATE_ID"
    """Another row of the same archive has this id and another text, and none is the newer one."""
    UNKNOWN_SCHEMA = "UNKNOWN_SCHEMA"
    """The record is of a newer schema than this version reads."""
    TOO_LARGE = "TOO_LARGE"
    """The input is over the size limit."""
    UNSUPPORTED_RESOURCE = "UNSUPPORTED_RESOURCE"
    """A FHIR resource of a type that is not read, or with an extension that changes its meaning."""
    BAD_DOCUMENT = "BAD_DOCUMENT"
    """XML that is not well-formed, has a document type, or has too many elements or levels."""
    UNSUPPORTED_DOCUMENT = "UNSUPPORTED_DOCUMENT"
    """XML that is no document of CDA R2."""
    SEVERAL_PATIENTS = "SEVERAL_PATIENTS"
    """A Bundle, or a document, is about several patients: each would be a note of its own."""
    REWRITTEN_RESOURCE = "REWRITTEN_RESOURCE"
    """The policy exchanges sentences or words, so that no resource or document can be written."""
    UNSCANNABLE_ATTACHMENT = "UNSCANNABLE_ATTACHMENT"
    """The text of an attachment cannot be read (``schemas.documents.attachment``)."""
    OUTPUT_TOO_LARGE = "OUTPUT_TOO_LARGE"
    """A record of the output is over the size limit of its topic or of the producer."""
    INVALID_SPAN = "INVALID_SPAN"
    """A recognizer reported a span outside the text."""
    RECOGNIZER_UNFINISHED = "RECOGNIZER_UNFINISHED"
    """Not every configured recognizer finished on the note."""
    LEAK_DETECTED = "LEAK_DETECTED"
    """The verifier found original PHI in the output."""
    IDENTIFYING_CORRELATION = "IDENTIFYING_CORRELATION"
    """The correlation holds an identifier of the note."""
    UNDENIABLE = "UNDENIABLE"
    """The output is nearer to its own original than the policy permits."""
    RISK_TOO_HIGH = "RISK_TOO_HIGH"
    """The policy quarantines notes of this risk level."""
    TOO_SLOW = "TOO_SLOW"
    """The note takes more processor time than its budget, or would."""
    STAGE_FAILED = "STAGE_FAILED"
    """A stage raised on this note, alone and repeatedly."""
    PROCESS_KILLED = "PROCESS_KILLED"
    """The process ended, again and again, while this note alone was in work."""


BY_SENDER = frozenset(
    {
        Reason.BAD_UTF8,
        Reason.BAD_JSON,
        Reason.BAD_UNICODE,
        Reason.MISSING_FIELD,
        Reason.WRONG_TYPE,
        Reason.UNKNOWN_TENANT,
        Reason.UNSUPPORTED_LANGUAGE,
        Reason.EMPTY_TEXT,
        Reason.DUPLICATE_ID,
        Reason.UNKNOWN_SCHEMA,
        Reason.TOO_LARGE,
        Reason.UNSUPPORTED_RESOURCE,
        Reason.BAD_DOCUMENT,
        Reason.UNSUPPORTED_DOCUMENT,
        Reason.SEVERAL_PATIENTS,
        Reason.REWRITTEN_RESOURCE,
        Reason.UNSCANNABLE_ATTACHMENT,
        Reason.IDENTIFYING_CORRELATION,
        Reason.UNDENIABLE,
        Reason.RISK_TOO_HIGH,
    }
)
"""Reasons that lie in the note; the others say that something is wrong here."""


class NoteField(StrEnum):
    """The fields of ``notes.raw``: a closed list, as the name of an unknown field may be PHI."""

    SCHEMA = "schema"
    NOTE_ID = "note_id"
    PATIENT_ID = "patient_id"
    TEXT = "text"
    TENANT = "tenant"
    NOTE_TYPE = "note_type"
    LANGUAGE = "language"
    AUTHORED_AT = "authored_at"
    STATUS = "status"
    RESOURCE = "resource"
    VERSION = "version"
    SOURCE_TIME = "source_time"
    DOCUMENT = "document"
    CORRELATION = "correlation"
    LINKS = "links"
    KNOWN = "known"
    KNOWN_NAMES = "known.names"
    KNOWN_IDENTIFIERS = "known.identifiers"
    KNOWN_DATES = "known.dates"
    KNOWN_PHONES = "known.phones"
    KNOWN_ADDRESSES = "known.addresses"
    KNOWN_STAFF = "known.staff"


class LeakKind(StrEnum):
    """How the verifier saw original PHI in an output: a closed list, so that it may label a metric.

    A kind names the check alone, never a label or text of the note.
    """

    KNOWN = "known"
    """An identifier that the message states, in any of its written forms."""
    REPEATED = "repeated"
    """A direct identifier of the note, at another place or in another written form."""
    FORMAT = "format"
    """A number or an address whose form or check digit shows what it is."""
    DETECTED = "detected"
    """What a recognizer finds in the output, and none of our surrogates is."""
    LOST = "lost"
    """A direct identifier that detection found and no stage replaced."""
    UNCHANGED = "unchanged"
    """A surrogate that equals what it replaces."""
    COPIED = "copied"
    """A long run of the note's own words where a neighbour should stand."""


class Stage(StrEnum):
    """The stages of a note, in order."""

    DECODE = "decode"
    DETECT = "detect"
    PLAN = "plan"
    RECALL = "recall"
    CHOOSE = "choose"
    CLAIM = "claim"
    SUBSTITUTE = "substitute"
    KNEO = "kneo"
    VERIFY = "verify"
    ASSESS = "assess"
    ENCODE = "encode"
    DELIVER = "deliver"
    PROCESS = "process"
    """No stage: the process ended, in a stage that nobody knows."""


class DeidError(Exception):
    """Anything this service raises on purpose.

    The error that it replaces is not kept: a ``UnicodeDecodeError``, for one, holds the bytes that
    it could not decode, and whoever reports an error may follow ``__context__`` to them.
    """

    @property
    def __context__(self) -> BaseException | None:
        """Return nothing, whatever error was being handled."""
        return None

    @__context__.setter
    def __context__(self, _replaced: BaseException | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Keep nothing."""


class Rejected(DeidError):
    """This note cannot pass; the notes beside it can."""

    field: NoteField | None = None
    """The field that is wrong, where one is."""
    position: int | None = None
    """The byte of the message at which reading ended, where it is no JSON."""

    def __init__(self, reason: Reason, stage: Stage) -> None:
        """Name the reason and the stage; never the note."""
        super().__init__(f"{reason} at {stage}")
        self.reason = reason
        self.stage = stage


class InvalidNote(Rejected):
    """The message is not a note."""

    def __init__(
        self, reason: Reason, field: NoteField | None = None, position: int | None = None
    ) -> None:
        """Name the reason and the place; the stage is always ``decode``."""
        super().__init__(reason, Stage.DECODE)
        self.field = field
        self.position = position


class InvalidSpan(Rejected):
    """A span does not fit its text."""

    def __init__(self, stage: Stage) -> None:
        """Name the stage that found it."""
        super().__init__(Reason.INVALID_SPAN, stage)


class LeakDetected(Rejected):
    """PHI would survive in the output; nothing was emitted."""

    def __init__(self, kind: LeakKind) -> None:
        """Name the check that saw it; any other detail is PHI."""
        super().__init__(Reason.LEAK_DETECTED, Stage.VERIFY)
        self.kind = kind


class IdentifyingCorrelation(Rejected):
    """The correlation holds an identifier of the note."""

    def __init__(self) -> None:
        """Name the field; any other detail is PHI."""
        super().__init__(Reason.IDENTIFYING_CORRELATION, Stage.VERIFY)
        self.field = NoteField.CORRELATION


class OutOfTime(DeidError):
    """A stage has used up its budget; the stage that it was becomes part of ``TooSlow``."""


class TooSlow(Rejected):
    """The note takes more processor time than its budget."""

    def __init__(self, stage: Stage) -> None:
        """Name the stage in which the budget was used up."""
        super().__init__(Reason.TOO_SLOW, stage)


class StageFailed(Rejected):
    """A stage raised an unforeseen error."""

    def __init__(self, stage: Stage) -> None:
        """Name the stage; the cause is dropped, as its message may hold text."""
        super().__init__(Reason.STAGE_FAILED, stage)


class Unavailable(DeidError):
    """A service is unavailable; the input stays unacknowledged and is retried."""

    def __init__(self, service: str, why: str = "") -> None:
        """Name the service, such as ``redis``, and say which address was tried and what failed."""
        super().__init__(f"cannot reach {service}: {why}" if why else f"cannot reach {service}")
        self.service = service


class Refused(DeidError):
    """The process must not start, or must stop."""


class InvalidSettings(Refused):
    """Settings are wrong; the message lists every mistake, one a line."""


class InvalidPolicy(Refused):
    """A policy is wrong; the message lists every mistake, one a line."""


class MissingArtefact(Refused):
    """A key, model or index is absent, or does not match its checksum."""


class MissingExtra(Refused):
    """A library is not installed, because its extra is not."""

    def __init__(self, what: str, extra: str) -> None:
        """Say what needs the extra, such as a command or an engine, and how to install it."""
        super().__init__(f"{what} needs the extra \"{extra}\": pip install 'deidstream[{extra}]'")


class UntrustedStore(Refused):
    """Redis may lose, or has lost, surrogates that cannot be made again; each fault on a line."""


class MostNotesFail(Refused):
    """Most notes fail by a fault that is ours; nothing more is acknowledged."""

    def __init__(self, failed: int, notes: int) -> None:
        """State the counts."""
        super().__init__(
            f"{failed} of the last {notes} notes failed here, not by their senders' fault: the "
            "deployment is wrong (docs/quarantine.md); the last ones were not acknowledged"
        )
