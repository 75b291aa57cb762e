"""The template of a document: markup that stays, and slots in the places of what is replaced."""

from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto


@dataclass(frozen=True, slots=True)
class Kept:
    """A value that came with the document and stays, unless it is an identifier of the note."""

    value: str = field(repr=False)


class AttributeForm(StrEnum):
    """What the value of an attribute must be."""

    TEXT = auto()
    TOKEN = auto()
    """Without blanks."""
    NUMBER = auto()
    LINK = auto()
    """A telephone number or an address of the Internet, behind its scheme."""


@dataclass(frozen=True, slots=True)
class AttributeSlot:
    """A value that is one part of the text."""

    part: int
    form: AttributeForm = AttributeForm.TEXT
    scheme: str = ""


@dataclass(frozen=True, slots=True)
class TimeSlot:
    """A point of time whose day, month or year is one part of the text."""

    part: int
    rest: str = field(repr=False)
    """What follows the day: hours and zone; left out where no whole day is left."""


class IdForm(Enum):
    """How the pseudonym of an identifier is written."""

    NAME = auto()
    UUID = auto()
    URN = auto()
    """The UUID as a link, which leads nowhere."""
    OID = auto()
    """The UUID as a number below 2.25, the arc of X.667: some documents may have no UUID."""


@dataclass(frozen=True, slots=True)
class IdSlot:
    """The pseudonym of an identifier."""

    value: str = field(repr=False)
    form: IdForm = IdForm.NAME


AttributeValue = str | Kept | AttributeSlot | TimeSlot | IdSlot
"""A string is one of the standard, or ours."""


@dataclass(frozen=True, slots=True)
class OpenTag:
    """The beginning of an element, or all of an empty one."""

    name: str
    attributes: tuple[tuple[str, AttributeValue], ...] = field(repr=False)
    needs: frozenset[str] = frozenset()
    """Attributes without which it says that it is masked."""
    closed: bool = False


@dataclass(frozen=True, slots=True)
class ContentSlot:
    """The text of an element, or a piece of it, that is one part of the text."""

    part: int


@dataclass(frozen=True, slots=True)
class NamePart:
    """An element of a name."""

    name: str
    attributes: tuple[tuple[str, AttributeValue], ...] = field(repr=False)
    words: int = 0
    """How many words of the text of the name it takes."""
    fixed: str = field(default="", repr=False)
    """A title, which stays."""


@dataclass(frozen=True, slots=True)
class NameSlot:
    """The name of a person, written ``Family, Given Given`` in one part."""

    tag: OpenTag
    part: int
    parts: tuple[NamePart, ...] = field(repr=False)


Piece = str | OpenTag | ContentSlot | NameSlot
"""A string is markup, or blanks and signs without letters and digits."""
Template = tuple[Piece, ...]
