"""A folder whose files are notes: plain text, clinical documents, what is read of attachments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.tables.input_columns import encode_row
from deidstream.models.messages.attachments.attachment_limits import LIMITS
from deidstream.models.messages.attachments.file_types import CONTENT_TYPES
from deidstream.models.messages.attachments.read_attachment import DOCX, read_attachment
from deidstream.models.messages.cda.parse_document import read_bytes
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import Rejected
from deidstream.schemas.outcome import Failed

_NO_NOTES = frozenset({".csv"})
"""Endings of attachments that are tables when they are files."""
DOCUMENTS = frozenset({".xml", ".cda", ".ccda", ".ccd"})
ALONE = DOCUMENTS | {".docx", ".pdf", ".rtf", ".html", ".htm"}
"""Endings of files that are one note each: no other form of an input has them."""


@dataclass(frozen=True, slots=True)
class TextFolder:
    """Every file of a folder and those below it, in the order of their names, is a note.

    The id of the note is the path of its file in the folder. A clinical document (CDA) names its
    patient itself. One document alone is read as a folder that holds no other.
    """

    folder: Path
    by_folder: bool = False
    """Whether the files of one folder are about one patient. Otherwise each is about its own."""
    keep: Sequence[str] = ()
    unit: str = field(default="file", init=False)

    def count(self) -> int | None:
        """Count the files."""
        return len(self._list_files())

    def read(self) -> Iterator[InputNote]:
        """Yield the files; one that cannot be read has a place too."""
        for number, path in enumerate(self._list_files()):
            name = Path(path.name) if path == self.folder else path.relative_to(self.folder)
            try:
                content = _read_content(path)
            except Rejected as rejected:
                yield InputNote(number, Failed.by(rejected), name=name.as_posix())
                continue
            note = {"note_id": name.as_posix(), **content}
            if self.by_folder or "document" not in content:
                note["patient_id"] = (name.parent if self.by_folder else name).as_posix()
            is_word = CONTENT_TYPES.get(path.suffix.lower()) == DOCX
            yield InputNote(number, encode_row(note), file=path if is_word else None)

    def _list_files(self) -> list[Path]:
        if self.folder.is_file():
            return [self.folder]
        found = [path for path in self.folder.rglob("*") if path.is_file()]
        hidden = {path for path in found if any(map(_is_hidden, _parts(path, self.folder)))}
        return sorted(set(found) - hidden)


def _parts(path: Path, folder: Path) -> Sequence[str]:
    return path.relative_to(folder).parts


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _read_content(path: Path) -> dict[str, str]:
    """Return what a note is, by the name of its field: a text or a document.

    Raises:
        UnscannableAttachment: The file is of no type that is read, or has no text.
        InvalidNote: It is no clinical document, and its name says that it is one.
    """
    ending = path.suffix.lower()
    content_type = CONTENT_TYPES.get(ending)
    if (content_type is None and ending not in DOCUMENTS) or ending in _NO_NOTES:
        raise UnscannableAttachment(AttachmentFault.UNKNOWN_TYPE)
    try:
        with path.open("rb") as file:
            content = file.read(LIMITS.input_bytes + 1)
    except OSError:
        raise UnscannableAttachment(AttachmentFault.MALFORMED) from None
    if content_type is not None:
        return {"text": read_attachment(content, content_type)}
    if len(content) > LIMITS.input_bytes:
        raise UnscannableAttachment(AttachmentFault.TOO_LARGE)
    return {"document": read_bytes(content)}
