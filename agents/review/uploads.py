"""Make notes of uploaded files: a note of each, or of each line of a JSONL file."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from deidstream.models.messages.attachments.file_types import CONTENT_TYPES
from deidstream.models.messages.attachments.read_attachment import DOCX, read_attachment
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import Rejected
from deidstream.schemas.note import RawNote

JSON, XML = ".json", ".xml"
JSONL = frozenset({".jsonl", ".ndjson"})
TABLES = frozenset({".csv", ".tsv"})
MOST_NOTES = 5_000
"""Notes of one upload."""
LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as it was sent."""

    name: str = field(repr=False)
    content: bytes = field(repr=False)

    @property
    def ending(self) -> str:
        """The ending of its name, in small letters."""
        return PurePath(self.name).suffix.lower()


@dataclass(frozen=True, slots=True)
class UploadedNote:
    """A note of an upload, or why it cannot be read."""

    name: str = field(repr=False)
    note: RawNote | None
    problem: str = ""
    """In words; never text of the file."""
    word: bytes = field(default=b"", repr=False)
    """The Word document that it was read from."""


def read_uploads(uploads: Sequence[UploadedFile], *, one_patient: bool) -> Iterator[UploadedNote]:
    """Yield the notes of files, in their order.

    Args:
        uploads: The files.
        one_patient: Whether all files are about one patient, whose surrogates then agree; a file
            of JSONL names its patients itself.
    """
    for upload in uploads:
        name = PurePath(upload.name.replace("\\", "/")).name[:LONGEST_NAME] or "file"
        if upload.ending in JSONL:
            yield from _read_lines(name, upload.content)
        elif upload.ending in {JSON, XML}:
            yield _read_record(name, upload.content)
        elif upload.ending in TABLES:
            yield UploadedNote(
                name, None, "a table has a note in each row: use deidstream deidentify"
            )
        else:
            yield _read_file(name, upload, "upload" if one_patient else name)


def _read_lines(name: str, content: bytes) -> Iterator[UploadedNote]:
    # One after another: 32 MB may be millions of lines.
    for number, line in enumerate(io.BytesIO(content), 1):
        if not line.strip():
            continue
        yield _read_record(f"{name}, line {number}", line)


def _read_record(place: str, value: bytes) -> UploadedNote:
    """Read a ``notes.raw`` record, a FHIR resource, or a clinical document."""
    try:
        note = read_message(value)
    except Rejected as rejected:
        field = f" ({rejected.field})" if rejected.field else ""
        return UploadedNote(place, None, f"{rejected.reason}{field}")
    if note.cancelled:
        return UploadedNote(place, None, "it cancels a note and has no text")
    return UploadedNote(note.note_id[:LONGEST_NAME], note)


def _read_file(name: str, upload: UploadedFile, patient: str) -> UploadedNote:
    kind = CONTENT_TYPES.get(upload.ending)
    if kind is None:
        return UploadedNote(name, None, "files of this kind are not read")
    try:
        text = read_attachment(upload.content, kind)
    except UnscannableAttachment as unscannable:
        return UploadedNote(name, None, _PROBLEMS[unscannable.fault])
    word = upload.content if kind == DOCX else b""
    return UploadedNote(name, RawNote(name, patient, text), word=word)


_PROBLEMS = {
    AttachmentFault.UNKNOWN_TYPE: "files of this kind are not read",
    AttachmentFault.BAD_CHARSET: "its character set is not supported",
    AttachmentFault.MALFORMED: "it is not a file of its kind, or is damaged",
    AttachmentFault.ENCRYPTED: "it needs a password",
    AttachmentFault.IMAGE_ONLY: "its pages have no text: it is a scan",
    AttachmentFault.EMPTY: "it has no text",
    AttachmentFault.TOO_LARGE: "it is too large",
    AttachmentFault.EXPANDS: "it is too large when it is unpacked",
    AttachmentFault.TOO_MANY_PAGES: "it has too many pages",
    AttachmentFault.TOO_DEEP: "it is nested too deeply",
    AttachmentFault.TOO_SLOW: "reading it takes too long",
    AttachmentFault.NOT_WRITTEN: "it cannot be written with another text",
}
