"""The form of a note that came as a structured document, beside its text."""

from dataclasses import dataclass, field
from enum import StrEnum

from deidstream.schemas.label import PhiLabel


class CodedTerm(StrEnum):
    """Who says what a code is called."""

    PUBLIC = "public"
    """A public code system, whose code stands beside it."""
    LOCAL = "local"
    """A site, or whoever chose the code."""


@dataclass(frozen=True, slots=True)
class FormPart:
    """The stretch ``[start, end)`` of a note's text that one element of the form holds."""

    start: int
    end: int
    label: PhiLabel | None = None
    """The label that follows from the element; ``None`` for free text."""
    term: CodedTerm | None = None
    """Whether the text is what a code is called."""


class FormKind(StrEnum):
    """What a form is of; its name is that of the field of the records that holds it."""

    RESOURCE = "resource"
    """A FHIR resource."""
    DOCUMENT = "document"
    """A clinical document (CDA)."""


@dataclass(frozen=True, slots=True)
class NoteForm:
    """A FHIR resource, or a CDA document, whose text is the note."""

    parts: tuple[FormPart, ...] = field(repr=False)
    """In order, disjoint; between them stand headings."""
    template: object = field(repr=False)
    """The resource or document as it leaves, with a slot for each part (``models.messages``)."""
    came_as: bytes = field(repr=False)
    """The resource as it came, in JSON; of a document the string that it is."""
    kind: FormKind = FormKind.RESOURCE
