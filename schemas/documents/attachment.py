"""Why the text of an attachment cannot be read."""

from enum import StrEnum

from deidstream.schemas.errors import Reason, Rejected, Stage


class AttachmentFault(StrEnum):
    """Why an attachment is unscannable: a closed list, so that it may label a metric."""

    UNKNOWN_TYPE = "unknown_type"
    """Its type is not one of those that are read, and its first bytes do not show one."""
    BAD_CHARSET = "bad_charset"
    """Its character set is not one of those that are read, or the bytes are not of it."""
    MALFORMED = "malformed"
    """The bytes are not of its type."""
    ENCRYPTED = "encrypted"
    """It needs a password."""
    IMAGE_ONLY = "image_only"
    """Its pages have no text: a scan, or a fax."""
    EMPTY = "empty"
    """It has no text."""
    TOO_LARGE = "too_large"
    """The bytes, or the text, are more than the limit."""
    EXPANDS = "expands"
    """Unpacked, it is larger than the limit."""
    TOO_MANY_PAGES = "too_many_pages"
    """It has more pages or parts than the limit."""
    TOO_DEEP = "too_deep"
    """It is nested deeper than the limit."""
    TOO_SLOW = "too_slow"
    """Reading it takes more processor time than the limit."""
    NOT_WRITTEN = "not_written"
    """It was read, but does not come out with the de-identified text."""


class UnscannableAttachment(Rejected):
    """The text of an attachment cannot be read."""

    def __init__(self, fault: AttachmentFault) -> None:
        """Name the fault; the message says nothing of the attachment."""
        super().__init__(Reason.UNSCANNABLE_ATTACHMENT, Stage.DECODE)
        self.fault = fault
