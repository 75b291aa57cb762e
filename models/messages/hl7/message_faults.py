"""Why a message is not taken: a closed list of codes, which the answer to its sender states."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from deidstream.schemas.errors import DeidError


class MessageFault(StrEnum):
    """Why a message is not taken; a label of a metric, and ERR-5 of the answer."""

    BAD_FRAME = "BAD_FRAME"
    """What was sent is no MLLP block."""
    UNFINISHED = "UNFINISHED"
    """The end of the block did not come in time."""
    TOO_LARGE = "TOO_LARGE"
    """It is over the limit of this listener, or of the topic."""
    NO_HEADER = "NO_HEADER"
    """It does not begin with MSH and five separators."""
    UNKNOWN_CHARACTER_SET = "UNKNOWN_CHARACTER_SET"
    """MSH-18 names a character set that is not read here, or several."""
    BAD_CHARACTERS = "BAD_CHARACTERS"
    """Its bytes are not of the character set that it names."""
    UNSUPPORTED_TYPE = "UNSUPPORTED_TYPE"
    """MSH-9.1 is none that is taken."""
    UNSUPPORTED_EVENT = "UNSUPPORTED_EVENT"
    """MSH-9.2 is no event that is taken of that type."""
    NO_CONTROL_ID = "NO_CONTROL_ID"
    """MSH-10 is empty."""
    NO_PATIENT = "NO_PATIENT"
    """PID-3 is missing or empty."""
    SEVERAL_MESSAGES = "SEVERAL_MESSAGES"
    """The block holds more than one message, and is no batch."""
    SEVERAL_PATIENTS = "SEVERAL_PATIENTS"
    """It is about more than one patient."""
    NO_DOCUMENT = "NO_DOCUMENT"
    """It takes a document back, and TXA-12 says not which."""
    BAD_SEGMENT = "BAD_SEGMENT"
    """A line is not a segment, and belongs to no free text."""
    TOO_MANY_VALUES = "TOO_MANY_VALUES"
    """It names more people, numbers and addresses than can be looked for."""
    UNKNOWN_SENDER = "UNKNOWN_SENDER"
    """MSH-4 is no facility that may send."""
    CHANGED_DUPLICATE = "CHANGED_DUPLICATE"
    """Its sender has used MSH-10 before, for another message."""
    KAFKA_UNAVAILABLE = "KAFKA_UNAVAILABLE"
    """The broker has not confirmed it: send it again."""
    INTERNAL = "INTERNAL"
    """Something is wrong here: send it again later."""


@dataclass(frozen=True, slots=True)
class FaultAnswer:
    """How the answer to a sender states a fault."""

    code: str
    """AE; AR for what this listener never takes, whatever the content is (table 0008)."""
    condition: int
    """The code of the fault in table 0357."""
    words: str
    """The fault in words, those of table 0357 or ours."""


_REJECTED, _ERROR = "AR", "AE"
ANSWERS: Mapping[MessageFault, FaultAnswer] = MappingProxyType(
    {
        MessageFault.BAD_FRAME: FaultAnswer(_REJECTED, 100, "No MLLP block"),
        MessageFault.UNFINISHED: FaultAnswer(_ERROR, 100, "End of the MLLP block did not come"),
        MessageFault.TOO_LARGE: FaultAnswer(_REJECTED, 207, "Message too large"),
        MessageFault.NO_HEADER: FaultAnswer(_REJECTED, 100, "No message header"),
        MessageFault.UNKNOWN_CHARACTER_SET: FaultAnswer(_REJECTED, 103, "Unknown character set"),
        MessageFault.BAD_CHARACTERS: FaultAnswer(_ERROR, 102, "Not of the character set it names"),
        MessageFault.UNSUPPORTED_TYPE: FaultAnswer(_REJECTED, 200, "Unsupported message type"),
        MessageFault.UNSUPPORTED_EVENT: FaultAnswer(_REJECTED, 201, "Unsupported event code"),
        MessageFault.NO_CONTROL_ID: FaultAnswer(_REJECTED, 101, "Required field missing"),
        MessageFault.NO_PATIENT: FaultAnswer(_ERROR, 101, "Required field missing"),
        MessageFault.SEVERAL_MESSAGES: FaultAnswer(_REJECTED, 100, "More than one message"),
        MessageFault.SEVERAL_PATIENTS: FaultAnswer(_ERROR, 100, "More than one patient"),
        MessageFault.NO_DOCUMENT: FaultAnswer(_ERROR, 101, "Required field missing"),
        MessageFault.BAD_SEGMENT: FaultAnswer(_ERROR, 100, "A line is not a segment"),
        MessageFault.TOO_MANY_VALUES: FaultAnswer(_ERROR, 207, "Too many names and numbers"),
        MessageFault.UNKNOWN_SENDER: FaultAnswer(_REJECTED, 207, "Facility may not send"),
        MessageFault.CHANGED_DUPLICATE: FaultAnswer(_ERROR, 205, "Duplicate key identifier"),
        MessageFault.KAFKA_UNAVAILABLE: FaultAnswer(_ERROR, 207, "Not stored, send again"),
        MessageFault.INTERNAL: FaultAnswer(_ERROR, 207, "Application internal error"),
    }
)


class MessageRefused(DeidError):
    """This message is not taken; its sender keeps it, and is told why."""

    def __init__(self, fault: MessageFault) -> None:
        """Name the fault; never the message."""
        super().__init__(fault)
        self.fault = fault
