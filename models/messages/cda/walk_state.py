"""What a walk through a document has written so far: the text of the note, and the template."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.cda.attributes import kept_attributes
from deidstream.models.messages.cda.document_template import AttributeValue, OpenTag, Piece
from deidstream.models.messages.cda.parse_document import name_of
from deidstream.models.messages.forms.form_text import FormText, StatedPersons, write_heading
from deidstream.models.time_budget import check_time
from deidstream.schemas.documents.note_form import CodedTerm
from deidstream.schemas.label import PhiLabel

Attributes = Iterable[tuple[str, AttributeValue]]
NO_NEEDS = frozenset[str]()


@dataclass(slots=True)
class WalkState:
    """A walk through one document; its text may be that of a note with more than the document."""

    text: FormText
    stated: StatedPersons
    shown: str = field(repr=False)
    """All text between the tags of the document."""
    pieces: list[Piece] = field(default_factory=list[Piece], repr=False)
    _ids: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    _shared: dict[tuple[object, ...], int] = field(
        default_factory=dict[tuple[object, ...], int], repr=False
    )

    def write_element(
        self,
        element: Element,
        attributes: Attributes = (),
        fill: Callable[[], None] | None = None,
        needs: frozenset[str] = NO_NEEDS,
    ) -> None:
        """Write an element with its kept attributes and others, and what ``fill`` writes in it.

        Where an attribute that it needs came with it and may not stay, it says that it is masked.
        """
        check_time()
        lost = needs.intersection(element.attrib)
        opened = OpenTag(name_of(element), (*kept_attributes(element), *attributes), lost)
        place = len(self.pieces)
        self.pieces.append(opened)
        if fill is not None:
            fill()
        if len(self.pieces) == place + 1:
            self.pieces[place] = replace(opened, closed=True)
        else:
            self.pieces.append(f"</{opened.name}>")

    def add_part(
        self,
        text: str,
        heading: str,
        label: PhiLabel | None = None,
        term: CodedTerm | None = None,
    ) -> int:
        """Write a line of the text; the same value below the same heading is written once."""
        key = (heading, text, label, term)
        number = self._shared.get(key)
        if number is None:
            number = self.text.add_part(text, write_heading(heading), label, term=term)
            self._shared[key] = number
        return number

    def rename(self, written: str) -> str:
        """Return the name of an element of the document by which others refer to it."""
        return self._ids.setdefault(written, f"id{len(self._ids) + 1}")


def has_word(text: str) -> bool:
    """Return whether a text has a letter or a digit."""
    return any(map(str.isalnum, text))


def blanks_of(text: str | None) -> str:
    """Return the blanks between two elements; nothing if there is more than blanks."""
    return text if text and not text.strip() else ""
