"""Write the text of a note from the elements of a resource, and keep the place of each."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from deidstream.schemas.documents.note_form import CodedTerm, FormPart
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(slots=True)
class FormText:
    """The text as far as it is written."""

    pieces: list[str] = field(default_factory=list[str], repr=False)
    length: int = 0
    parts: list[FormPart] = field(default_factory=list[FormPart], repr=False)
    _shared: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """Free texts of one line that stand in the text already, with their headings."""

    def add_part(
        self,
        text: str,
        heading: str = "",
        label: PhiLabel | None = None,
        *,
        term: CodedTerm | None = None,
    ) -> int:
        """Add a text below or behind its heading; return its number.

        Free text of one line that was added under this heading before is not added again.
        """
        many = "\n" in text
        key = (heading, text)
        if label is None and not many and key in self._shared:
            return self._shared[key]
        gap = "\n" if many else " "
        number = self.add_beside(text, f"{heading}:{gap}" if heading else "", label, term=term)
        self.add_line("")
        if label is None and not many:
            self._shared[key] = number
        return number

    def add_beside(
        self,
        text: str,
        before: str = "",
        label: PhiLabel | None = None,
        *,
        term: CodedTerm | None = None,
    ) -> int:
        """Add a text behind what is written, in the same line; return its number."""
        self._write(before)
        start = self.length
        self._write(text)
        self.parts.append(FormPart(start, self.length, label, term))
        return len(self.parts) - 1

    def add_gap(self, gap: str) -> None:
        """Write what stands between two parts; blanks, and an end of a line, only once."""
        last = self.pieces[-1][-1:] if self.pieces else ""
        if gap and not (gap.isspace() and last.isspace() and (gap != "\n" or last == "\n")):
            self._write(gap)

    def add_line(self, text: str) -> None:
        """End a line with words that are not of the resource."""
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        if not text:
            return
        self.pieces.append(text)
        self.length += len(text)


@dataclass(slots=True)
class StatedPersons:
    """What the elements of a resource state of persons, to be looked for in its free text too."""

    names: list[str] = field(default_factory=list[str], repr=False)
    staff: list[str] = field(default_factory=list[str], repr=False)
    identifiers: list[str] = field(default_factory=list[str], repr=False)
    dates: list[str] = field(default_factory=list[str], repr=False)
    phones: list[str] = field(default_factory=list[str], repr=False)
    addresses: list[str] = field(default_factory=list[str], repr=False)

    def as_known(self) -> KnownIdentifiers:
        """Return them as the ``known`` block of a note."""
        return KnownIdentifiers(
            names=_once(self.names),
            identifiers=_once(self.identifiers),
            dates=_once(self.dates),
            phones=_once(self.phones),
            addresses=_once(self.addresses),
            staff=_once(self.staff),
        )


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def merge_known(first: KnownIdentifiers, second: KnownIdentifiers) -> KnownIdentifiers:
    """Return the identifiers of both, each once."""
    return KnownIdentifiers(
        names=_once((*first.names, *second.names)),
        identifiers=_once((*first.identifiers, *second.identifiers)),
        dates=_once((*first.dates, *second.dates)),
        phones=_once((*first.phones, *second.phones)),
        addresses=_once((*first.addresses, *second.addresses)),
        staff=_once((*first.staff, *second.staff)),
    )


def write_heading(name: str) -> str:
    """Return the name of an element as words.

    >>> write_heading("birthDate")
    'Birth date'
    """
    words = " ".join(_CAMEL.split(name)).lower()
    return words[:1].upper() + words[1:]


def require_text(value: object) -> str:
    """Return a string.

    Raises:
        InvalidNote: It is something else, or holds a NUL.
    """
    if not isinstance(value, str):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.RESOURCE)
    if "\0" in value:
        raise InvalidNote(Reason.BAD_UNICODE, NoteField.RESOURCE)
    return value
