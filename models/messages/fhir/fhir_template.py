"""The slots of a resource's template, each in the place of a value of the input."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from deidstream.models.messages.cda.document_template import Template


@dataclass(frozen=True, slots=True)
class MaskedValue:
    """A value that may not leave: its place says that it is masked."""

    primitive: bool
    """Whether the element is a primitive, whose extension stands under ``_name``."""
    reason: str = "masked"
    """A code of the standard; another one than this came with the resource."""


@dataclass(frozen=True, slots=True)
class TextSlot:
    """A string that is one part of the text."""

    part: int


@dataclass(frozen=True, slots=True)
class DateSlot:
    """A date whose day is one part of the text."""

    part: int
    time: str = field(repr=False)
    """What follows the day, such as ``T10:15:00-05:00``; left out where no whole day is left."""
    instant: bool = False
    """Whether the element needs both."""


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """A number that is one part of the text."""

    part: int


@dataclass(frozen=True, slots=True)
class Base64Slot:
    """The data of an attachment, whose text is one part."""

    part: int


@dataclass(frozen=True, slots=True)
class DocumentSlot:
    """The data of an attachment that is a clinical document."""

    template: Template = field(repr=False)


@dataclass(frozen=True, slots=True)
class DivSlot:
    """The XHTML of a narrative: markup, and the numbers of the parts between it."""

    pieces: tuple[str | int, ...] = field(repr=False)
    spellings: Mapping[str, str] = field(repr=False)
    """The characters that it writes as entities, with those."""


@dataclass(frozen=True, slots=True)
class NameSlot:
    """The name of a person, written ``Family, Given Given`` in one part."""

    part: int
    family: bool
    """Whether it has a family name."""
    given: tuple[int | MaskedValue, ...]
    """How many words each given name has, or why it is absent."""
    others: dict[str, object] = field(repr=False)
    """The other elements of the name."""


class IdForm(Enum):
    """How the id of a resource is written."""

    ID = auto()
    REFERENCE = auto()
    """``Type/id``."""
    CONTAINED = auto()
    """``#id``."""
    CONTAINED_ID = auto()
    UUID = auto()
    """``urn:uuid:…``."""
    FULL_URL = auto()
    """An absolute URL of a host that does not exist, which ends with ``Type/id``."""


@dataclass(frozen=True, slots=True)
class IdSlot:
    """The pseudonym of the id of a resource; the same id always has the same."""

    value: str = field(repr=False)
    form: IdForm
    resource_type: str = ""
